import type { NominatedChild, Nominations } from '../store/store.ts'
import { type LegScores, nominationWeights } from './configuration.ts'
import { fuse } from './fuse.ts'

/**
 * Chooses the children that are worth fetching. One that the vector leg did not return counts there as the last that it did: it is no
 * better, and probably little worse.
 */
export function firstStage(
  { children, lastCosine }: Pick<Nominations, 'children' | 'lastCosine'>,
  kept: number,
  wordsOf: (child: NominatedChild) => LegScores,
): readonly NominatedChild[] {
  return children
    .map((child) => {
      const vector = child.cosine ?? lastCosine
      return { child, score: fuse({ ...wordsOf(child), ...(vector === undefined ? {} : { vector }) }, nominationWeights) }
    })
    .sort((left, right) => right.score - left.score || left.child.key - right.child.key)
    .slice(0, kept)
    .map(({ child }) => child)
}
