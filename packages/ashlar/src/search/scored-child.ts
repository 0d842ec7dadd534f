import { compareByCodePoint } from '../store/code-point-order.ts'
import type { ChildRecord, ChildRecords, NominatedChild, Nominations } from '../store/store.ts'
import type { Span } from '../text/span.ts'
import { cosine } from '../vector/cosine.ts'
import { pieceWeight, weighPieces } from '../vector/late-query.ts'
import { contextGain, evidenceWeights, type Leg, type LegScores } from './configuration.ts'
import { contextLeg } from './context-leg.ts'
import { fuse } from './fuse.ts'
import type { WordScores } from './lexical-legs.ts'
import type { Phrase } from './phrases.ts'
import type { ReadQuery } from './read-query.ts'
import { roundToHalf } from './round-to-half.ts'
import { tokenLegs } from './token-legs.ts'

/** A child with all that can be said about it. */
export interface ScoredChild {
  readonly record: ChildRecord
  /** Its own part, without what it repeats of the child before. */
  readonly own: Span & { readonly text: string }
  readonly scores: LegScores
  readonly score: number
  /** How many of the query's phrases it holds, or has a part of. */
  readonly phrases: number
  /** What it is ordered by among those with as many phrases: the score, what its company adds, what a reranker made of it. */
  readonly order: number
  readonly reranked?: number
}

/** Gives every child all the scores that can be had of it. */
export function scoreChildren(
  records: ChildRecords,
  pool: readonly NominatedChild[],
  { terms, embedded, phrases }: ReadQuery,
  nominations: Pick<Nominations, 'count' | 'frequencies' | 'pieceFrequencies'>,
  wordsOf: (child: NominatedChild) => WordScores,
): ScoredChild[] {
  const { count, pieceFrequencies } = nominations
  const contextOf = contextLeg(terms, nominations)
  const nominated = new Map(pool.map((child) => [child.key, child]))
  const { query, codec } = embedded?.tokens ?? {}
  const weightOf = (id: number): number => pieceWeight(pieceFrequencies.get(id) ?? 0, count)
  const tokens = query && codec ? tokenLegs(records, weighPieces(query, weightOf), codec) : []
  return records.children.map((record, at): ScoredChild => {
    // A vector that points nowhere is like nothing.
    const vector = embedded && record.vector ? { vector: cosine(embedded.vector, roundToHalf(record.vector)) || 0 } : {}
    const words = wordsOf(nominated.get(record.key) as NominatedChild)
    const scores = { ...vector, ...tokens[at], ...words, context: contextOf(record) }
    const score = fuse(scores, evidenceWeights) + contextGain * scores.context
    return { record, own: ownPart(record), scores, score, order: score, phrases: phrasesIn(record, phrases) }
  })
}

function ownPart({ start: withLead, lead, end, parent }: ChildRecord): ScoredChild['own'] {
  const start = withLead + lead
  return { start, end, text: parent.text.slice(start - parent.start, end - parent.start) }
}

/** How many phrases a child has a part in: one may begin in it and end in the next. */
export function phrasesIn({ start, lead, end, parent }: ChildRecord, phrases: readonly Phrase[]): number {
  if (phrases.length === 0) return 0
  const from = start + lead - parent.start
  const to = end - parent.start
  return phrases.filter((phrase) => phrase.find(parent.text).some((found) => found.start < to && found.end > from)).length
}

/** The best first: more phrases, then the higher order, then by document, workspace and place. */
export function byOrder(left: ScoredChild, right: ScoredChild): number {
  if (left.phrases !== right.phrases) return right.phrases - left.phrases
  if (left.order !== right.order) return right.order - left.order
  const [one, other] = [left.record, right.record]
  if (one.document.id !== other.document.id) return compareByCodePoint(one.document.id, other.document.id)
  return compareByCodePoint(one.workspace, other.workspace) || one.index - other.index
}

/** Looks up a child's place in each leg; equals share the first of their places. */
export function rankByLeg(scored: readonly ScoredChild[]): (child: ScoredChild) => Readonly<Partial<Record<Leg, number>>> {
  const legs = [...Object.keys(evidenceWeights), 'context'] as Leg[]
  const falling = legs.map((leg) => {
    const values = scored.map(({ scores }) => scores[leg]).filter((value) => value !== undefined)
    return Float64Array.from(values).sort().reverse()
  })
  return ({ scores }) => {
    const ranks: Partial<Record<Leg, number>> = {}
    for (const [at, leg] of legs.entries()) {
      const own = scores[leg]
      if (own !== undefined) ranks[leg] = (falling[at] as Float64Array).indexOf(own) + 1
    }
    return ranks
  }
}
