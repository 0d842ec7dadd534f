import { analyse } from './analyse.ts'

/** The terms of a query and what each weighs. */
export function analyseQuery(text: string): { readonly term: string; readonly weight: number }[] {
  return analyse(text).terms.map((term) => ({ term, weight: 1 }))
}
