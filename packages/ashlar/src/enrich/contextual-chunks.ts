import type { Chunk } from '../chunk/chunk.ts'
import type { ChunkOptions } from '../chunk/chunk-options.ts'
import { chunkText } from '../chunk/chunkers.ts'
import { identify } from '../chunk/identify.ts'
import type { AshlarError } from '../error/ashlar-error.ts'
import { type EnrichOptions, enrichSources } from './enrich.ts'
import { enrichedText } from './enriched-text.ts'
import type { Enrichment, EnrichmentPiece, EnrichmentSource } from './enrichment.ts'

/** A text to be cut, with what is known of it, or a document that is cut already. */
export type ContextualDocument =
  | string
  | {
      /** Part of the chunks' ids, and what paid answers are kept under. @default '' */
      readonly id?: string
      readonly title?: string
      readonly text: string
      /** Carried over to each chunk. @default {} */
      readonly metadata?: Readonly<Record<string, unknown>>
    }
  | EnrichmentSource

/** A chunker, or one that has to wait for something, such as an embedder. */
export type AnyChunker = (
  text: string,
  options?: ChunkOptions,
) => Iterable<Chunk> | AsyncIterable<Chunk> | Promise<Iterable<Chunk> | AsyncIterable<Chunk>>

/** How {@link contextualChunks} cuts and asks. */
export interface ContextualChunksOptions extends Omit<EnrichOptions, 'kinds'> {
  /** Cuts the text; whatever it is, contexts are written for its chunks. @default chunkText */
  readonly chunker?: AnyChunker
  /** What the chunker is told. @default its own defaults */
  readonly chunk?: ChunkOptions
  /** Put before the context. @default '[Context] ' */
  readonly prefix?: string
}

/** A chunk with its context beside it. */
export interface ContextualChunk extends EnrichmentPiece {
  readonly document: string
  /** Prefix, context, an empty line and the verbatim text: what to embed. The text alone where there is no context. */
  readonly contextualText: string
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly chunker: 'contextual'
    /** What the model wrote; undefined where it failed. */
    readonly context: string | undefined
    readonly index: number
    readonly total: number
  }
  readonly enrichment?: Enrichment
  /** Why there is no context. */
  readonly error?: AshlarError
}

/**
 * Cuts documents with any chunker and has a model situate each chunk in its document: contextual chunking.
 *
 * A view on `enrich`, with its cache, limits and budget. `text` stays verbatim; `contextualText` is what to embed, and the context
 * is in the metadata too. A chunk whose context failed comes without one, and says why.
 */
export async function* contextualChunks(
  documents: ContextualDocument | Iterable<ContextualDocument> | AsyncIterable<ContextualDocument>,
  options: ContextualChunksOptions,
): AsyncGenerator<ContextualChunk, void, undefined> {
  const { prefix = '[Context] ', chunker = chunkText, chunk: chunkOptions, ...enrichOptions } = options
  const metadataOf = new WeakMap<EnrichmentSource, Readonly<Record<string, unknown>>>()
  const sources = async function* (): AsyncGenerator<EnrichmentSource, void, undefined> {
    for await (const document of typeof documents === 'string' || 'text' in documents ? [documents] : documents) {
      const source = await toSource(document, chunker, chunkOptions)
      if (typeof document === 'object' && 'metadata' in document) metadataOf.set(source, document.metadata ?? {})
      yield source
    }
  }
  for await (const { source, outcome } of enrichSources(sources(), { ...enrichOptions, kinds: ['context'] })) {
    const child = source.children[outcome.index] as EnrichmentPiece
    const total = source.children.length
    const { enrichment, error } = outcome
    const metadata = metadataOf.get(source)
    yield {
      ...child,
      document: source.document,
      contextualText: enrichedText(child, enrichment ?? {}, { kinds: ['context'], prefix }).text,
      metadata: { ...metadata, chunker: 'contextual', context: enrichment?.context, index: outcome.index, total },
      ...(enrichment !== undefined && { enrichment }),
      ...(error !== undefined && { error }),
    }
  }
}

async function toSource(
  document: ContextualDocument,
  chunker: AnyChunker,
  options: ChunkOptions | undefined,
): Promise<EnrichmentSource> {
  if (typeof document === 'object' && 'children' in document) return document
  const { id = '', title = '', text } = typeof document === 'string' ? { text: document } : document
  const chunks: Chunk[] = []
  for await (const chunk of await chunker(text, options)) chunks.push(chunk)
  return { document: id, title, text, children: [...identify(chunks, { document: id })] }
}
