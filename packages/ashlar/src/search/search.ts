import type { Metadata } from '../store/filter.ts'
import type { Store } from '../store/store.ts'
import { readQueries } from './read-query.ts'
import { searchOne } from './search-one.ts'
import { resolveSearchOptions, type SearchOptions } from './search-options.ts'
import type { SearchResult } from './search-result.ts'

/** Searches that run at once: engines gain nothing from more, and a store may have few connections. */
const atOnce = 4

/**
 * Finds the passages that answer a query, the best first, with what speaks for each.
 *
 * A child is judged by its vector, by its own tokens and words, and by those of what surrounds it. The store nominates a few hundred by
 * each of these; the best of them are scored by all, from what is stored and nothing else, so that every store gives the same hits.
 * What stands in quotation marks, and a query that is one identifier, is looked for literally too: hits that have it come first. Equals come
 * in the order of documents' ids and of the text.
 */
export async function search<Data extends object = Metadata>(
  store: Store,
  query: string,
  options: SearchOptions<NoInfer<Data>> = {},
): Promise<SearchResult> {
  return (await searchMany<Data>(store, [query], options))[0] as SearchResult
}

/** Searches for several queries, which share the calls of the embedder. Results come in the order of the queries. */
export async function searchMany<Data extends object = Metadata>(
  store: Store,
  queries: readonly string[],
  options: SearchOptions<NoInfer<Data>> = {},
): Promise<SearchResult[]> {
  const resolved = resolveSearchOptions(options as SearchOptions, store.scope.fields)
  resolved.signal?.throwIfAborted()
  const reads = await readQueries(store, queries, resolved)
  const results: SearchResult[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < reads.length; at = next++) {
      results[at] = await searchOne(store, reads[at] as (typeof reads)[number], resolved)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, reads.length) }, work))
  return results
}
