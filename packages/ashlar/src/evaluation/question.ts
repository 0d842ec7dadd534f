import { sha256 } from '../text/sha-256.ts'
import type { DocumentSpan } from './document-span.ts'

/**
 * What a question was made of.
 *
 * - `heading`: the titles above a section; its text answers
 * - `definition`: a sentence that says what something is
 * - `fact`: a sentence with rare words, one of which is left out
 * - `model`: a language model asked, and quoted the answer
 * - `feedback`: somebody searched for it and called a hit helpful
 */
export type QuestionKind = 'heading' | 'definition' | 'fact' | 'model' | 'feedback'

/** A question, and where in the documents its answer stands: offsets of the text, so that it outlives every cut. */
export interface Question {
  /** The same for the same question about the same place. */
  readonly id: string
  readonly text: string
  readonly kind: QuestionKind
  readonly gold: readonly DocumentSpan[]
}

export function question(kind: QuestionKind, text: string, gold: readonly DocumentSpan[]): Question {
  return { id: sha256(JSON.stringify([kind, text, gold]), 64), text, kind, gold }
}
