/**
 * Search in a store: every leg's nominations, one score from all the evidence, passages with their places and reasons.
 *
 * @module ashlar/search
 */

export { type Leg, type LegScores, type NominationLimits, nominationLimits } from './search/configuration.ts'
export type { ChildExplanation, Outcome, SearchExplanation } from './search/explanation.ts'
export type { Hit, HitChild, TwinPlace } from './search/hit.ts'
export { search, searchMany } from './search/search.ts'
export type { Expand, ExplainChild, Scope, SearchEmbedding, SearchOptions, SearchRerank } from './search/search-options.ts'
export type { Degraded, SearchCounts, SearchResult } from './search/search-result.ts'
export { type Condition, compileWhere, type MetadataOf, type Where, type WhereAll } from './search/where.ts'
