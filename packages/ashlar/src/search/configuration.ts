/** How many pieces each leg may nominate, and how many children are scored in full. */
export interface NominationLimits {
  /** Children by vector. */
  readonly vector: number
  /** Children by their own words. */
  readonly child: number
  /** Parents, sections and documents by their words; each nominates all of its children. */
  readonly parent: number
  readonly section: number
  readonly document: number
  /** Children that are left after the first stage. */
  readonly kept: number
}

/**
 * Enough that more finds nothing new. Half of it is as good on the sets that were measured; fewer than 100 kept lose, and so does a
 * search in which parents and sections only score and do not nominate.
 */
export const nominationLimits: NominationLimits = { vector: 100, child: 100, parent: 100, section: 20, document: 20, kept: 150 }

/** Everything that can speak for a child. All of it is absolute: a hit has the same score in any company. */
export interface LegScores {
  /** Cosine of the query's vector and the child's. */
  readonly vector?: number
  /** MaxSim of the child's tokens, of those with one neighbour on each side, and with two; the advantage of length is taken off. */
  readonly tokens?: number
  readonly tokensNear?: number
  readonly tokensAround?: number
  /** BM25 of the child and of what it stands in, as a share of the most that the query could reach. */
  readonly child: number
  readonly parent: number
  readonly section: number
  /** There where documents count. */
  readonly document?: number
  /** How much of the query is said by the document's name and title and by the headings above the child. It only ever adds. */
  readonly context: number
}

export type Leg = keyof LegScores

/** What each leg weighs. A leg that a child has no score of is left out of the mean, with its weight. */
export type LegWeights = Readonly<Partial<Record<Leg, number>>>

/** The first stage, before token states are read. */
export const nominationWeights: LegWeights = { vector: 2, child: 1, parent: 1, section: 1, document: 1 }

/** The second stage. Round numbers: weights that were learnt gained a point on one set and lost it on the next. */
export const evidenceWeights: LegWeights = {
  tokens: 1,
  tokensNear: 1,
  tokensAround: 1,
  section: 1,
  document: 1,
  vector: 0.5,
  child: 0.5,
  parent: 0.5,
}

/**
 * What a child gains if its place alone says all that is asked for. No part of the mean: most places say nothing, and that speaks against
 * nobody.
 */
export const contextGain = 0.1
