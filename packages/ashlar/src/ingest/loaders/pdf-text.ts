import type { PdfLine } from './pdf-lines.ts'

/** A line gap this much larger than usual begins a paragraph. */
const paragraphGap = 1.3

/** Lines without spaces are joined up to this length, so that a page of one line stays cheap. */
const longestLine = 20_000

/** Scripts that put no spaces between words: a line end in them is only the end of the paper. */
const unspaced = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/

/** All words of a document that stand whole within a line, in lower case, to know divided ones by. */
export function wordsOfLines(pages: readonly (readonly PdfLine[])[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const lines of pages) {
    for (const { text } of lines)
      for (const [word] of text.matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu)) words.add(word.toLowerCase())
  }
  return words
}

/**
 * The lines of a page as text: a line break a line, a blank line between paragraphs. A word that a hyphen divides at the end of a line is
 * joined, and keeps its hyphen where the document writes it with one elsewhere.
 */
export function joinLines(lines: readonly PdfLine[], words: ReadonlySet<string>): string {
  const usual = usualGap(lines)
  // Whole text is joined once, at the end: only its last line is ever looked at.
  const done: string[] = []
  let last = ''
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    if (before === undefined) last = line.text
    else if (startsParagraph(before, line, usual)) {
      done.push(last, '\n\n')
      last = line.text
    } else if (/[\p{L}\p{M}][-\u2010\u00ad]$/u.test(last.slice(-8)) && /^\p{Ll}/u.test(line.text)) {
      const [upper, lower] = joinDivided(last, line.text, words)
      done.push(upper, '\n')
      last = lower
    } else if (unspaced.test(last.slice(-1)) && unspaced.test(line.text.slice(0, 1)) && last.length < longestLine)
      last += line.text
    else {
      done.push(last, '\n')
      last = line.text
    }
  }
  return done.join('') + last
}

/** The distance of most lines that follow each other, in sizes of their letters. */
function usualGap(lines: readonly PdfLine[]): number {
  const gaps = lines
    .map((line, index) =>
      lines[index - 1] === undefined ? 0 : ((lines[index - 1] as PdfLine).base - line.base) / (line.size || 1),
    )
    .filter((gap) => gap > 0.5 && gap < 4)
    .sort((one, other) => one - other)
  // Of short pages the smaller half is the distance of lines, the larger that of paragraphs.
  return Math.min(gaps[gaps.length >> 2] ?? 1.2, 2.2)
}

function startsParagraph(before: PdfLine, line: PdfLine, usual: number): boolean {
  const size = line.size || 1
  const gap = (before.base - line.base) / size
  // Upwards: another column, a margin note, a cell of the same row.
  if (gap < -0.5) return true
  return gap > usual * paragraphGap || Math.abs(before.size - line.size) > Math.max(before.size, line.size) * 0.15
}

/** The upper line with the whole word and the marks behind it, and what is left of the lower one. */
function joinDivided(text: string, next: string, words: ReadonlySet<string>): readonly [string, string] {
  const first = /[\p{L}\p{M}-]+(?=[-\u2010\u00ad]$)/u.exec(text.slice(-64))?.[0] ?? ''
  const second = /^[\p{L}\p{M}]+/u.exec(next)?.[0] ?? ''
  const whole = `${first}${second}`.toLowerCase()
  const hyphenated = `${first}-${second}`.toLowerCase()
  const keeps = !text.endsWith('\u00ad') && words.has(hyphenated) && !words.has(whole)
  const space = /\s/.exec(next)?.index ?? next.length
  return [(keeps ? text : text.slice(0, -1)) + next.slice(0, space), next.slice(space).trimStart()]
}
