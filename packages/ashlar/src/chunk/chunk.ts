import type { Span } from '../text/span.ts'

/** One piece of a text: plain data, and an exact slice: `source.slice(chunk.start, chunk.end) === chunk.text`. */
export interface Chunk extends Span {
  /** The verbatim text of `[start, end)`. */
  readonly text: string
  /** How many leading code units repeat the chunk before; the chunk's own part is `[start + lead, end)`. */
  readonly lead: number
  /** Position in the sequence, from 0. */
  readonly index: number
  /** Titles of the headings that the own part stands under, outermost first; empty where the format knows none. */
  readonly outline: readonly string[]
  /** Where the header of the table stands that this chunk continues; join it on demand, it is not part of `text`. */
  readonly header?: Span
}
