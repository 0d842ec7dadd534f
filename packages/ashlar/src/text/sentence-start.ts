import { chineseSpeechVerbs, shortNames, speechVerbs, starters } from './abbreviation.ts'
import { characterKind, isKind } from './character-kind.ts'
import { letterCase, letterCaseOf } from './letter-case.ts'

/** No word of the tables is longer. */
const longestWord = 12

/** The index after the word at `at`: letters, digits and marks only. */
export function wordEnd(text: string, at: number, to: number): number {
  let end = at
  while (end < to && isKind(text.charCodeAt(end), characterKind.word)) end++
  return end
}

/** Where the word before `end` begins. */
export function wordStart(text: string, end: number, from: number): number {
  let start = end
  while (start > from && isKind(text.charCodeAt(start - 1), characterKind.word)) start--
  return start
}

/** Whether the word at `at` has a capital, begins sentences and is no name: "He", "The", "C'est". */
export function isStarter(text: string, at: number, to: number): boolean {
  const first = text.charCodeAt(at)
  if (letterCaseOf(first) !== letterCase.upper) return false
  const end = wordEnd(text, at, Math.min(to, at + longestWord + 1))
  const after = end < to ? text.charAt(end) : ' '
  // "A." is an initial, "All-Star" a name.
  if (after === '.' || after === '-') return false
  const size = end - at
  const isSmall = (index: number): boolean => index < to && letterCaseOf(text.charCodeAt(index)) === letterCase.lower
  // "L'eau" begins a sentence, "D'Angelo" goes on.
  if (size < 3 && (after === "'" || after === '’') && isSmall(end + 1)) return true
  if (size === 1) return first > 0x7f || 'AEIOY'.includes(text.charAt(at))
  // "IT" is no pronoun.
  if (!isSmall(at + 1)) return false
  const form = text.slice(at, end).toLowerCase()
  return size === 2 ? !shortNames.includes(` ${form} `) : starters.has(form)
}

/**
 * Whether the words at `at` say who spoke: "Maria asked", "उसने पूछा". After a quotation they belong to its sentence.
 *
 * A pronoun in capitals does not count: after a full stop "She said nothing" is a sentence of its own.
 */
export function isReportingClause(text: string, at: number, to: number): boolean {
  if (isStarter(text, at, to)) return false
  const words = text.slice(at, to).split(' ', 3)
  return words.some((form) => speechVerbs.has(form.replace(/[.,;:!?۔।]+$/, '')))
}

/** The same in Chinese: up to six characters, the last of them a verb of speech, then a mark. */
export function isChineseReportingClause(text: string, at: number, to: number): boolean {
  const limit = Math.min(to, at + 7)
  let end = at
  while (end < limit && isKind(text.charCodeAt(end), characterKind.solo)) end++
  return end > at && end < limit && chineseSpeechVerbs.includes(text.charAt(end - 1))
}
