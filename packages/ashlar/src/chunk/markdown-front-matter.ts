import { runEnd, skipBlanks } from './markdown-line.ts'

/**
 * The index behind the front matter that begins at `from` (a line of `---` or `+++`, and the next line like it), or -1.
 *
 * Asked once for a text, so that looking for the closing line to the end of the text is affordable.
 */
export function frontMatterEnd(text: string, from: number): number {
  const sign = text.charCodeAt(from)
  if ((sign !== 45 && sign !== 43) || !isFence(text, from, sign)) return -1
  for (let at = nextLine(text, from); at < text.length; at = nextLine(text, at)) {
    if (isFence(text, at, sign)) return nextLine(text, at)
  }
  return -1
}

function isFence(text: string, at: number, sign: number): boolean {
  if (runEnd(text, at, Math.min(at + 4, text.length), sign) !== at + 3) return false
  const end = skipBlanks(text, at + 3, text.length)
  return end === text.length || isLineBreak(text.charCodeAt(end))
}

function nextLine(text: string, at: number): number {
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) at++
  return Math.min(text.length, text.startsWith('\r\n', at) ? at + 2 : at + 1)
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13
}
