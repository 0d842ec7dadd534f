import type { NominatedChild, Nominations } from '../store/store.ts'
import { type LegScores, type NominationLimits, nominationWeights } from './configuration.ts'
import { fuse } from './fuse.ts'
import type { WordScores } from './lexical-legs.ts'

const wordLegs = ['child', 'parent', 'section', 'document'] as const

/**
 * Chooses the children that are worth fetching.
 *
 * In each leg a child counts as no less than the last that the leg returned. Of the vectors of children that only words nominated nothing
 * else is known; and where those get that much, a child that only its vector nominated must get it for its words, or it is crowded out:
 * five points on Chroma.
 */
export function firstStage(
  nominations: Pick<Nominations, 'children' | 'lastCosine'>,
  limits: NominationLimits,
  wordsOf: (child: NominatedChild) => WordScores,
): readonly NominatedChild[] {
  return rankFirst(nominations, limits, wordsOf).slice(0, limits.kept)
}

/** All nominated children in the order in which {@link firstStage} keeps them. */
export function rankFirst(
  { children, lastCosine }: Pick<Nominations, 'children' | 'lastCosine'>,
  limits: NominationLimits,
  wordsOf: (child: NominatedChild) => WordScores,
): readonly NominatedChild[] {
  const words = children.map(wordsOf)
  const last = wordLegs.map((leg) => lastReturned(leg, children, words, limits[leg]))
  const score = (child: NominatedChild, at: number): number => {
    const scores: Partial<Record<keyof LegScores, number>> = {}
    const vector = child.cosine ?? lastCosine
    if (vector !== undefined) scores.vector = vector
    for (const [i, leg] of wordLegs.entries()) {
      const own = words[at]?.[leg]
      if (own !== undefined) scores[leg] = Math.max(own, last[i] as number)
    }
    return fuse(scores, nominationWeights)
  }
  return children
    .map((child, at) => ({ child, score: score(child, at) }))
    .sort((left, right) => right.score - left.score || left.child.key - right.child.key)
    .map(({ child }) => child)
}

/** The lowest score that a leg returned when it returned as many pieces as it may, else 0. The best of a leg are all among the children. */
function lastReturned(
  leg: (typeof wordLegs)[number],
  children: readonly NominatedChild[],
  words: readonly WordScores[],
  limit: number,
): number {
  const scores = new Map<number, number>()
  for (const [at, child] of children.entries()) scores.set(leg === 'child' ? child.key : child[leg], words[at]?.[leg] ?? 0)
  const rising = Float64Array.from(scores.values()).sort()
  return rising[rising.length - limit] ?? 0
}
