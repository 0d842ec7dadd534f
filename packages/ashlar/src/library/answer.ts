import type { Usage } from '../model/usage.ts'

/** A passage that an answer leans on. */
export interface AnswerCitation<Passage> {
  /** As it stands in the answer: `[1]`. */
  readonly number: number
  readonly hit: Passage
}

/** What a model made of the evidence. */
export interface Answer<Passage> {
  /** Empty where the evidence does not answer the question. */
  readonly text: string
  /** Whether the evidence is missing: nothing was found, or the model says that what was found does not answer. */
  readonly missing: boolean
  /** Why, where it is missing: no passage was found at all, none was likely to be about the question, or the model said so. */
  readonly reason?: 'nothing found' | 'nothing relevant' | 'not answered'
  /** The passages that the answer names, in the order of their first mention. */
  readonly citations: readonly AnswerCitation<Passage>[]
  /** Numbers in the answer that no passage has: made up. */
  readonly unknown: readonly number[]
  /** What the model was shown. */
  readonly hits: readonly Passage[]
  /** Whether the model stopped at its limit of tokens. */
  readonly cutOff: boolean
  readonly usage: Usage
}
