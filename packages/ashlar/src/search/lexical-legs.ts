import type { LexicalScores, Nominations, QueryTerm } from '../store/store.ts'
import { pieceWeight } from '../vector/late-query.ts'
import type { LegScores } from './configuration.ts'

/** What a term's count can raise its weight to at most: BM25's k1 + 1. */
const mostByCount = 2.2

/** The legs that look at words. */
export type WordScores = Pick<LegScores, 'child' | 'parent' | 'section' | 'document'>

/** Turns BM25 into shares of the most that any text could reach with these terms: all of them, however often each. */
export function lexicalLegs(
  terms: readonly QueryTerm[],
  { count, frequencies }: Pick<Nominations, 'count' | 'frequencies'>,
  documents: boolean,
): (scored: { readonly lexical: LexicalScores }) => WordScores {
  const most = terms.reduce(
    (sum, { term, weight }) => sum + weight * mostByCount * pieceWeight(frequencies.get(term) ?? 0, count),
    0,
  )
  const share = (score: number): number => (most === 0 ? 0 : score / most)
  return ({ lexical: { child, parent, section, document } }) => ({
    child: share(child),
    parent: share(parent),
    section: share(section),
    ...(documents ? { document: share(document) } : {}),
  })
}
