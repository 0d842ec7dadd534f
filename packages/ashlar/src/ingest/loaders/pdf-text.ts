import type { PdfLine } from './pdf-lines.ts'

/** A line gap this much larger than usual begins a paragraph. */
const paragraphGap = 1.3

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
  let text = ''
  lines.forEach((line, index) => {
    const before = lines[index - 1]
    if (before === undefined) {
      text = line.text
      return
    }
    if (startsParagraph(before, line, usual)) text += `\n\n${line.text}`
    else if (/[\p{L}\p{M}][-\u2010\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line.text)) text = joinDivided(text, line.text, words)
    else if (unspaced.test(text.slice(-1)) && unspaced.test(line.text.slice(0, 1))) text += line.text
    else text += `\n${line.text}`
  })
  return text
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

function joinDivided(text: string, next: string, words: ReadonlySet<string>): string {
  const first = /[\p{L}\p{M}-]+(?=[-\u2010\u00ad]$)/u.exec(text)?.[0] ?? ''
  const second = /^[\p{L}\p{M}]+/u.exec(next)?.[0] ?? ''
  const whole = `${first}${second}`.toLowerCase()
  const hyphenated = `${first}-${second}`.toLowerCase()
  const keeps = !text.endsWith('\u00ad') && words.has(hyphenated) && !words.has(whole)
  const body = keeps ? text : text.slice(0, -1)
  // The whole word stays in the upper line with the marks behind it, the rest follows in a line of its own.
  return body + next.replace(/\s+/, '\n')
}
