/** Token states side by side: one row of `dimensions` numbers for each token. */
export interface TokenRows {
  /** Each token's number in the model's vocabulary. */
  readonly ids: Uint32Array
  readonly rows: Float32Array
  readonly dimensions: number
}

/** The codes of some tokens that stand in a row: one child's, inside the blob of its window. */
export interface TokenRun {
  readonly bytes: Uint8Array
  /** Index of the first byte of the first code. */
  readonly from: number
  /** How many tokens. */
  readonly count: number
  /** Dimensions of the states that the codes were made from. */
  readonly dimensions: number
}

/** A query opened for scoring. */
export interface TokenScorer {
  /**
   * For each run a row with one number for each token of the query: the cosine of the run's nearest token, as close as the codec
   * tells it. Never below 0, which is also what a run without tokens has.
   */
  best(runs: readonly TokenRun[]): Float32Array
}

/**
 * How a token's state is kept: `signCodec` for models, `idCodec` for static embedders, `floatCodec` for tests.
 *
 * All codes of a codec have the same length, so that a child's tokens are found by counting.
 */
export interface TokenCodec {
  /** Names the codec and its version; part of the identity of what is kept. */
  readonly id: string
  /** Bytes of one token. */
  size(dimensions: number): number
  /** The codes of the tokens with these indices, one after the other. Rows have any length but 0. */
  encode(tokens: TokenRows, which: Uint32Array): Uint8Array
  scorer(query: TokenRows): TokenScorer
}
