import type { Span } from '../text/span.ts'

/** A stretch of a document: what was found, or what should have been. Offsets only, so that any chunker of anybody can be judged. */
export interface DocumentSpan extends Span {
  /** The document's id. */
  readonly document: string
}
