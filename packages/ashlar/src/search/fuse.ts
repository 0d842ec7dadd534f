import type { Leg, LegScores, LegWeights } from './configuration.ts'

/** The mean of the scores that are there, by weight; 0 when there is none. */
export function fuse(scores: Partial<LegScores>, weights: LegWeights): number {
  let sum = 0
  let total = 0
  for (const [leg, weight] of Object.entries(weights) as [Leg, number][]) {
    const score = scores[leg]
    if (score === undefined) continue
    sum += weight * score
    total += weight
  }
  return total === 0 ? 0 : sum / total
}
