import type { ChildRecord } from '../store/store.ts'
import type { Place } from '../text/place.ts'
import type { Span } from '../text/span.ts'
import type { Leg, LegScores } from './configuration.ts'

/** A child that was found, as far as a passage is made of it. */
export interface HitChild extends Span {
  readonly id: string
  /** Its place among the children of its document. */
  readonly index: number
  readonly score: number
}

/** Where the same text stands besides. */
export interface TwinPlace extends Span {
  readonly workspace: string
  readonly document: string
  readonly child: string
}

/**
 * A passage that was found, with everything that it was ranked by. Plain data.
 *
 * It is the child that speaks most for it, or what stands around that child, as `expand` says. Scores, ranks, outline and note are those
 * of that child.
 */
export interface Hit
  extends Span,
    Pick<ChildRecord, 'id' | 'kind' | 'workspace' | 'document' | 'parent' | 'section' | 'index' | 'outline' | 'header' | 'note'> {
  /** The passage to read: exactly what stands from `start` to `end` of the document. Nothing of it is in another hit of the same document. */
  readonly text: string
  /** Its best child, the one that `id` names; where nothing was expanded, the passage itself. */
  readonly child: Span & { readonly text: string }
  /** The children that were found in the passage, the best first. */
  readonly children: readonly HitChild[]
  /** What of the passage matched words of the query: spans of the document, in order. */
  readonly matches: readonly Span[]
  /** Whether it holds the phrases of the query literally. Such hits come first. */
  readonly exact: boolean
  /** How much speaks for it, from about 0 to 1: the mean of `scores` by weight. The same in any company and in every store. */
  readonly score: number
  /** How likely it holds what was asked for, from 0 to 1: `score`, calibrated. Seldom above a half: most questions have one answer and ten hits. */
  readonly relevance: number
  readonly scores: LegScores
  /** Its place in each leg among the children that were scored, from 1; equals share a place. */
  readonly ranks: Readonly<Partial<Record<Leg, number>>>
  /** What the reranker gave for it; there where it was asked about it. */
  readonly reranked?: number
  /** Where the passage begins and ends in the original file: line, page, cell. Left out where `places` was false. */
  readonly place?: Place
  readonly placeEnd?: Place
  /** What it is, for people: `docs/guide.md, lines 12-18 (Guide > Installing)`. */
  readonly citation: string
  /** The same text found elsewhere; told here instead of being hits of their own. */
  readonly alsoAt: readonly TwinPlace[]
  /** There where a budget was given. */
  readonly tokens?: number
}
