/** How far a count can be trusted: `exact` is the tokenizer's own number, `estimated` a fitted formula, `approximate` a rule of thumb. */
export type Accuracy = 'exact' | 'estimated' | 'approximate'

/**
 * Measures a text, in whatever unit a limit is given in: characters, words, tokens.
 *
 * Any function with an `id` and an `accuracy` will do. `measure` is an optional fast path.
 */
export interface Counter {
  (text: string): number
  /** Names the unit and its version; part of what makes two cuts comparable. */
  readonly id: string
  readonly accuracy: Accuracy
  /** Opens a text for many measurements at rising positions, so that a whole cut costs about one pass. */
  readonly measure?: (text: string) => Measure
}

/** One text opened for measuring. Calls come with rising `start`, apart from small steps back for overlap. */
export interface Measure {
  /** The furthest `end` (at most the text's length) for which `count(start, end) <= limit`; `start` when nothing fits. */
  reach(start: number, limit: number): number
  /** What the counter gives for `text.slice(start, end)`, to the unit. */
  count(start: number, end: number): number
}
