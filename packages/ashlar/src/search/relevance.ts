import type { LegScores } from './configuration.ts'

/** The kinds of evidence that a score can be the mean of; each has a scale of its own. */
export type Evidence = 'words' | 'vectors' | 'tokens'

/** Which kind the scores of a hit are of. */
export function evidenceOf({ tokens, vector }: Partial<LegScores>): Evidence {
  if (tokens !== undefined) return 'tokens'
  return vector === undefined ? 'words' : 'vectors'
}

/**
 * The chance that a child holds what the question asks for is 1 / (1 + exp(slope (middle - score))). Fitted to the first ten hits of the
 * development parts of the evaluation sets, one question in five without an answer, and rounded; `npm run eval -- relevance` prints how
 * far it holds elsewhere. Below `nothing` even the best is not about the question.
 */
const calibration: Readonly<Record<Evidence, { readonly slope: number; readonly middle: number; readonly nothing: number }>> = {
  tokens: { slope: 8, middle: 0.74, nothing: 0.35 },
  vectors: { slope: 7.5, middle: 0.62, nothing: 0.2 },
  words: { slope: 7, middle: 0.62, nothing: 0.17 },
}

/** The chance, from 0 to 1, that a hit with this score holds what was asked for. It rises with the score. */
export function relevanceOf(score: number, evidence: Evidence): number {
  const { slope, middle } = calibration[evidence]
  return 1 / (1 + Math.exp(slope * (middle - score)))
}

/** The score below which even the best hit says that nothing in the store is about the question. It tells a missing topic, not a missing fact. */
export function nothingBelow(evidence: Evidence): number {
  return calibration[evidence].nothing
}
