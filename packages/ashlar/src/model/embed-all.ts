import type { AshlarError } from '../error/ashlar-error.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import { askAll, batchSize, isFailure, readText, type TextItem, unusable, type Work, type WorkOptions } from './ask-all.ts'
import { createCaller } from './caller.ts'
import { contentKey } from './content-key.ts'
import type { Embedded, Embedder, TokenStates } from './embedder.ts'
import { identityKey } from './identity-key.ts'
import { noUsage } from './usage.ts'

/** How {@link embedAll} embeds. */
export interface EmbedAllOptions extends WorkOptions {
  /** Whether the texts are to be found or ask for something. @default 'document' */
  readonly as?: 'document' | 'query'
  /**
   * Asks for the states of all tokens too, where the embedder gives them. They are not cached (their compact form is kept by
   * `ashlar/vectors`), so that such a run calls the model for every text. @default false
   */
  readonly tokens?: boolean
  /** Most texts of one call, where it should be fewer than the embedder takes. @default the embedder's `maxBatch`, at most 2048 */
  readonly maxBatch?: number
}

/** What became of one text: its vector, or its own error. */
export type EmbedOutcome =
  | {
      /** Its place among the items. */
      readonly index: number
      readonly id?: string
      readonly vector: Float32Array
      /** There when they were asked for. */
      readonly tokens?: TokenStates
      /** Whether it needed no call of its own: its vector was in the cache, or another text before it is equal. */
      readonly cached: boolean
      readonly error?: undefined
    }
  | { readonly index: number; readonly id?: string; readonly vector?: undefined; readonly error: AshlarError }

interface Vector {
  readonly vector: Float32Array
  readonly tokens?: TokenStates
}

/** More texts in one call gain nothing, and hold more back when it fails. */
const largestBatch = 2048

/**
 * Embeds any number of texts: batches, limits, retries, budget and cache included. Outcomes come in the order of the texts, each
 * exactly once; a text that cannot be embedded has an error of its own and costs the others nothing.
 *
 * Reads ahead a few batches and no more, so that the texts may be a stream. Every answer is in the cache before it comes out: with
 * one on disk, a run that was killed pays again only for the batches that were under way.
 *
 * @example
 * const lengths: Embedder = {
 *   identity: {
 *     model: 'example/lengths', options: {}, dimensions: 1, pooling: 'provider', normalized: false,
 *     queryPrefix: '', documentPrefix: '', maxTokens: undefined,
 *   },
 *   maxBatch: 2,
 *   givesTokens: false,
 *   embed: async (texts) => ({ vectors: texts.map((text) => Float32Array.of(text.length)), usage: noUsage }),
 * }
 * for await (const outcome of embedAll(lengths, ['one', 'three', 'one'])) {
 *   if (outcome.error) throw outcome.error
 *   console.log(outcome.index, outcome.vector, outcome.cached)
 * }
 * // => 0 Float32Array(1) [ 3 ] false
 * // => 1 Float32Array(1) [ 5 ] false
 * // => 2 Float32Array(1) [ 3 ] true
 */
export async function* embedAll(
  embedder: Embedder,
  items: Iterable<TextItem> | AsyncIterable<TextItem>,
  options: EmbedAllOptions = {},
): AsyncGenerator<EmbedOutcome, void, undefined> {
  const caller = options.caller ?? createCaller()
  const work = embeddingWork(embedder, { ...options, caller })
  for await (const outcome of askAll(items, work, { ...options, caller })) {
    const place = { index: outcome.index, ...(outcome.id !== undefined && { id: outcome.id }) }
    if (isFailure(outcome)) yield { ...place, error: outcome.error }
    else yield { ...place, ...outcome.value, cached: outcome.cached }
  }
}

function embeddingWork(
  embedder: Embedder,
  options: EmbedAllOptions & Required<Pick<EmbedAllOptions, 'caller'>>,
): Work<TextItem, string, Vector> {
  const { as = 'document', tokens = false, caller } = options
  const { counter } = embedder
  const identity = identityKey(embedder.identity)
  const maxBatch = batchSize(options.maxBatch, embedder.maxBatch, largestBatch)
  // A count that is only about right must leave room for what it misses.
  const share = counter?.accuracy === 'exact' ? 1 : 0.9
  const maxBatchTokens = Math.min((embedder.maxBatchTokens ?? Number.POSITIVE_INFINITY) * share, caller.tokensPerCall)
  const isCounted = caller.counts || embedder.maxBatchTokens !== undefined
  const count = isCounted && counter !== undefined ? counter : approximateTokens
  const prefix = as === 'query' ? embedder.identity.queryPrefix : embedder.identity.documentPrefix
  let dimensions = embedder.identity.dimensions
  const decode = (bytes: Uint8Array): Vector | undefined => {
    const vector = fromBytes(bytes, dimensions)
    dimensions ??= vector?.length
    return vector && { vector }
  }
  return {
    kind: 'embed',
    read: readText,
    maxBatch,
    maxBatchTokens,
    // Token states are large; vectors are not, and a batch that is tried again should not keep the others waiting.
    readAhead: tokens ? maxBatch * 2 : Math.max(maxBatch * (caller.concurrency + 2), 1024),
    keyOf: (text) => contentKey(identity, as, text),
    estimate: (text) => ({ ...noUsage, inputTokens: count(prefix + text) }),
    async ask(texts, signal) {
      const answer = await embedder.embed(texts, { as, signal, ...(tokens && { tokens }) })
      dimensions = checkVectors(answer, texts.length, dimensions, tokens)
      return { values: answer.vectors.map((vector, at) => withTokens(vector, answer.tokens?.[at])), usage: answer.usage }
    },
    codec: tokens ? undefined : { encode: ({ vector }) => toBytes(vector), decode },
  }
}

function withTokens(vector: Float32Array, tokens: TokenStates | undefined): Vector {
  return tokens === undefined ? { vector } : { vector, tokens }
}

/** One sound vector a text, all of one length; gives that length. */
function checkVectors(
  { vectors, tokens, usage }: Embedded,
  texts: number,
  dimensions: number | undefined,
  wantsTokens: boolean,
): number {
  if (vectors.length !== texts) throw unusable(`Expected ${texts} vectors, one a text; got ${vectors.length}`, usage)
  if (wantsTokens && tokens?.length !== texts)
    throw unusable(`Expected the token states of ${texts} texts; got ${tokens?.length ?? 'none'}`, usage)
  const length = dimensions ?? vectors[0]?.length ?? 0
  for (const [at, vector] of vectors.entries()) {
    if (vector.length !== length || length === 0)
      throw unusable(`Expected vectors of ${length} numbers; got one of ${vector.length} for text ${at} of the call`, usage)
    if (!vector.every(Number.isFinite))
      throw unusable(`The vector for text ${at} of the call has numbers that are not finite`, usage)
  }
  return length
}

function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

function fromBytes(bytes: Uint8Array, dimensions: number | undefined): Float32Array | undefined {
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  if (dimensions !== undefined && bytes.length !== dimensions * 4) return undefined
  // Copied: a view on four-byte numbers must begin at a multiple of four.
  return new Float32Array(bytes.slice().buffer)
}
