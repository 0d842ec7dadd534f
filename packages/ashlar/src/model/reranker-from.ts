import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import { providerError } from './provider-error.ts'
import { checkModel, mergeProviderOptions, type ProviderModel, type ProviderOptions } from './provider-model.ts'
import type { Reranked, Reranker, RerankerIdentity } from './reranker.ts'
import { noUsage } from './usage.ts'

/** A reranking model of any AI SDK provider package, of specification version 3 or 4. */
export interface ProviderRerankingModel extends ProviderModel {
  readonly doRerank: (options: never) => PromiseLike<unknown>
}

/** How {@link rerankerFrom} makes a reranker. */
export interface RerankerFromOptions {
  /** What the identity calls the model, where the model's own name does not say it. @default `provider/model` */
  readonly model?: string
  /** Passed to the provider with every call. */
  readonly providerOptions?: ProviderOptions
  /** What the scores are. @default 'probability', which they are with all providers known */
  readonly scale?: RerankerIdentity['scale']
  /** Most tokens of query and text together. @default not known */
  readonly maxTokens?: number
  /** Most texts of one call. @default 1000, which Cohere advises */
  readonly maxBatch?: number
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Voyage cuts long texts in silence unless told not to. */
const habits: Readonly<Record<string, ProviderOptions>> = { voyage: { voyage: { truncation: false } } }

/** A reranker that calls any AI SDK provider's reranking model, of AI SDK 6 or 7. Scores come in the order of the texts. */
export function rerankerFrom(model: ProviderRerankingModel, options: RerankerFromOptions = {}): Reranker {
  const known = checkModel(model, 'reranking')
  const { model: name = known.name, scale = 'probability', maxTokens, maxBatch = 1000, headers } = options
  const providerOptions = mergeProviderOptions(habits[known.provider] ?? {}, options.providerOptions)

  async function rerank(
    query: string,
    texts: readonly string[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Reranked> {
    signal?.throwIfAborted()
    if (texts.length === 0) return { scores: [], usage: noUsage }
    if (texts.length > maxBatch)
      throw new AshlarError('INVALID_OPTION', `${name} takes ${maxBatch} texts a call; got ${texts.length}`, {
        details: { texts: texts.length, maxBatch },
      })
    const call = {
      query,
      documents: { type: 'text', values: [...texts] },
      providerOptions,
      ...(signal && { abortSignal: signal }),
      ...(headers && { headers }),
    }
    let answer: unknown
    try {
      answer = await model.doRerank(call as never)
    } catch (error) {
      throw isAshlarError(error) ? error : providerError(error, name, signal)
    }
    return { scores: readScores(answer, texts.length, name), usage: noUsage }
  }

  return { identity: { model: name, options: { ...providerOptions }, scale, maxTokens }, maxBatch, rerank }
}

function readScores(answer: unknown, texts: number, name: string): number[] {
  const wrong = (found: string): AshlarError =>
    new AshlarError('INVALID_RESPONSE', `${name} answered with ${found}`, { details: { model: name, texts, retryable: true } })
  const ranking = (answer as { readonly ranking?: unknown } | null)?.ranking
  if (!Array.isArray(ranking)) throw wrong('no ranking')
  const scores: (number | undefined)[] = new Array(texts).fill(undefined)
  for (const { index, relevanceScore } of ranking as readonly { readonly index: unknown; readonly relevanceScore: unknown }[]) {
    if (typeof index !== 'number' || !(index in scores)) throw wrong(`a score for text ${String(index)} of ${texts}`)
    if (typeof relevanceScore !== 'number' || !Number.isFinite(relevanceScore)) throw wrong(`no score for text ${index}`)
    if (scores[index] !== undefined) throw wrong(`two scores for text ${index}`)
    scores[index] = relevanceScore
  }
  const missing = scores.indexOf(undefined)
  if (missing >= 0) throw wrong(`no score for text ${missing}`)
  return scores as number[]
}
