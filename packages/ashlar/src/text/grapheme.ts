import { graphemeSegments } from 'unicode-segmenter/grapheme'

import type { Span } from './span.ts'

/** The Unicode version of the grapheme table, which is part of the build and not the runtime's. */
export const unicodeVersion = '17.0.0'

/**
 * Whether a code unit never continues the cluster of a code unit before it that is `plain` as well or below U+0600.
 *
 * The ranges hold letters and signs of class Other in UAX #29 (and whole Hangul syllables, which only jamo can extend), so
 * that nearly all real text is decided by two comparisons and the table is asked for marks, emoji and Indic scripts alone.
 */
function isPlain(code: number): boolean {
  if (code < 0x300) return true
  if (code < 0x0590) return code >= 0x370 && (code < 0x483 || code > 0x489)
  if (code < 0x3400)
    return (code >= 0x3041 && code <= 0x3096) || (code >= 0x30a1 && code <= 0x30ff) || (code >= 0x3001 && code <= 0x3029)
  return code <= 0x9fff || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xff01 && code <= 0xff9d)
}

/** Whether a code unit can stand before a plain one without joining it: nothing below U+0600 is prepended to what follows. */
function endsPlainly(code: number): boolean {
  return code < 0x600 || isPlain(code)
}

/**
 * Whether `at` lies between two grapheme clusters: not inside a surrogate pair, a CRLF or a cluster of Unicode's UAX #29.
 *
 * `floor` is an index known to be a boundary; nothing before it is looked at, which bounds the cost on clusters of any length.
 *
 * @example
 * console.log(isGraphemeBoundary('e\u0301t', 1)) // => false
 * console.log(isGraphemeBoundary('e\u0301t', 2)) // => true
 */
export function isGraphemeBoundary(text: string, at: number, floor = 0): boolean {
  if (at <= floor || at >= text.length) return true
  const after = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  if (isPlain(after) && endsPlainly(before)) return after !== 0x0a || before !== 0x0d
  if (after >= 0xdc00 && after <= 0xdfff && before >= 0xd800 && before <= 0xdbff) return false
  let from = at - 1
  while (from > floor && !(isPlain(text.charCodeAt(from)) && endsPlainly(text.charCodeAt(from - 1)))) from--
  // The rules look back without limit but only one code point ahead, so the slice ends with the one that starts at `at`.
  for (const segment of graphemeSegments(text.slice(from, at + 2))) {
    const index = from + segment.index
    if (index >= at) return index === at
  }
  return false
}

/** The last boundary in `(floor, at]`, or `floor` when one cluster fills it. `floor` must be a boundary. */
export function graphemeBoundaryBefore(text: string, at: number, floor: number): number {
  if (at >= text.length) return text.length
  if (isGraphemeBoundary(text, at, floor)) return at
  let last = floor
  for (const boundary of graphemeBoundaries(text, floor, at)) last = boundary
  return last
}

/** The boundaries in `(floor, limit]`, rising; `floor` must be a boundary. Linear in `limit - floor`. */
export function* graphemeBoundaries(text: string, floor: number, limit: number): Generator<number> {
  // Two code units more than asked for: whether `limit` is a boundary depends on the code point after it.
  const slice = text.slice(floor, Math.min(text.length, limit + 2))
  for (const segment of graphemeSegments(slice)) {
    const boundary = floor + segment.index
    if (boundary > limit) return
    if (boundary > floor) yield boundary
  }
  if (limit >= text.length && floor < text.length) yield text.length
}

/**
 * The grapheme clusters of a text, as spans: what a reader would call its characters.
 *
 * @example
 * console.log([...graphemes('e\u0301!')].map(({ start, end }) => `${start}-${end}`).join(' ')) // => 0-2 2-3
 */
export function* graphemes(text: string): Generator<Span> {
  for (const segment of graphemeSegments(text)) yield { start: segment.index, end: segment.index + segment.segment.length }
}

/** The end of the smallest piece that can stand at `at` alone: one code point, or a CRLF. */
export function codePointEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  if (code === 0x0d && next === 0x0a) return at + 2
  if (code >= 0xd800 && code <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) return at + 2
  return Math.min(at + 1, text.length)
}

/** The last index in `[floor, at]` that splits neither a surrogate pair nor a CRLF. */
export function codePointBoundaryBefore(text: string, at: number, floor: number): number {
  return at > floor && at < text.length && codePointEnd(text, at - 1) > at ? at - 1 : at
}
