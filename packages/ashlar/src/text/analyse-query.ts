import { analyse, termKind } from './analyse.ts'

/** What a term of each kind weighs in a query. A word has as many grams as letters: together they weigh about as much as the word. */
const weights: Readonly<Record<string, number>> = { [termKind.word]: 1, [termKind.gram]: 0.3, [termKind.pair]: 1 }

/** The terms of a query, each once, and what each weighs. */
export function analyseQuery(text: string): { readonly term: string; readonly weight: number }[] {
  return analyse(text).terms.map((term) => ({ term, weight: weights[term.charAt(0)] as number }))
}
