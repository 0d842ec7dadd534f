import type { Chunk } from '../chunk/chunk.ts'
import { type ChunkOptions, resolveChunkOptions } from '../chunk/chunk-options.ts'
import { pack } from '../chunk/pack.ts'
import { type SemanticOptions, semanticFormat } from './semantic-format.ts'

/**
 * Cuts a text where its topic changes, as an embedder sees it, and wherever else `size` asks for it.
 *
 * A higher `threshold` gives more and smaller chunks. A text of fewer than six sentences is one topic. Overlap is repeated only at cuts that `size` made, never over a change of
 * topic. The same as `chunk` with a {@link semanticFormat}, and so all laws of the cut hold.
 *
 * @example
 * const topics: Embedder = {
 *   identity: {
 *     model: 'example/topics', options: {}, dimensions: 2, pooling: 'provider', normalized: true,
 *     queryPrefix: '', documentPrefix: '', maxTokens: undefined,
 *   },
 *   maxBatch: 100,
 *   givesTokens: false,
 *   embed: async (texts) => ({
 *     vectors: texts.map((text) => (text.includes('bread') ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
 *     usage: noUsage,
 *   }),
 * }
 * const text = 'A wall is of stone. It stands for long. Few fall. Rye bread is baked. All bread is eaten. No bread is left.'
 * for (const { start, text: piece } of await chunkSemantic(text, { embedder: topics })) console.log(start, piece)
 * // => 0 A wall is of stone. It stands for long. Few fall.
 * // => 50 Rye bread is baked. All bread is eaten. No bread is left.
 *
 * @throws AshlarError `INVALID_OPTION` for a threshold or sentence counts that make no sense, and whatever the embedder fails with.
 */
export async function chunkSemantic(text: string, options: SemanticOptions & ChunkOptions): Promise<Chunk[]> {
  // What the packer would refuse is refused before anything is paid for.
  const cut = resolveChunkOptions(options)
  return [...pack(text, await semanticFormat(text, options), cut)]
}
