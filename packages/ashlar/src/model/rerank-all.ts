import type { AshlarError } from '../error/ashlar-error.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import { askAll, batchSize, isFailure, readText, type TextItem, unusable, type Work, type WorkOptions } from './ask-all.ts'
import { createCaller } from './caller.ts'
import { contentKey } from './content-key.ts'
import { identityKey } from './identity-key.ts'
import type { Reranker } from './reranker.ts'
import { noUsage } from './usage.ts'

/** How {@link rerankAll} reranks. */
export interface RerankAllOptions extends WorkOptions {
  /** Most texts of one call, where it should be fewer than the reranker takes. @default the reranker's `maxBatch`, at most 1024 */
  readonly maxBatch?: number
}

/** What became of one text: its score, or its own error. */
export type RerankOutcome =
  | {
      /** Its place among the items. */
      readonly index: number
      readonly id?: string
      readonly score: number
      /** Whether it needed no call of its own. */
      readonly cached: boolean
      readonly error?: undefined
    }
  | { readonly index: number; readonly id?: string; readonly score?: undefined; readonly error: AshlarError }

const largestBatch = 1024

/**
 * Judges any number of texts by one query: batches, limits, retries, budget and cache included. Outcomes come in the order of the
 * texts, not of their scores.
 */
export async function* rerankAll(
  reranker: Reranker,
  query: string,
  items: Iterable<TextItem> | AsyncIterable<TextItem>,
  options: RerankAllOptions = {},
): AsyncGenerator<RerankOutcome, void, undefined> {
  const caller = options.caller ?? createCaller()
  const work = rerankingWork(reranker, query, { ...options, caller })
  for await (const outcome of askAll(items, work, { ...options, caller })) {
    const place = { index: outcome.index, ...(outcome.id !== undefined && { id: outcome.id }) }
    if (isFailure(outcome)) yield { ...place, error: outcome.error }
    else yield { ...place, score: outcome.value, cached: outcome.cached }
  }
}

function rerankingWork(
  reranker: Reranker,
  query: string,
  options: RerankAllOptions & Required<Pick<RerankAllOptions, 'caller'>>,
): Work<TextItem, string, number> {
  const identity = identityKey(reranker.identity)
  const maxBatch = batchSize(options.maxBatch, reranker.maxBatch, largestBatch)
  const ofQuery = approximateTokens(query)
  return {
    kind: 'rerank',
    read: readText,
    maxBatch,
    maxBatchTokens: options.caller.tokensPerCall,
    readAhead: Math.max(maxBatch * (options.caller.concurrency + 2), 1024),
    keyOf: (text) => contentKey(identity, 'rerank', query, text),
    // The query is read once for every text.
    estimate: (text) => ({ ...noUsage, inputTokens: ofQuery + approximateTokens(text) }),
    async ask(texts, signal) {
      const { scores, usage } = await reranker.rerank(query, texts, { signal })
      if (scores.length !== texts.length)
        throw unusable(`Expected ${texts.length} scores, one a text; got ${scores.length}`, usage)
      const odd = scores.findIndex((score) => !Number.isFinite(score))
      if (odd >= 0) throw unusable(`The score for text ${odd} of the call is not a finite number`, usage)
      return { values: scores, usage }
    },
    codec: {
      encode: (score) => new Uint8Array(Float64Array.of(score).buffer),
      decode: (bytes) => (bytes.length === 8 ? new Float64Array(bytes.slice().buffer)[0] : undefined),
    },
  }
}
