/**
 * A stretch of a text: UTF-16 code units, half open, counted from 0 in the original text.
 *
 * `text.slice(span.start, span.end)` is the stretch itself. Lines and bytes are derived (`LineMap`, `ByteMap`), never stored.
 */
export interface Span {
  /** Index of the first code unit. */
  readonly start: number
  /** Index after the last code unit. */
  readonly end: number
}
