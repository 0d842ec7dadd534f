/**
 * A tokenizer that works piece by piece: it finds where pieces of a text end and counts the tokens of each.
 *
 * What it says of a piece depends on nothing before it, so two readings of a text agree from the first end they share.
 */
export interface PieceCounter {
  /** The end of the piece that begins at `at`, in a text that stops at `limit`. */
  end(text: string, at: number, limit: number): number
  /** How many pieces before a limit may end elsewhere than they would under a later limit. */
  readonly unsettled: number
  /** Tokens that every text has besides those of its pieces. */
  readonly overhead: number
  /** How many tokens the piece `text[from, to)` has. */
  count(text: string, from: number, to: number): number
  /**
   * Like `count` if that is at most `budget`, else a number over it, for which no more of a long piece is read than needed.
   *
   * In the second case `fitted` is the last index between two code points that at most `budget` tokens reach, and
   * `fittedTokens` is what `count` gives for the piece up to there, or -1 where that is not certain.
   */
  countUpTo(text: string, from: number, to: number, budget: number): number
  readonly fitted: number
  readonly fittedTokens: number
}
