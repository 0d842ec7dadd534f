import { AshlarError } from '../error/ashlar-error.ts'
import type { CallerOptions } from '../model/caller.ts'
import type { ModelCache } from '../model/model-cache.ts'
import { addUsage, costOf, noUsage, type Price, type Usage } from '../model/usage.ts'
import type { Accuracy } from '../text/counter.ts'
import { each } from './enrich.ts'
import type { EnrichmentSource } from './enrichment.ts'
import { type EnrichmentOptions, resolveEnrichment } from './enrichment-options.ts'
import { enrichmentRequests } from './enrichment-request.ts'
import { expectedUsage } from './expected-usage.ts'

/** What {@link planEnrichment} plans: the options of `enrich`, and the limits of its caller. */
export interface EnrichmentPlanOptions
  extends EnrichmentOptions,
    Pick<CallerOptions, 'concurrency' | 'requestsPerMinute' | 'tokensPerMinute'> {
  /** Where earlier answers are; nothing is written to it. @default none */
  readonly cache?: ModelCache
  /** @default unknown, and then no cost is given */
  readonly price?: Price
  /** How long one call takes, in seconds. @default 3 */
  readonly secondsPerCall?: number
  readonly signal?: AbortSignal
}

/** What an enrichment will take, before anything is spent. */
export interface EnrichmentPlan {
  readonly documents: number
  readonly chunks: number
  /** Chunks whose answers are in the cache and will not be paid for again. */
  readonly known: number
  /** Calls that are left; failed ones that are tried again come on top. */
  readonly calls: number
  /** Tokens of these calls, by what is read from and written to the provider's prompt cache; output tokens are expected ones. */
  readonly usage: Usage
  /** In the currency of the price; undefined without one. */
  readonly cost: number | undefined
  readonly seconds: number
  /** How the tokens were counted. */
  readonly counted: { readonly counter: string; readonly accuracy: Accuracy }
}

/**
 * Says what `enrich` would take with the same options: calls, tokens read afresh, from and into the provider's prompt cache, money
 * and time. Asks no model, and leaves out what the cache already has.
 */
export async function planEnrichment(
  sources: EnrichmentSource | Iterable<EnrichmentSource> | AsyncIterable<EnrichmentSource>,
  options: EnrichmentPlanOptions,
): Promise<EnrichmentPlan> {
  const resolved = resolveEnrichment(options)
  const { cache, price, signal } = options
  const expected = expectedUsage(resolved)
  let documents = 0
  let chunks = 0
  let calls = 0
  let usage = noUsage
  for await (const source of each(sources)) {
    documents++
    for await (const request of enrichmentRequests(source, resolved, cache)) {
      signal?.throwIfAborted()
      chunks++
      if (request.known) continue
      calls++
      usage = addUsage(usage, expected(request))
    }
  }
  return {
    documents,
    chunks,
    known: chunks - calls,
    calls,
    usage,
    cost: price === undefined ? undefined : costOf(usage, price),
    seconds: seconds(calls, usage, options),
    counted: { counter: resolved.counter.id, accuracy: resolved.counter.accuracy },
  }
}

/** The longest of three: calls one after the other in each lane, and what either limit takes. */
function seconds(calls: number, usage: Usage, options: EnrichmentPlanOptions): number {
  const { concurrency = 4, requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } = options
  const { secondsPerCall = 3 } = options
  for (const [name, value] of Object.entries({ concurrency, requestsPerMinute, tokensPerMinute, secondsPerCall }))
    if (!(value > 0))
      throw new AshlarError('INVALID_OPTION', `${name} must be above 0, not ${value}.`, { details: { [name]: value } })
  const tokens = usage.inputTokens + usage.outputTokens
  return Math.max(
    Math.ceil(calls / concurrency) * secondsPerCall,
    (calls / requestsPerMinute) * 60,
    (tokens / tokensPerMinute) * 60,
  )
}
