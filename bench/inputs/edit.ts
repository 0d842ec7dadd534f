import type { EditedDocument } from './edited-documents.ts'
import { between, pick, type Random } from './random.ts'

const vocabulary =
  'stone wall mason level course joint block lime quarry chisel true plumb lintel arch bond pier vault hewn dressed laid'.split(
    ' ',
  )

/** The document with five words at `share` of its length exchanged for five others. */
export function exchangeFiveWords(text: string, share: number): string {
  const pattern = /[A-Za-z]+(?: [a-z]+){4}/g
  pattern.lastIndex = Math.floor(text.length * share)
  const found = pattern.exec(text)
  if (found === null) throw new Error(`No five words in a row after ${share} of the document`)
  return `${text.slice(0, found.index)}five other words stand here${text.slice(found.index + found[0].length)}`
}

/**
 * One edit such as a person makes: up to 50 words, up to 5 lines, or a heading, put in, taken out or exchanged.
 *
 * Edits stay inside what they edit: a run of words ends at a blank line and at markup, and lines that open or close a
 * block of code or an element are left alone, since losing one of those changes what all the rest of the document is.
 */
export function editAtRandom(random: Random, document: EditedDocument): string {
  const dice = random()
  const edited =
    dice < 0.6 ? editWords(random, document) : dice < 0.85 ? editLines(random, document) : editHeading(random, document)
  return edited === document.text ? editWords(random, document) : edited
}

function editWords(random: Random, { text, format }: EditedDocument): string {
  const count = between(random, 1, 50)
  const fresh = Array.from({ length: count }, () => pick(random, vocabulary)).join(' ')
  const start = findWord(random, text, format)
  const action = pick(random, ['insert', 'delete', 'replace'] as const)
  if (action === 'insert') return `${text.slice(0, start)}${fresh} ${text.slice(start)}`
  const end = skipWords(text, start, count, format)
  return text.slice(0, start) + (action === 'delete' ? '' : `${fresh} `) + text.slice(end)
}

/** The start of a word, outside of tags. */
function findWord(random: Random, text: string, format: EditedDocument['format']): number {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const at = between(random, 1, text.length - 2)
    if (!/\s/.test(text[at - 1]!) || !/[\p{L}\p{N}]/u.test(text[at]!)) continue
    if (format === 'html' && isInsideTag(text, at)) continue
    return at
  }
  return text.length
}

function isInsideTag(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && i > at - 3000; i--) {
    if (text[i] === '>') return false
    if (text[i] === '<') return true
  }
  return false
}

/** The end of up to `count` words from `start`, stopping before a blank line, a tag or a code mark. */
function skipWords(text: string, start: number, count: number, format: EditedDocument['format']): number {
  let at = start
  for (let words = 0; words < count && at < text.length; words++) {
    while (at < text.length && !/\s/.test(text[at]!)) {
      if (format !== 'plain' && (text[at] === '<' || text[at] === '`')) return at
      at++
    }
    const space = at
    while (at < text.length && /\s/.test(text[at]!)) at++
    if (text.slice(space, at).split('\n').length > 2) return space
  }
  return at
}

function editLines(random: Random, { text, format }: EditedDocument): string {
  const lines = text.split('\n')
  const count = between(random, 1, 5)
  const at = between(random, 0, lines.length - 1)
  const touched = lines.slice(at, at + count)
  const fresh = Array.from({ length: count }, () => {
    const words = Array.from({ length: between(random, 3, 15) }, () => pick(random, vocabulary)).join(' ')
    return format === 'html' ? `<p>${words}.</p>` : `${words}.`
  })
  const action = pick(random, ['insert', 'delete', 'replace'] as const)
  if (action === 'insert') {
    // Inside a table or a paragraph a line of its own would be another kind of edit: lines go where a line has ended a block.
    const gap = lines.indexOf('', at)
    return gap < 0 ? text : [...lines.slice(0, gap + 1), ...fresh, '', ...lines.slice(gap + 1)].join('\n')
  }
  if (touched.some((line) => opensOrCloses(line, format))) return text
  return [...lines.slice(0, at), ...(action === 'delete' ? [] : fresh), ...lines.slice(at + count)].join('\n')
}

function opensOrCloses(line: string, format: EditedDocument['format']): boolean {
  if (format === 'plain') return false
  if (format === 'markdown') return /^\s*(?:```|~~~|\$\$|---|\||<|>)/.test(line) || /<\/?[a-z]/i.test(line)
  const tags = line.match(/<\/?[a-z][a-z0-9]*/gi) ?? []
  const open = tags.filter((tag) => !tag.startsWith('</') && !/^<(?:br|hr|img|input)$/i.test(tag)).length
  return open * 2 !== tags.filter((tag) => !/^<(?:br|hr|img|input)$/i.test(tag)).length
}

function editHeading(random: Random, { text, format }: EditedDocument): string {
  const title = Array.from({ length: between(random, 1, 6) }, () => pick(random, vocabulary)).join(' ')
  const level = between(random, 1, 4)
  const heading =
    format === 'html' ? `<h${level}>${title}</h${level}>` : format === 'markdown' ? `${'#'.repeat(level)} ${title}` : title
  const pattern = format === 'html' ? /^<h[1-6][^>]*>.*<\/h[1-6]>$/gm : /^#{1,6} .*$/gm
  const headings = format === 'plain' ? [] : [...text.matchAll(pattern)]
  const action = headings.length === 0 ? 'insert' : pick(random, ['insert', 'delete', 'replace'] as const)
  if (action === 'insert') {
    const at = text.indexOf(format === 'html' ? '\n' : '\n\n', between(random, 0, text.length - 1))
    return at < 0 ? text : `${text.slice(0, at)}\n\n${heading}\n${text.slice(at)}`
  }
  const { index, 0: found } = pick(random, headings)
  return text.slice(0, index) + (action === 'delete' ? '' : heading) + text.slice(index + found.length)
}
