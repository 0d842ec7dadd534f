import { words } from './word.ts'

/** Changes whenever the same text gives other terms. Terms of two versions cannot be compared. */
export const analyserVersion = 1

/** What a text is found by. */
export interface Analysis {
  /** Each term once. Its first character tells its kind, the rest is the evidence itself. */
  readonly terms: readonly string[]
  /** How often each of them stands in the text. */
  readonly counts: readonly number[]
  /** Length of the text in words; evidence below the word adds nothing to it. */
  readonly length: number
}

/** The terms of a text. */
export function analyse(text: string): Analysis {
  const found = new Map<string, number>()
  let length = 0
  for (const { start, end } of words(text)) {
    const term = `w${text.slice(start, end).toLowerCase()}`
    found.set(term, (found.get(term) ?? 0) + 1)
    length++
  }
  return { terms: [...found.keys()], counts: [...found.values()], length }
}
