import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { WorkOptions } from '../model/ask-all.ts'
import { type GenerateItem, type GenerateOutcome, generateAll } from '../model/generate-all.ts'
import { readAnswer } from './answer.ts'
import type { EnrichmentOutcome, EnrichmentSource } from './enrichment.ts'
import { type EnrichmentOptions, type ResolvedEnrichment, resolveEnrichment } from './enrichment-options.ts'
import { type EnrichmentRequest, enrichmentRequests, promptOf } from './enrichment-request.ts'
import { expectedUsage } from './expected-usage.ts'

/** How {@link enrich} works: what is asked, and how the model is called. */
export interface EnrichOptions extends EnrichmentOptions, WorkOptions {
  /** Asks again where the model declined in an earlier run. @default false */
  readonly retryRefused?: boolean
}

/**
 * Has a model write context, questions or keywords for the children of documents. Outcomes come in the order of the children, each
 * exactly once: the enrichment with its provenance, or an error that belongs to this child alone.
 *
 * Documents stand first in the prompts, one call has the provider cache a document and the others follow, and every answer is in
 * the cache before it comes out: a run that was stopped, or a document that was edited, pays only for what is missing. A budget
 * ends the calls and not the loop; children that it left out come with `BUDGET_SPENT`.
 *
 * @throws AshlarError `INVALID_TEMPLATE` or `INVALID_OPTION` before anything is asked.
 *
 * @example
 * const generator: Generator = {
 *   identity: { model: 'example/fixed', options: {} },
 *   maxTokens: undefined,
 *   promptCache: 'none',
 *   generate: async () => ({ text: 'context: How dry walls are built.', finish: 'stop', usage: noUsage }),
 * }
 * const tree = buildTree('Stone on stone, without mortar.', { document: 'walls', title: 'Walls' })
 * for await (const { index, enrichment, error } of enrich(tree, { generator })) {
 *   if (error) throw error
 *   console.log(index, enrichment.context, enrichment.provenance.model)
 * }
 * // => 0 How dry walls are built. example/fixed
 */
export async function* enrich(
  sources: EnrichmentSource | Iterable<EnrichmentSource> | AsyncIterable<EnrichmentSource>,
  options: EnrichOptions,
): AsyncGenerator<EnrichmentOutcome, void, undefined> {
  for await (const { outcome } of enrichSources(sources, options)) yield outcome
}

/** The same, each outcome with the document that it belongs to. */
export async function* enrichSources(
  sources: EnrichmentSource | Iterable<EnrichmentSource> | AsyncIterable<EnrichmentSource>,
  options: EnrichOptions,
): AsyncGenerator<{ readonly source: EnrichmentSource; readonly outcome: EnrichmentOutcome }, void, undefined> {
  const resolved = resolveEnrichment(options)
  const shape = { kinds: resolved.kinds, labelled: resolved.template.labelled, counts: resolved.counts }
  const asked: EnrichmentRequest[] = []
  const outcomes = generateAll(resolved.generator, generateItems(sources, resolved, options, asked), {
    ...workOptions(options),
    maxTokens: resolved.maxTokens,
    check: ({ text, finish }) => {
      // Asking again would be cut off again; that is for `toOutcome` to say.
      if (finish !== 'length') readAnswer(text, shape)
    },
  })
  for await (const outcome of outcomes) {
    const request = asked.shift() as EnrichmentRequest
    yield { source: request.source, outcome: toOutcome(request, outcome, resolved, options) }
  }
}

/** Requests as prompts; each is noted in `asked` until its outcome comes, which is in the same order. */
async function* generateItems(
  sources: EnrichmentSource | Iterable<EnrichmentSource> | AsyncIterable<EnrichmentSource>,
  resolved: ResolvedEnrichment,
  { cache }: EnrichOptions,
  asked: EnrichmentRequest[],
): AsyncGenerator<GenerateItem, void, undefined> {
  const expected = expectedUsage(resolved)
  for await (const source of each(sources)) {
    for await (const request of enrichmentRequests(source, resolved, cache)) {
      asked.push(request)
      const item = { id: request.child.id, prompt: promptOf(request, resolved), key: request.key }
      yield request.known ? item : { ...item, estimate: expected(request) }
    }
  }
}

/** One source or many. */
export function each(
  sources: EnrichmentSource | Iterable<EnrichmentSource> | AsyncIterable<EnrichmentSource>,
): Iterable<EnrichmentSource> | AsyncIterable<EnrichmentSource> {
  return 'children' in sources ? [sources] : sources
}

function toOutcome(
  { child, source, index }: EnrichmentRequest,
  outcome: GenerateOutcome,
  { generator, kinds, template, counts, maxTokens }: ResolvedEnrichment,
  { price, caller }: EnrichOptions,
): EnrichmentOutcome {
  const place = { id: child.id, document: source.document, index }
  if (outcome.error !== undefined) return { ...place, error: outcome.error }
  if (outcome.finish === 'length') return { ...place, error: cutShort(maxTokens, child.id) }
  try {
    const answer = readAnswer(outcome.text, { kinds, labelled: template.labelled, counts })
    const { usage, time, promptHash, cached } = outcome
    const cost = (price ?? caller?.price) === undefined ? undefined : outcome.cost
    return {
      ...place,
      enrichment: { ...answer, provenance: { model: generator.identity.model, promptHash, time, usage, cost } },
      cached,
    }
  } catch (error) {
    if (isAshlarError(error)) return { ...place, error }
    throw error
  }
}

function workOptions({
  caller,
  cache,
  price,
  onEvent,
  signal,
  retryRefused,
}: EnrichOptions): WorkOptions & { retryRefused?: boolean } {
  return {
    ...(caller !== undefined && { caller }),
    ...(cache !== undefined && { cache }),
    ...(price !== undefined && { price }),
    ...(onEvent !== undefined && { onEvent }),
    ...(signal !== undefined && { signal }),
    ...(retryRefused !== undefined && { retryRefused }),
  }
}

function cutShort(maxTokens: number, id: string): AshlarError {
  return new AshlarError(
    'INVALID_RESPONSE',
    `The answer about ${JSON.stringify(id)} was cut off after ${maxTokens} tokens. Raise maxTokens to ask again.`,
    { details: { id, maxTokens } },
  )
}
