/**
 * Search in a store: every leg's nominations, one score from all the evidence.
 *
 * @module ashlar/search
 */
export { type LegScores, type NominationLimits, nominationLimits } from './search/configuration.ts'
export type { Hit } from './search/hit.ts'
export { search } from './search/search.ts'
export type { SearchEmbedding, SearchOptions } from './search/search-options.ts'
