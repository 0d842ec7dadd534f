import type { ChildNote } from '../store.ts'

/** A row of a flat table of chunks, as a source reads it. Nothing about it is taken for granted. */
export interface FlatChunk {
  /** The row's own id; kept as `provenance.row` of the chunk's note. */
  readonly row: string
  /** The document that it is of; a row without one becomes a document of its own. */
  readonly document?: string | undefined
  readonly text: string | undefined
  /** `standard` where nothing is said; `parent` and `child` rows are not flat, and are refused. */
  readonly kind?: string | undefined
  /** What its document is called. */
  readonly title?: string | undefined
  /** Values that all rows of a document share become its metadata; others stay with the row, in `provenance`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** What was generated for it. */
  readonly generated?: Pick<ChildNote, 'context' | 'questions' | 'keywords'> | undefined
  readonly vector?: Float32Array | undefined
}

/**
 * Reads a flat table in pages: all rows of a document follow one another, in their order, and documents stand in the order of their
 * names by code point; rows without a document come last.
 */
export interface FlatChunks {
  /** @param options.after Only documents whose names come after this one. */
  pages(options: { readonly after?: string; readonly signal?: AbortSignal }): AsyncIterable<readonly FlatChunk[]>
}
