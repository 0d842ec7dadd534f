import { foldMarks, foldWord } from './fold-word.ts'
import { numberForms } from './number-forms.ts'
import { termKind } from './term-kind.ts'
import { termNames, termNumber } from './term-table.ts'
import { wordParts } from './word-parts.ts'

/** What a word is found by. */
export interface WordTerms {
  /** Numbers in the table of terms. */
  readonly terms: readonly number[]
  /** The word without the signs that join its parts, and how many parts there are. */
  readonly whole: string
  readonly parts: number
}

const gramLength = 4

/** Texts say the same words again and again: their terms are worked out once. */
const known = new Map<string, WordTerms>()
const mostKnown = 65_536
let knownIn = termNames()

/** The terms of a word as it stands in a text. */
export function wordTerms(word: string): WordTerms {
  if (knownIn !== termNames()) {
    known.clear()
    knownIn = termNames()
  }
  const found = known.get(word)
  if (found !== undefined) return found
  const terms = findTerms(word)
  if (known.size >= mostKnown) known.clear()
  known.set(copyOf(word), terms)
  return terms
}

/** Slices that are longer would keep the whole text that they were cut from in memory. */
function copyOf(word: string): string {
  return word.length < 13 ? word : ` ${word}`.slice(1)
}

function findTerms(word: string): WordTerms {
  const parts = wordParts(word).map(foldWord)
  const terms = parts.flatMap((part) =>
    isDigit(part.charCodeAt(0)) ? numberForms(part).map((form) => termKind.word + form) : [termKind.word + part, ...grams(part)],
  )
  const whole = parts.length === 1 ? (parts[0] as string) : parts.join('')
  return { terms: terms.map(termNumber), whole: copyOf(whole), parts: parts.length }
}

/** Grams see the edges of a word as letters of their own. */
function grams(word: string): string[] {
  const edged = `_${foldMarks(word)}_`
  if (edged.length <= gramLength) return [termKind.gram + edged]
  return Array.from({ length: edged.length - gramLength + 1 }, (_, at) => termKind.gram + edged.slice(at, at + gramLength))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
