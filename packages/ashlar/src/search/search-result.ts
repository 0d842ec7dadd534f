import type { AshlarErrorCode } from '../error/ashlar-error.ts'
import type { Leg } from './configuration.ts'
import type { SearchExplanation } from './explanation.ts'
import type { Hit } from './hit.ts'

/** A part of a search that could not be done. The hits come from the rest. */
export interface Degraded {
  /** `embedding`: only words were searched. `rerank`: the order is that of the scores. */
  readonly part: 'embedding' | 'rerank'
  /** What went wrong, as the model's error says it. */
  readonly reason: string
  readonly code?: AshlarErrorCode
}

/** What a search found. Plain data. */
export interface SearchResult {
  readonly query: string
  /** The best first. */
  readonly hits: readonly Hit[]
  /**
   * True when nothing in the store is about the question, as far as the evidence tells: there is no hit, or even the best score is below
   * what questions about something else reach. Hits are given all the same.
   */
  readonly nothing: boolean
  /** The highest score and relevance that any child reached, whatever was left out afterwards; both 0 where nothing was scored. */
  readonly best: { readonly score: number; readonly relevance: number }
  /** The kinds of evidence that were looked at; without an embedder only those of words. */
  readonly legs: readonly Leg[]
  /** Empty when all went well. */
  readonly degraded: readonly Degraded[]
  /** How many children were nominated and scored, and what became of those that would have made a hit. */
  readonly counts: SearchCounts
  /** There where it was asked for. */
  readonly explanation?: SearchExplanation
}

export interface SearchCounts {
  readonly nominated: number
  readonly scored: number
  /** Children below `minScore`. */
  readonly belowMinScore: number
  /** Children that are part of a hit of another child, and those whose text another hit has. */
  readonly merged: number
  readonly duplicates: number
  /** Passages that did not fit into `maxTokens`. */
  readonly outOfBudget: number
  /** Tokens of all hits; there where a budget was given. */
  readonly tokens?: number
}
