import type { LegScores } from './configuration.ts'

/** The kinds of evidence that a score can be the mean of; each has a scale of its own. */
export type Evidence = 'words' | 'vectors' | 'tokens'

/** Which kind the scores of a hit are of. */
export function evidenceOf({ tokens, vector }: Partial<LegScores>): Evidence {
  if (tokens !== undefined) return 'tokens'
  return vector === undefined ? 'words' : 'vectors'
}

/**
 * The chance that a child holds what the question asks for is 1 / (1 + exp(offset - height * score - lead * z)), where z says by how many
 * standard deviations it is above the mean of all children that were scored for the question. Fitted to the first ten hits of the
 * development parts of the evaluation sets, one question in five without an answer, and rounded; `npm run eval -- relevance` prints how far it
 * holds elsewhere. Below `nothing` even the best is not about the question.
 */
const calibration: Readonly<
  Record<Evidence, { readonly height: number; readonly lead: number; readonly offset: number; readonly nothing: number }>
> = {
  tokens: { height: 6.4, lead: 1.05, offset: 8.5, nothing: 0.35 },
  vectors: { height: 6.4, lead: 1.05, offset: 8.5, nothing: 0.25 },
  words: { height: 6.4, lead: 1.05, offset: 8.5, nothing: 0.2 },
}

/** Scores that hardly differ say nothing by their differences. */
const leastDeviation = 0.02

/** How relevant a hit with this score is, from 0 to 1, given the scores of all children that were scored. It rises with the score. */
export function relevanceAmong(scores: readonly number[]): (score: number, evidence: Evidence) => number {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length)
  const deviation = Math.max(Math.sqrt(variance), leastDeviation)
  return (score, evidence) => {
    const { height, lead, offset } = calibration[evidence]
    return 1 / (1 + Math.exp(offset - height * score - (lead * (score - mean)) / deviation))
  }
}

/** The score below which even the best hit says that nothing in the store is about the question. It tells a missing topic, not a missing fact. */
export function nothingBelow(evidence: Evidence): number {
  return calibration[evidence].nothing
}
