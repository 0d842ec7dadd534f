import { analyse } from './analyse.ts'
import { termKind } from './term-kind.ts'

/** What a term of each kind weighs in a query. A word has about as many grams as letters, so
 * that together they weigh more than it: what is nearly the word is nearly as good. */
const weights: Readonly<Record<string, number>> = {
  [termKind.word]: 1,
  [termKind.gram]: 0.5,
  [termKind.character]: 0.3,
  [termKind.pair]: 1,
  [termKind.letters]: 0.5,
  [termKind.moreLetters]: 0.5,
}

/** The terms of a query, each once, and what each weighs. */
export function analyseQuery(text: string): { readonly term: string; readonly weight: number }[] {
  return analyse(text).terms.map((term) => ({ term, weight: weights[term.charAt(0)] as number }))
}
