import type { Chunk } from './chunk.ts'
import { type ChunkOptions, resolveChunkOptions } from './chunk-options.ts'
import type { Chunker } from './chunkers.ts'
import { identify } from './identify.ts'
import { pack } from './pack.ts'
import { plain } from './plain.ts'
import type { Format } from './seam.ts'

/** A text with a name and whatever its owner knows about it. */
export interface SourceDocument<Metadata extends object = Record<string, unknown>> {
  /** Names the document; part of its chunks' ids. @default '' */
  readonly id?: string
  readonly text: string
  /** Carried over to each chunk. @default {} */
  readonly metadata?: Metadata
}

/** What every chunk of a document says about how it was made. */
export interface ChunkMetadata {
  /** The format or chunker that cut it. */
  readonly chunker: string
  /** Its place among the document's chunks, from 0, and how many there are. */
  readonly index: number
  readonly total: number
}

/** How documents are cut: by a format, or by a chunker of one's own with a name to record. */
export type ChunkDocumentsOptions = ChunkOptions &
  ({ readonly format?: Format } | { readonly chunker: Chunker; readonly name: string })

/**
 * Cuts documents one after the other; each chunk has an id, its document's id and metadata, and how it was made.
 *
 * One document's chunks are held at a time, since each says how many there are.
 *
 * @example
 * const documents = [{ id: 'a', text: 'One stone. Another stone.', metadata: { author: 'Ames' } }]
 * for (const { text, metadata } of chunkDocuments(documents, { size: 14, overlap: 0 })) console.log(text, JSON.stringify(metadata))
 * // => One stone. {"author":"Ames","chunker":"plain","index":0,"total":2}
 * // => Another stone. {"author":"Ames","chunker":"plain","index":1,"total":2}
 */
export function* chunkDocuments<Metadata extends object = Record<string, unknown>>(
  documents: Iterable<SourceDocument<Metadata>>,
  options: ChunkDocumentsOptions = {},
): Generator<Chunk & { readonly id: string; readonly document: string; readonly metadata: Metadata & ChunkMetadata }, undefined> {
  for (const { id: document = '', text, metadata = {} as Metadata } of documents) {
    const cut =
      'chunker' in options ? options.chunker(text, options) : pack(text, options.format ?? plain, resolveChunkOptions(options))
    const chunker = 'chunker' in options ? options.name : (options.format ?? plain).id
    const chunks = [...identify(cut, { document })]
    for (const [index, chunk] of chunks.entries()) {
      yield { ...chunk, document, metadata: { ...metadata, chunker, index, total: chunks.length } }
    }
  }
}
