import { abbreviationClass, abbreviations, beforeOrdinal, germanMonths, longestAbbreviation, weekdays } from './abbreviation.ts'
import { characterKind, characterKinds } from './character-kind.ts'
import { letterCase, letterCaseOf } from './letter-case.ts'
import { isApostrophe, isStarter, wordEnd } from './sentence-start.ts'

/** What stands around a full stop: `text` may be read from `from` up to `to`, the next word begins at `next`. */
export interface Surroundings {
  readonly text: string
  readonly from: number
  readonly to: number
  /** The full stop. */
  readonly dot: number
  /** The first letter or digit after it, white space and opening signs left out. */
  readonly next: number
  /** Set when a small letter follows, in a text without capitals: then only whole words and long numbers end sentences. */
  readonly isLowerCase: boolean
}

/**
 * Whether a full stop ends a sentence, given that what follows could begin one; otherwise it belongs to the word before it:
 * an abbreviation, an initial, an ordinal, the number of a list item.
 */
export function periodEndsSentence(around: Surroundings): boolean {
  const { text, from, dot, isLowerCase } = around
  let start = dot
  let dots = 0
  for (; start > from; start--) {
    const code = text.charCodeAt(start - 1)
    if (((characterKinds[code] as number) & characterKind.word) !== 0) continue
    if (code === 0x2e) dots++
    else if (!isJoiner(code)) break
  }
  while (start < dot && isJoiner(text.charCodeAt(start))) start++
  const length = dot - start
  if (length === 0) return true
  const last = text.charCodeAt(dot - 1)
  // Thai has the full stop in abbreviations only.
  if (last >= 0x0e01 && last <= 0x0e7f) return false
  if (isLowerCase && (length < 3 || dots > 0)) return false
  if (isDigit(last)) return isLowerCase || length > 4 || !isNumber(text, start, dot) || numberEndsSentence(around, start)
  if (length === 1) return isSyllable(last) || letterEndsSentence(around, start)
  const found = classOf(around, start) ?? classOfChain(text, start, dot, from)
  if (found !== undefined) return abbreviationEndsSentence(around, start, found)
  const part = lastPart(text, start, dot)
  if (part > start) return partEndsSentence(around, part)
  if (dots > 0) return !isLettersWithDots(text, start, dot) || abbreviationEndsSentence(around, start, abbreviationClass.either)
  if (length > longestAbbreviation) return !isStreet(text, dot) || !nextIsDigit(around)
  return !isRomanNumeral(text, start, dot) || !isItemNumber(text, start, from)
}

/** The last part of a hyphenated word: "J.-P.", "Dipl.-Ing.". */
function partEndsSentence(around: Surroundings, start: number): boolean {
  if (around.dot - start === 1) return letterEndsSentence(around, start)
  const found = classOf(around, start)
  return found === undefined || abbreviationEndsSentence(around, start, found)
}

function abbreviationEndsSentence(around: Surroundings, start: number, found: number): boolean {
  const { text, from, to, next } = around
  if (found === abbreviationClass.open || around.isLowerCase) return false
  if (found === abbreviationClass.final) return !isTimeOfDay(text, start) || !goesOnAfterTime(around, start)
  if (nextIsDigit(around)) return false
  if (isStarter(text, next, to)) return true
  if (found === abbreviationClass.numbered) return !isReference(text, next, to)
  // A unit or a year may end a sentence: "6 ft. Nobody", but "14 St. Anne's Road".
  return letterCaseOf(text.charCodeAt(start)) === letterCase.lower && followsNumber(text, start, from)
}

/** A single letter: an initial, a unit, an item's letter, one part of "z. B.". */
function letterEndsSentence(around: Surroundings, start: number): boolean {
  const { text, from, to, dot, next } = around
  const found = classOfChain(text, start, dot, from) ?? classOf(around, start)
  if (found !== undefined) return abbreviationEndsSentence(around, start, found)
  if (nextIsDigit(around) || nextIsInitial(around) || isItemNumber(text, start, from)) return false
  if (isStarter(text, next, to)) return true
  return letterCaseOf(text.charCodeAt(start)) === letterCase.lower && followsNumber(text, start, from)
}

function numberEndsSentence(around: Surroundings, start: number): boolean {
  const { text, from, to, dot, next } = around
  const length = dot - start
  const nextCase = letterCaseOf(text.charCodeAt(next))
  if (nextCase === letterCase.none) {
    // "2023. 4. 17. 오전": a date goes on.
    if (length <= 2 && followsNumberWithDot(text, start, from)) return false
    const end = wordEnd(text, next, to)
    if (length === 4 && end - next <= 2 && isDigit(text.charCodeAt(next)) && end < to && text.charCodeAt(end) === 0x2e) return false
  }
  if (length <= 3 && isItemNumber(text, start, from)) return false
  if (length > 2 || nextCase !== letterCase.upper || isStarter(text, next, to)) return true
  if (germanMonths.has(text.slice(next, wordEnd(text, next, to)))) return false
  const before = wordBefore(text, start, from)
  if (!beforeOrdinal.has(text.slice(before, start - 1).toLowerCase())) return true
  // "I am 30." is English.
  return before - 2 >= from && text.charCodeAt(before - 2) === 0x49 && text.slice(before, start - 1) === 'am'
}

/** "5 p.m. Friday", "5 p.m. EST"; and "At 5 p.m. Mr. Hale", where an adverbial that begins a sentence cannot be all of it. */
function goesOnAfterTime(around: Surroundings, start: number): boolean {
  const { text, from, to, next } = around
  const end = wordEnd(text, next, to)
  const name = text.slice(next, end)
  if (weekdays.has(name.toLowerCase()) || (name.length > 1 && name.length < 5 && name.toUpperCase() === name)) return true
  let at = start
  while (at > from && (isDigit(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 0x3a || isSpace(text.charCodeAt(at - 1)))) at--
  if (at === start || at === from) return false
  const before = wordBefore(text, at + 1, from)
  return letterCaseOf(text.charCodeAt(before)) === letterCase.upper && isStarter(text, before, to)
}

function isTimeOfDay(text: string, start: number): boolean {
  const letter = text.charCodeAt(start) | 0x20
  return (letter === 0x61 || letter === 0x70) && text.charCodeAt(start + 1) === 0x2e && (text.charCodeAt(start + 2) | 0x20) === 0x6d
}

function classOf({ text, to, dot, next }: Surroundings, start: number): number | undefined {
  if (dot - start > longestAbbreviation) return undefined
  const form = text.slice(start, dot)
  const found = abbreviations.get(form)
  if (found !== undefined || letterCaseOf(text.charCodeAt(start)) === letterCase.lower) return found
  const second = text.charCodeAt(start + 1)
  if (dot - start > 1 && letterCaseOf(second) === letterCase.upper && !isDigit(text.charCodeAt(next))) {
    // Among small letters "DNA." and "BS." are no abbreviations with a dot.
    if (next + 1 >= to || letterCaseOf(text.charCodeAt(next + 1)) !== letterCase.upper) return undefined
  }
  return abbreviations.get(form.toLowerCase())
}

/** The class of an abbreviation written with spaces: "z. B.", "и т. д.", "p. ex.". */
function classOfChain(text: string, start: number, end: number, from: number): number | undefined {
  if (end - start > 3) return undefined
  let form = text.slice(start, end)
  let at = start
  let found: number | undefined
  while (at - 3 >= from && isSpace(text.charCodeAt(at - 1)) && text.charCodeAt(at - 2) === 0x2e && form.length < longestAbbreviation) {
    const letter = text.charCodeAt(at - 3)
    if (((characterKinds[letter] as number) & characterKind.word) === 0 || isDigit(letter)) break
    if (at - 4 >= from && ((characterKinds[text.charCodeAt(at - 4)] as number) & characterKind.word) !== 0) break
    form = `${text.charAt(at - 3)}.${form}`
    at -= 3
    found = abbreviations.get(form) ?? abbreviations.get(form.toLowerCase()) ?? found
  }
  return found
}

/** Where the part after the last hyphen begins, `start` when there is none. */
function lastPart(text: string, start: number, end: number): number {
  let part = end
  while (part > start && text.charCodeAt(part - 1) !== 0x2d) part--
  return part
}

/** "U.S", "S.p.A": letters that stand alone between dots, unlike "example.com". */
function isLettersWithDots(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if ((index - start) % 2 === 1 ? code !== 0x2e : isDigit(code) || isJoiner(code) || code === 0x2e) return false
  }
  return (end - start) % 2 === 1
}

/** What may follow "No." or "Fig." in place of a number: "IV", "B". */
function isReference(text: string, next: number, to: number): boolean {
  const end = wordEnd(text, next, to)
  return (end - next === 1 && letterCaseOf(text.charCodeAt(next)) === letterCase.upper) || isRomanNumeral(text, next, end)
}

function isRomanNumeral(text: string, start: number, end: number): boolean {
  if (end - start > 6) return false
  for (let index = start; index < end; index++) if (!'ivxlcIVXLC'.includes(text.charAt(index))) return false
  return true
}

/**
 * Whether a number or letter at `start` opens a line or a sentence, so that a dot after it makes it an item's number.
 *
 * A sentence is taken to have ended before it when the mark there follows a whole word that is no abbreviation.
 */
function isItemNumber(text: string, start: number, from: number): boolean {
  let at = start
  while (at > from && isBeforeItem(text.charCodeAt(at - 1))) at--
  if (at === 0) return true
  if (at === from) return false
  const code = text.charCodeAt(at - 1)
  if (code === 0x0a || code === 0x0d) return true
  if (at === start || ((characterKinds[code] as number) & characterKind.stop) === 0) return false
  if (code !== 0x2e) return true
  let before = at - 1
  while (before > from && ((characterKinds[text.charCodeAt(before - 1)] as number) & characterKind.word) !== 0) before--
  const form = text.slice(before, at - 1)
  return form.length > 1 && !abbreviations.has(form) && !abbreviations.has(form.toLowerCase())
}

function isBeforeItem(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x28 || code === 0x2d || code === 0x2a || code === 0x2022 || code === 0x2043
}

/** Whether white space and a number stand before `start`: "1932 r.", "6 ft.". */
function followsNumber(text: string, start: number, from: number): boolean {
  return start - 2 >= from && isSpace(text.charCodeAt(start - 1)) && isDigit(text.charCodeAt(start - 2))
}

function followsNumberWithDot(text: string, start: number, from: number): boolean {
  return start - 3 >= from && isSpace(text.charCodeAt(start - 1)) && text.charCodeAt(start - 2) === 0x2e && isDigit(text.charCodeAt(start - 3))
}

/** Where the word before the white space before `at` begins. */
function wordBefore(text: string, at: number, from: number): number {
  let before = at - 1
  while (before > from && ((characterKinds[text.charCodeAt(before - 1)] as number) & characterKind.word) !== 0) before--
  return before
}

function nextIsDigit({ text, next }: Surroundings): boolean {
  return isDigit(text.charCodeAt(next))
}

/** Whether a single letter with a dot follows: "a. C.", "J. R. Vane". */
function nextIsInitial({ text, to, next }: Surroundings): boolean {
  return next + 1 < to && text.charCodeAt(next + 1) === 0x2e
}

function isNumber(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (!isDigit(text.charCodeAt(index))) return false
  return true
}

/** German street names: "Goethestr. 12". */
function isStreet(text: string, dot: number): boolean {
  return text.startsWith('str', dot - 3)
}

/** Syllables and ideographs are whole words, letters are not. */
function isSyllable(code: number): boolean {
  return code >= 0x1100
}

function isJoiner(code: number): boolean {
  return code === 0x2d || isApostrophe(code) || code === 0xb0
}

function isSpace(code: number): boolean {
  return ((characterKinds[code] as number) & characterKind.space) !== 0
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
