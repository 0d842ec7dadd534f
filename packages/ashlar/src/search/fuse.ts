import type { Leg, LegScores, LegWeights } from './configuration.ts'

/** The mean of the scores that are there, by weight; 0 when there is none. */
export function fuse(scores: Partial<LegScores>, weights: LegWeights): number {
  let sum = 0
  let total = 0
  for (const [leg, weight] of legsOf(weights)) {
    const score = scores[leg]
    if (score === undefined) continue
    sum += weight * score
    total += weight
  }
  return total === 0 ? 0 : sum / total
}

const known = new WeakMap<LegWeights, readonly (readonly [Leg, number])[]>()

/** Listed once for each set of weights: there are few, and thousands of children. */
function legsOf(weights: LegWeights): readonly (readonly [Leg, number])[] {
  const legs = known.get(weights) ?? (Object.entries(weights) as [Leg, number][])
  known.set(weights, legs)
  return legs
}
