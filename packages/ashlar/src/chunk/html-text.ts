import { strength } from './seam.ts'

/**
 * Beside markup: weaker than words, so that text is cut first, but stronger than a cut between graphemes, so that a tag or an
 * entity is not cut itself.
 */
export const joint: number = strength.grapheme + 2

/** Before an inline element or behind its end tag, in the middle of a word. */
export const inlineEdge: number = joint + 2

/** A blank line in code, as strong as where the packer finds one itself. */
const blankLine: number = strength.line + 6

/** The strength of a place in code: a blank line, a line, a word, or none of them. */
export function strengthInCode(text: string, at: number, spaced: boolean): number {
  const end = lineBreakBefore(text, at)
  if (end === at) return spaced ? strength.word : inlineEdge
  return lineBreakBefore(text, end) < end ? blankLine : strength.line
}

/** Where the line break that ends at `at` begins; `at` itself where there is none. */
function lineBreakBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  if (code === 0x0a) return text.charCodeAt(at - 2) === 0x0d ? at - 2 : at - 1
  return code === 0x0d ? at - 1 : at
}

/** The beginning of the text at or behind a place, tags left out. */
export function textFrom(text: string, from: number): string {
  let at = from
  for (let tags = 0; tags < 4 && text.charCodeAt(at) === 0x3c; tags++) {
    const close = text.slice(at, at + 256).indexOf('>')
    if (close < 0) break
    at += close + 1
  }
  return text.slice(at, at + 24)
}

/** A closing quote or bracket: what may stand between the end of a sentence and the space behind it. */
export function isCloser(code: number): boolean {
  if (code < 0x80) return code === 0x22 || code === 0x27 || code === 0x29 || code === 0x5d || code === 0x7d
  return (code >= 0x2018 && code <= 0x201d) || code === 0xbb || code === 0x300d || code === 0x300f || code === 0xff09
}

/** The index after the entity at `at`, or 0 where there is none that ends in a semicolon. */
export function entityEnd(text: string, at: number, limit: number): number {
  let index = at + 1
  if (text.charCodeAt(index) === 0x23) index++
  const last = Math.min(limit, index + 40)
  for (const first = index; index < last; index++) {
    const code = text.charCodeAt(index)
    const letter = code | 0x20
    if ((letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39)) continue
    return code === 0x3b && index > first ? index + 1 : 0
  }
  return 0
}
