import { namesWithMark, thaiParticles, urduLetters } from './abbreviation.ts'
import { characterKind, characterKinds, isKind } from './character-kind.ts'
import { letterCase, letterCaseOf } from './letter-case.ts'
import { periodEndsSentence } from './period.ts'
import { countDots, detachedEnd, holdsQuote, isInsideRun, runEnd, runStart } from './sentence-run.ts'
import { isChineseReportingClause, isReportingClause, isStarter, wordEnd, wordStart } from './sentence-start.ts'
import type { Span } from './span.ts'
import { skipWhiteSpace } from './white-space.ts'

const { space, terminator, stop, hard, closer, opener, word, solo } = characterKind

/** How many code units are looked at before and after a mark. It is what makes a whole text linear. */
const reach = 64

/** How far around a mark a capital shows that the text is written with capitals. */
const nearby = 20

/** How many marks and closing signs may stand together. */
const reachOfRun = 16

/** The first signs of a list item's line: "- ", "• ", "3. ", "(a) ", "iv. ". A capital with a dot is more often a name. */
const itemStart = /^(?:[-*+•◦▪‣][ \t]|⁃|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{2,6})\)[ \t]|(?:\d{1,3}|[a-z]|[ivx]{2,6})\.[ \t])/

/** Capitals that nearly every text with capitals holds. */
const capital = /[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]/

/** What closes a verse after its mark: १ ॥ */
const verseNumber = /^[\d०-९০-৯]{1,3}\s?[।॥]/

/** Two Urdu names of Latin letters in a row. */
const urduInitials = /* @__PURE__ */ new RegExp(`(?:^|\\s)(?:${urduLetters})۔\\s?(?:${urduLetters})۔`)

/** Whether a code unit can end a sentence, so that it is worth asking {@link sentenceEndAt}. */
export function isTerminator(code: number): boolean {
  return isKind(code, terminator)
}

/**
 * Where the next sentence starts if a sentence ends with the mark at `at`, otherwise -1.
 *
 * Further marks, closing quotes and brackets, and the white space after them belong to the sentence that ends. Knows no
 * language: abbreviations of many are looked up in one table, and what follows decides where they are ambiguous. Never
 * looks further than 64 code units to either side, nor returns an index beyond that: a gap of more white space separates.
 *
 * @example
 * const text = 'Dr. Hale left at 5 p.m. Nobody saw him.'
 * console.log(sentenceEndAt(text, 2), sentenceEndAt(text, 22)) // => -1 24
 */
export function sentenceEndAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const kind = characterKinds[code] as number
  if ((kind & terminator) === 0) return -1
  const from = Math.max(0, at - reach)
  const to = Math.min(text.length, at + reach)
  if ((kind & hard) === 0 && at + 2 < to && at > from) {
    const after = text.charCodeAt(at + 1)
    // Nearly all marks inside words and numbers: 3.14, example.com, index.html?page=2
    if (isSmallLetterOrDigit(after)) return -1
    // Nearly all others: a letter, one full stop, one space, a letter. The long way comes to the same.
    if (code === 0x2e && after === 0x20 && isLetterOrDigit(text.charCodeAt(at - 1))) {
      const letter = text.charCodeAt(at + 2)
      if (isCapital(letter)) {
        return periodEndsSentence({ text, from, to, dot: at, next: at + 2, isLowerCase: false }) ? at + 2 : -1
      }
      if (isCapital(letter & ~0x20) && at + 3 < to && isSmallLetterOrSpace(text.charCodeAt(at + 3))) {
        const around = { text, from, to, dot: at, next: at + 2, isLowerCase: true }
        return periodEndsSentence(around) && isWithoutCapitals(text, at, from, to) ? at + 2 : -1
      }
    }
  }
  if ((kind & stop) === 0 && !endsInItsScript(text, at, from, to)) return -1

  // Inside "....." nothing is decided: its first and its last mark know all that it would.
  if (isInsideRun(text, at, from, to)) return -1
  const first = runStart(text, at, Math.max(from, at - reachOfRun))
  const limit = Math.min(to, at + reachOfRun)
  let end = runEnd(text, at, limit)
  if (end === limit) return end === text.length ? end : -1
  let isHard = false
  for (let index = first; index < end; index++) isHard ||= isKind(text.charCodeAt(index), hard)
  if (!isKind(text.charCodeAt(end), space)) {
    return (isHard ? endsBeforeText(text, first, end, to) : endsWithoutSpace(text, first, end, from, to)) ? end : -1
  }
  for (;;) {
    const next = skipWhiteSpace(text, end, to)
    if (next === to) return to
    const breaks = countLineBreaks(text, end, next)
    if (breaks > 1 || (breaks === 1 && startsItem(text, next, to))) return next
    const tail = breaks === 0 ? detachedEnd(text, next, to) : next
    if (tail === next) return endsBefore({ text, from, to, first, end, next }, isHard) ? next : -1
    end = tail
    if (end === to) return to === text.length ? to : -1
  }
}

/**
 * The sentences of a text, in order and without gaps: white space after a sentence belongs to it.
 *
 * A blank line ends a sentence, and so does the start of a list item's line. Built on {@link sentenceEndAt}; in Thai, which
 * writes no mark, only its closing particles and such lines separate.
 *
 * @example
 * const text = 'It rained. Dr. Hale stayed in.'
 * for (const { start, end } of sentences(text)) console.log(text.slice(start, end).trim())
 * // => It rained.
 * // => Dr. Hale stayed in.
 */
export function* sentences(text: string): Generator<Span> {
  const length = text.length
  let start = 0
  let at = skipWhiteSpace(text, 0, length)
  while (at < length) {
    const code = text.charCodeAt(at)
    let next = -1
    if (isKind(code, terminator)) next = sentenceEndAt(text, at)
    else if (code === 0x0a || code === 0x0d) {
      const line = skipWhiteSpace(text, at, length)
      if (line === length || countLineBreaks(text, at, line) > 1 || startsItem(text, line, length)) next = line
      else at = line - 1
    }
    if (next === -1) at++
    else {
      at = skipWhiteSpace(text, next, length)
      yield { start, end: at }
      start = at
    }
  }
  if (start < length) yield { start, end: length }
}

/** A run of marks `[first, end)` and what follows it at `next`; `text` may be read from `from` up to `to`. */
interface Run {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly first: number
  readonly end: number
  readonly next: number
}

/** Greek asks with a semicolon, Armenian may stop with a colon, Thai closes with a particle and a space. */
function endsInItsScript(text: string, at: number, from: number, to: number): boolean {
  const code = text.charCodeAt(at)
  if (code > 0x7f) {
    if (at + 1 < to && !isKind(text.charCodeAt(at + 1), space)) return false
    const before = text.slice(Math.max(from, at - 4), at + 1)
    return thaiParticles.some((particle) => before.endsWith(particle))
  }
  let before = at - 1
  while (before > from && isKind(text.charCodeAt(before), closer)) before--
  if (before < from) return false
  const letter = text.charCodeAt(before)
  if (code === 0x3b) return (letter >= 0x370 && letter < 0x400) || (letter >= 0x1f00 && letter < 0x2000)
  return letter >= 0x531 && letter < 0x588
}

/** Whether a run ends a sentence, white space following. */
function endsBefore(run: Run, isHard: boolean): boolean {
  const { text, from, to, first, end, next } = run
  // Later marks decide, but an ellipsis may begin a sentence: "He left. …Then"
  if (isKind(text.charCodeAt(next), stop)) {
    const begin = runEnd(text, next, Math.min(to, next + reachOfRun))
    return begin < to && countDots(text, next, begin) > 1 && isKind(text.charCodeAt(begin), word)
  }
  const begin = isHard ? next : skipOpeners(text, next, to)
  if (begin === to) return true
  const letter = text.charCodeAt(begin)
  const isWord = isKind(letter, word)
  if (isWord ? holdsQuote(text, first, end) && isReportingClause(text, begin, to) : isContinuation(letter)) return false
  if (isHard) return endsHard(run)
  const mark = text.charCodeAt(first)
  const size = letterCaseOf(letter)
  const isLowerCase = size === letterCase.lower && !beginsInLowerCase(text, begin, to)
  if (isLowerCase && (begin > next || end > first + 1 || mark !== 0x2e || !isWithoutCapitals(text, first, from, to))) return false
  const dots = countDots(text, first, end)
  if (dots === 1) return !isWord || periodEndsSentence({ text, from, to, dot: first, next: begin, isLowerCase })
  // "[...]" and "(?)" are remarks on the text, not the end of it.
  const before = first > from ? text.charAt(first - 1) : ' '
  if (before === '(' || before === '[') return false
  if (dots === 0)
    return mark !== 0x21 || !namesWithMark.has(text.slice(wordStart(text, first, from), first)) || isStarter(text, begin, to)
  // Rows of dots lead the eye to a page number.
  if (dots > 3) return dots < 9 || !isDigit(letter)
  if (size === letterCase.none && isWord && !isDigit(letter)) return false
  // "I" is a capital everywhere and proves nothing: "the thing is . . . I never said so".
  return !(letter === 0x49 && before === ' ' && wordEnd(text, begin, to) === begin + 1)
}

/** A mark that needs no white space after it ends a sentence, but for Urdu initials and the numbers of verses. */
function endsHard({ text, from, to, first, next }: Run): boolean {
  const mark = text.charAt(first)
  if (mark === '।' || mark === '॥') return !verseNumber.test(text.slice(next, Math.min(to, next + 5)))
  return mark !== '۔' || !urduInitials.test(text.slice(Math.max(from, first - 13), Math.min(to, next + 7)))
}

/** The same where text follows at once; Japanese and Chinese go on after a quotation. */
function endsBeforeText(text: string, first: number, end: number, to: number): boolean {
  if (isContinuation(text.charCodeAt(end))) return false
  if (!isKind(text.charCodeAt(end - 1), closer)) return true
  return (
    !'とっのはがをにへ'.includes(text.charAt(end)) && !(holdsQuote(text, first, end) && isChineseReportingClause(text, end, to))
  )
}

/** Without white space ASCII marks end a sentence between ideographs, or between a small word and a typical first word. */
function endsWithoutSpace(text: string, first: number, end: number, from: number, to: number): boolean {
  if (first === from) return false
  const before = text.charCodeAt(first - 1)
  const after = text.charCodeAt(end)
  if (before >= 0x2e80 && after >= 0x2e80 && isKind(before, solo) && isKind(after, solo)) {
    return text.charCodeAt(first) < 0x80 && countDots(text, first, end) < 2
  }
  if (end > first + 1 || letterCaseOf(before) !== letterCase.lower || !isStarter(text, end, to)) return false
  const start = wordStart(text, first, from)
  if (first - start < 2 || letterCaseOf(text.charCodeAt(start)) !== letterCase.lower) return false
  const gap = wordEnd(text, end, to)
  return gap < to && isKind(text.charCodeAt(gap), space)
}

/** Moves over opening quotes and brackets, and over the dash of a dialogue. */
function skipOpeners(text: string, at: number, to: number): number {
  let index = at
  let isAfterDash = false
  for (; index < to; index++) {
    const code = text.charCodeAt(index)
    const isDash = code === 0x2d || (code >= 0x2012 && code <= 0x2015)
    if (!isDash && !isKind(code, isAfterDash ? opener | space : opener)) break
    isAfterDash = isDash
  }
  return index
}

/** Whether no capital is near: logs, chats and corpora in small letters, where case tells nothing. */
function isWithoutCapitals(text: string, at: number, from: number, to: number): boolean {
  // A native search costs a third of a loop over the code units.
  return !capital.test(text.slice(Math.max(from, at - nearby), Math.min(to, at + nearby)))
}

/** "iPhone", and Dutch "'s Avonds": a small letter that may begin a sentence. */
function beginsInLowerCase(text: string, at: number, to: number): boolean {
  const isUpper = (index: number): boolean => index < to && letterCaseOf(text.charCodeAt(index)) === letterCase.upper
  if (isUpper(at + 1)) return true
  return "'’".includes(text.charAt(at - 1)) && at + 1 < to && text.charCodeAt(at + 1) === 0x20 && isUpper(at + 2)
}

/** Signs before which no sentence begins: commas and their like, and closing brackets. */
function isContinuation(code: number): boolean {
  return ',;:/&%)]}、，；：،؛'.includes(String.fromCharCode(code))
}

function startsItem(text: string, at: number, to: number): boolean {
  return itemStart.test(text.slice(at, Math.min(to, at + 9)))
}

/** The line breaks in `[start, end)`, up to two: two make a blank line. */
function countLineBreaks(text: string, start: number, end: number): number {
  let breaks = 0
  for (let index = start; index < end && breaks < 2; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || (code === 0x0d && (index + 1 === end || text.charCodeAt(index + 1) !== 0x0a))) breaks++
  }
  return breaks
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

function isSmallLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || isDigit(code)
}

function isLetterOrDigit(code: number): boolean {
  return isCapital(code & ~0x20) || isDigit(code)
}

function isSmallLetterOrSpace(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x20
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
