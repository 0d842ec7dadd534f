import { abbreviationClass, abbreviations, hashBackward, longestAbbreviation, mayBeAbbreviation } from './abbreviation.ts'
import { characterKind, isKind } from './character-kind.ts'
import { letterCase, letterCaseOf } from './letter-case.ts'
import { isStarter, wordStart } from './sentence-start.ts'

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

// The patterns below see at most the code units in reach, before a word or from the next word on.

const numberBefore = /\d\s$/
const numberWithDotBefore = /\d\.\s$/

/** "4. 17." or "4. 오전" after a year. */
const monthOfDate = /^\d{1,2}\.\s[^a-z]/i

/** Before a letter that stands for a quantity or a unit: "Gbit/s", "a × b = c". */
const operatorBefore = /\/$|[=+×·<>≤≥−∈] $/

/** Single letters before the last part of an abbreviation written with spaces: "z. B.", "и т. д.", "i. d. R.". */
const lettersBefore = /(?:^|[\s("'])((?:[^\s\d.]\.\s){1,3})$/

/** What may follow "No." or "Fig." in place of a number. */
const reference = /^(?:[A-HJ-Z]|[IVXLC]{2,6}|[ivxlc]{2,6})(?![\p{L}\d])/u

const romanNumeral = /^(?:[ivxlc]{1,6}|[IVXLC]{1,6})$/

const timeOfDay = /^[ap]\.?m$/i

/** "5 p.m. Friday", "5 p.m. EST". */
const goesOnAfterTime = /^(?:[A-Z]{2,4}(?![a-z])|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)/

/** "At 5 p.m. Mr. Hale": an adverbial that begins a sentence cannot be all of it. */
const timeBeginsSentence = /\b(?:At|By|Around|About|From|Since|Until|Before|After|On) [\d:]+\s?$/

/** German articles and prepositions: in "am 3. Mai" the dot belongs to the number. "I am 30." is English. */
const ordinalBefore = /(?<!\bI )\b(?:am|der|die|das|dem|den|des|im|vom|zum|zur|beim|jede[nr]?|diese[rm]|ihre?|seine?|unser)\s$/i

const germanMonth = /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u

/** Turkish writes ordinals with a dot and puts them before capitals: "II. Dünya Savaşı". Its letters give it away. */
const turkish = /[ğĞşŞıİ]/

/**
 * Whether a full stop ends a sentence, given that what follows could begin one; otherwise it belongs to the word before it:
 * an abbreviation, an initial, an ordinal, the number of a list item.
 */
export function periodEndsSentence(around: Surroundings): boolean {
  const { text, from, to, dot, next, isLowerCase } = around
  let start = dot
  let dots = 0
  let hyphen = 0
  let hash = 0
  const far = Math.max(from, dot - longestAbbreviation - 1)
  // An apostrophe begins a new word: "l'avv." A word that is longer than all abbreviations need not be read to its start.
  for (; start > far || (start > from && (dots > 0 || hyphen > 0)); start--) {
    const code = text.charCodeAt(start - 1)
    if (!isKind(code, characterKind.word)) {
      if (code === 0x2e) dots++
      else if (code === 0x2d) hyphen = hyphen === 0 ? start - 1 : hyphen
      else if (code !== 0xb0) break
    }
    hash = hashBackward(hash, code)
  }
  const length = dot - start
  if (length === 0) return true
  const last = text.charCodeAt(dot - 1)
  // Thai has the full stop in abbreviations only.
  if (last >= 0x0e01 && last <= 0x0e7f) return false
  if (isLowerCase && (length < 3 || dots > 0)) return false
  if (isDigit(last)) {
    if (isLowerCase) return length > 3
    return length > 4 || !isNumber(text, start, dot) || numberEndsSentence(around, start)
  }
  // Syllables and ideographs are whole words, letters are not.
  if (length === 1) return last >= 0x1100 || letterEndsSentence(around, start)
  const found = (mayBeAbbreviation(hash) ? classOf(around, start) : undefined) ?? classWithLettersBefore(around, start)
  if (found !== undefined) return abbreviationEndsSentence(around, start, found)
  if (hyphen > start) return partEndsSentence(around, hyphen + 1)
  if (dots > 0) return !isLettersWithDots(text, start, dot) || abbreviationEndsSentence(around, start, abbreviationClass.either)
  // German street names: "Goethestr. 12".
  if (length > longestAbbreviation) return !text.startsWith('str', dot - 3) || !isDigit(text.charCodeAt(next))
  if (length > 6 || !romanNumeral.test(text.slice(start, dot))) return true
  return !isItemNumber(around, start) && (!turkish.test(text.slice(from, to)) || isStarter(text, next, to))
}

/** The last part of a hyphenated word: "J.-P.", "Dipl.-Ing."; a small letter there is a clitic, not an initial. */
function partEndsSentence(around: Surroundings, start: number): boolean {
  if (around.dot - start === 1)
    return letterCaseOf(around.text.charCodeAt(start)) !== letterCase.upper || letterEndsSentence(around, start)
  const found = classOf(around, start)
  return found === undefined || abbreviationEndsSentence(around, start, found)
}

function abbreviationEndsSentence(around: Surroundings, start: number, found: number): boolean {
  const { text, from, to, dot, next, isLowerCase } = around
  if (found === abbreviationClass.open || isLowerCase) return false
  if (found === abbreviationClass.final) {
    if (!timeOfDay.test(text.slice(start, dot))) return true
    return !goesOnAfterTime.test(text.slice(next, to)) && !timeBeginsSentence.test(text.slice(from, start))
  }
  if (isDigit(text.charCodeAt(next))) return false
  if (found === abbreviationClass.numbered) return !reference.test(text.slice(next, to))
  if (isStarter(text, next, to)) return true
  // A unit or a year may end a sentence: "6 ft. Nobody", but "14 St. Anne's Road".
  return letterCaseOf(text.charCodeAt(start)) === letterCase.lower && numberBefore.test(text.slice(from, start))
}

/** A single letter: an initial, a unit, an item's letter, one part of "z. B.". */
function letterEndsSentence(around: Surroundings, start: number): boolean {
  const { text, from, to, next } = around
  const before = text.slice(from, start)
  if (operatorBefore.test(before)) return true
  const found = classWithLettersBefore(around, start) ?? classOf(around, start)
  if (found !== undefined) return abbreviationEndsSentence(around, start, found)
  const after = text.slice(next, to)
  // "p. 5", "J. R. Vane", "750 n. Chr."
  if (/^(?:\d|[^\s]\.)/.test(after) || abbreviations.has(`${text.charAt(start)}.${after.slice(0, 3)}`.toLowerCase())) return false
  if (isItemNumber(around, start)) return false
  return isStarter(text, next, to) || (letterCaseOf(text.charCodeAt(start)) === letterCase.lower && numberBefore.test(before))
}

function numberEndsSentence(around: Surroundings, start: number): boolean {
  const { text, from, to, dot, next } = around
  const length = dot - start
  const size = letterCaseOf(text.charCodeAt(next))
  // "2023. 4. 17. 오전": a date goes on.
  if (size === letterCase.none) {
    if (length === 4 ? monthOfDate.test(text.slice(next, to)) : length < 3 && numberWithDotBefore.test(text.slice(from, start)))
      return false
  }
  if (length < 4 && isItemNumber(around, start)) return false
  if (length > 2 || size !== letterCase.upper || isStarter(text, next, to)) return true
  const before = text.slice(from, start)
  const after = text.slice(next, to)
  // "(5. Rang in Polen)": brackets that hold a number alone hold no full stop.
  return !before.endsWith('(') && !germanMonth.test(after) && !ordinalBefore.test(before) && !turkish.test(before + after)
}

/**
 * Whether a number or letter at `start` opens a line or a sentence, so that a dot after it makes it an item's number.
 *
 * A sentence is taken to have ended before it when the mark there follows a whole word that is no abbreviation.
 */
function isItemNumber({ text, from }: Surroundings, start: number): boolean {
  let at = start
  while (at > from && ' \t(*-•⁃'.includes(text.charAt(at - 1))) {
    at--
    if (text.charCodeAt(at) > 0x7f) return true
  }
  if (at === 0) return true
  const code = at > from ? text.charCodeAt(at - 1) : 0
  if (code === 0x0a || code === 0x0d) return true
  if (at === start || !isKind(code, characterKind.stop)) return false
  if (code !== 0x2e) return true
  const form = text.slice(wordStart(text, at - 1, from), at - 1)
  return form.length > 1 && !abbreviations.has(form) && !abbreviations.has(form.toLowerCase())
}

function classOf({ text, to, dot, next }: Surroundings, start: number): number | undefined {
  if (dot - start > longestAbbreviation) return undefined
  const form = text.slice(start, dot)
  const found = abbreviations.get(form)
  if (found !== undefined || letterCaseOf(text.charCodeAt(start)) === letterCase.lower) return found
  // Among small letters "DNA." and "BS." are no abbreviations with a dot; "NO. 5" and "DR. HALE" are.
  const isUpper = (index: number): boolean => letterCaseOf(text.charCodeAt(index)) === letterCase.upper
  if (form.length > 1 && isUpper(start + 1) && !isDigit(text.charCodeAt(next)) && !(next + 1 < to && isUpper(next + 1)))
    return undefined
  return abbreviations.get(form.toLowerCase())
}

/** The class of an abbreviation written with spaces, of which the last part begins at `start`. */
function classWithLettersBefore({ text, from, dot }: Surroundings, start: number): number | undefined {
  if (dot - start > 3 || start - 3 < from || text.charCodeAt(start - 2) !== 0x2e) return undefined
  const letters = lettersBefore.exec(text.slice(from, start))?.[1]?.replace(/\s/g, '') ?? ''
  for (let skip = 0; skip < letters.length; skip += 2) {
    const form = letters.slice(skip) + text.slice(start, dot)
    const found = abbreviations.get(form) ?? abbreviations.get(form.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

/** "U.S", "S.p.A": letters that stand alone between dots, unlike "example.com". */
function isLettersWithDots(text: string, start: number, end: number): boolean {
  return /^(?:[^\d.]\.)+[^\d.]$/.test(text.slice(start, end))
}

function isNumber(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (!isDigit(text.charCodeAt(index))) return false
  return true
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
