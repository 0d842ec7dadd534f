import { chineseSpeechVerbs, speechVerbs, starters } from './abbreviation.ts'
import { characterKind, characterKinds } from './character-kind.ts'
import { letterCase, letterCaseOf } from './letter-case.ts'

/** No word of the tables is longer. */
const longestWord = 12

/** The index after the word at `at`: letters, digits and marks only. */
export function wordEnd(text: string, at: number, to: number): number {
  let end = at
  while (end < to && ((characterKinds[text.charCodeAt(end)] as number) & characterKind.word) !== 0) end++
  return end
}

export function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019
}

/** Whether the word at `at` is one that begins sentences and is no name: "He", "The", "C'est". */
export function isStarter(text: string, at: number, to: number): boolean {
  if (letterCaseOf(text.charCodeAt(at)) !== letterCase.upper) return false
  const end = wordEnd(text, at, to)
  if (end - at > longestWord) return false
  const after = end < to ? text.charCodeAt(end) : 0x20
  // "A." is an initial, "All-Star" a name.
  if (after === 0x2e || after === 0x2d) return false
  if (isApostrophe(after) && end - at <= 2) {
    const elided = end + 1 < to && letterCaseOf(text.charCodeAt(end + 1)) === letterCase.lower
    // "L'eau" begins a sentence, "D'Angelo" goes on.
    if (elided) return true
  }
  // "IT" is no pronoun.
  if (end - at > 1 && letterCaseOf(text.charCodeAt(at + 1)) === letterCase.upper) return false
  return starters.has(text.slice(at, end).toLowerCase())
}

/**
 * Whether the words at `at` say who spoke: "Maria asked", "उसने पूछा". After a quotation they belong to its sentence.
 *
 * A pronoun in capitals does not count: after a full stop "She said nothing" is a sentence of its own.
 */
export function isReportingClause(text: string, at: number, to: number): boolean {
  if (isStarter(text, at, to)) return false
  let begin = at
  for (let count = 0; count < 3 && begin < to; count++) {
    const end = wordEnd(text, begin, to)
    if (end === begin) return false
    if (end - begin <= longestWord && speechVerbs.has(text.slice(begin, end))) return true
    if (end === to || text.charCodeAt(end) !== 0x20) return false
    begin = end + 1
  }
  return false
}

/** The same in Chinese: up to six characters, the last of them a verb of speech, then a mark. */
export function isChineseReportingClause(text: string, at: number, to: number): boolean {
  const limit = Math.min(to, at + 7)
  let end = at
  while (end < limit && ((characterKinds[text.charCodeAt(end)] as number) & characterKind.solo) !== 0) end++
  return end > at && end < limit && chineseSpeechVerbs.includes(text.charAt(end - 1))
}
