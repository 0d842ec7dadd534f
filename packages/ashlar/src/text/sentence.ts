import { namesWithMark, thaiParticles, urduLetters } from './abbreviation.ts'
import { characterKind, characterKinds } from './character-kind.ts'
import { letterCase, letterCaseOf } from './letter-case.ts'
import { periodEndsSentence } from './period.ts'
import { isApostrophe, isChineseReportingClause, isReportingClause, isStarter, wordEnd } from './sentence-start.ts'
import type { Span } from './span.ts'

const { space, terminator, stop, hard, closer, opener, word, solo } = characterKind

/** How many code units are looked at before and after a mark. It is what makes a whole text linear. */
const reach = 64

/** Whether a code unit can end a sentence, so that it is worth asking {@link sentenceEndAt}. */
export function isTerminator(code: number): boolean {
  return ((characterKinds[code] as number) & terminator) !== 0
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
  const to = Math.min(text.length, at + reach)
  const from = Math.max(0, at - reach)
  // Nearly all marks inside words and numbers: 3.14, example.com, index.html?page=2
  if ((kind & hard) === 0 && at + 1 < to && isPlainInside(text.charCodeAt(at + 1))) return -1
  if ((kind & stop) === 0 && !endsInItsScript(text, at, code, from, to)) return -1

  const first = runStart(text, at, from)
  let end = runEnd(text, at, to)
  if (end === to) return to === text.length ? to : -1
  const isHard = (kind & hard) !== 0 || (end - first > 1 && holds(text, first, end, hard))
  if (((characterKinds[text.charCodeAt(end)] as number) & space) === 0) {
    return (isHard ? endsBeforeText(text, first, end, to) : endsWithoutSpace(text, first, end, from, to)) ? end : -1
  }

  let next = end
  let breaks = 0
  for (;;) {
    for (; next < to; next++) {
      const gap = text.charCodeAt(next)
      if (((characterKinds[gap] as number) & space) === 0) break
      if (gap === 0x0a || (gap === 0x0d && (next + 1 === to || text.charCodeAt(next + 1) !== 0x0a))) breaks++
    }
    if (next === to) return to
    if (breaks > 0) break
    const tail = detachedEnd(text, next, to)
    if (tail === next) break
    end = next = tail
  }
  if (breaks > 1 || (breaks === 1 && startsItem(text, next, to))) return next
  return endsBefore(text, first, end, next, from, to, isHard) ? next : -1
}

/**
 * The sentences of a text, in order and without gaps: white space after a sentence belongs to it.
 *
 * A blank line ends a sentence, and so does the start of a list item's line. Built on {@link sentenceEndAt}; in Thai, which
 * writes no mark, only its closing particles and such lines separate.
 *
 * @example
 * const text = 'It rained. Dr. Hale stayed in.'
 * console.log([...sentences(text)].map(({ start, end }) => text.slice(start, end))) // => [ 'It rained. ', 'Dr. Hale stayed in.' ]
 */
export function* sentences(text: string): Generator<Span> {
  let start = 0
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const code = text.charCodeAt(at)
    let next = -1
    if (((characterKinds[code] as number) & terminator) !== 0) next = sentenceEndAt(text, at)
    else if (code === 0x0a || code === 0x0d) {
      const line = skipSpace(text, at)
      if (line === text.length || isBlankBetween(text, at, line) || startsItem(text, line, text.length)) next = line
      else at = line - 1
    }
    if (next === -1) at++
    else {
      at = skipSpace(text, next)
      yield { start, end: at }
      start = at
    }
  }
  if (start < text.length) yield { start, end: text.length }
}

/** Letters and digits that never begin a sentence right after a mark. */
function isPlainInside(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** Greek asks with a semicolon, Armenian may stop with a colon, Thai closes with a particle and a space. */
function endsInItsScript(text: string, at: number, code: number, from: number, to: number): boolean {
  if (code > 0x7f) {
    if (at + 1 < to && ((characterKinds[text.charCodeAt(at + 1)] as number) & space) === 0) return false
    for (const particle of thaiParticles) if (at + 1 - particle.length >= from && text.endsWith(particle, at + 1)) return true
    return false
  }
  let before = at - 1
  while (before > from && ((characterKinds[text.charCodeAt(before)] as number) & closer) !== 0) before--
  if (before < from) return false
  const letter = text.charCodeAt(before)
  if (code === 0x3b) return (letter >= 0x370 && letter < 0x400) || (letter >= 0x1f00 && letter < 0x2000)
  return letter >= 0x531 && letter < 0x588
}

/** The first of the marks that stand together with the one at `at`: "?!", ". . ."; closing signs may be among them. */
function runStart(text: string, at: number, from: number): number {
  let first = at
  for (let index = at - 1; index >= from; index--) {
    const code = text.charCodeAt(index)
    const kind = characterKinds[code] as number
    if ((kind & stop) !== 0) first = index
    else if ((kind & closer) === 0 && !(code === 0x20 && index > from && isSpacedDot(text, index))) break
  }
  return first
}

/** The index after the marks and closing signs that follow `at` without white space. */
function runEnd(text: string, at: number, to: number): number {
  let end = at + 1
  for (; end < to; end++) {
    const code = text.charCodeAt(end)
    const kind = characterKinds[code] as number
    if ((kind & stop) !== 0) continue
    if ((kind & closer) !== 0) {
      // “ and « close in some languages and open in others; before a letter they open.
      if ((kind & opener) !== 0 && code > 0x7f && end + 1 < to && isWordOrOpener(text.charCodeAt(end + 1))) break
    } else if (code === 0x5b) {
      const note = footnoteEnd(text, end, to)
      if (note === end) break
      end = note - 1
    } else if (!(code === 0x20 && end + 1 < to && isSpacedDot(text, end))) break
  }
  return end
}

function isSpacedDot(text: string, gap: number): boolean {
  return text.charCodeAt(gap - 1) === 0x2e && text.charCodeAt(gap + 1) === 0x2e
}

/** The index after a footnote sign such as [12], or `at`. */
function footnoteEnd(text: string, at: number, to: number): number {
  let end = at + 1
  while (end < to && end < at + 4 && isDigit(text.charCodeAt(end))) end++
  return end > at + 1 && end < to && text.charCodeAt(end) === 0x5d ? end + 1 : at
}

/** The index after what belongs to the sentence although white space stands before it: French « … », emoji; or `at`. */
function detachedEnd(text: string, at: number, to: number): number {
  const code = text.charCodeAt(at)
  let end = at
  if (((characterKinds[code] as number) & closer) !== 0 && code !== 0x2a && code !== 0x5f && code !== 0x7e) end = at + 1
  else while (end < to && isEmoji(text.charCodeAt(end))) end++
  if (end === at || end === text.length) return end
  return end < to && ((characterKinds[text.charCodeAt(end)] as number) & space) !== 0 ? end : at
}

/** Parts of emoji: their surrogates, signs of the older blocks, joiners and selectors. */
function isEmoji(code: number): boolean {
  return (code >= 0xd83c && code <= 0xd83e) || (code >= 0xdc00 && code <= 0xdfff) || (code >= 0x2600 && code <= 0x27bf) || code === 0xfe0f || code === 0x200d
}

/** Whether the run `[first, end)` ends a sentence when `next`, after white space, is what follows. */
function endsBefore(text: string, first: number, end: number, next: number, from: number, to: number, isHard: boolean): boolean {
  const code = text.charCodeAt(next)
  if (((characterKinds[code] as number) & stop) !== 0) return next + 1 < to && isEllipsisBeforeWord(text, next, to)
  if (isHard) return endsHard(text, first, end, next, from, to)
  const begin = skipOpeners(text, next, to)
  if (begin === to) return true
  const letter = text.charCodeAt(begin)
  if (isContinuation(letter)) return false
  const kind = characterKinds[letter] as number
  const size = letterCaseOf(letter)
  const isLowerCase = size === letterCase.lower && !beginsInLowerCase(text, begin, to)
  if (isLowerCase && (end > first + 1 || text.charCodeAt(first) !== 0x2e || !isWithoutCapitals(text, from, to))) return false
  if (holdsQuote(text, first, end) && isReportingClause(text, begin, to)) return false
  const before = first > from ? text.charCodeAt(first - 1) : 0x20
  const mark = text.charCodeAt(first)
  if (mark === 0x2e && (end === first + 1 || !holdsStop(text, first + 1, end))) {
    return (kind & word) === 0 || periodEndsSentence({ text, from, to, dot: first, next: begin, isLowerCase })
  }
  // "[...]" and "(?)" are remarks on the text, not the end of it.
  if (before === 0x28 || before === 0x5b) return false
  const dots = countDots(text, first, end)
  if (dots === 0) return mark !== 0x21 || !isNameWithMark(text, first, from) || isStarter(text, begin, to)
  if (dots > 3) return true
  if (size === letterCase.none && (kind & word) !== 0 && !isDigit(letter)) return false
  // "I" is a capital everywhere and proves nothing: "the thing is . . . I never said so".
  return !(letter === 0x49 && before === 0x20 && wordEnd(text, begin, to) === begin + 1)
}

/** The run ends a sentence by itself, unless it closes a quotation that the sentence goes on after. */
function endsHard(text: string, first: number, end: number, next: number, from: number, to: number): boolean {
  const mark = text.charCodeAt(first)
  if (holdsQuote(text, first, end) && isReportingClause(text, next, to)) return false
  if (mark === 0x06d4) return !urduLetters.has(text.slice(Math.max(from, wordStart(text, first, from)), first))
  if (mark === 0x0964 || mark === 0x0965) return !isVerseNumber(text, next, to, mark)
  return !isContinuation(text.charCodeAt(next))
}

/** The same where text follows at once: 。 and its like, perhaps with closing quotes. */
function endsBeforeText(text: string, first: number, end: number, to: number): boolean {
  const code = text.charCodeAt(end)
  if (isContinuation(code)) return false
  if (((characterKinds[text.charCodeAt(end - 1)] as number) & closer) === 0) return true
  return !isJapaneseParticle(code) && !(holdsQuote(text, first, end) && isChineseReportingClause(text, end, to))
}

/** Without white space ASCII marks end a sentence between ideographs, or between a small word and a typical first word. */
function endsWithoutSpace(text: string, first: number, end: number, from: number, to: number): boolean {
  if (first === from) return false
  const before = text.charCodeAt(first - 1)
  const after = text.charCodeAt(end)
  if (((characterKinds[before] as number) & (characterKinds[after] as number) & solo) !== 0) {
    return text.charCodeAt(first) < 0x80 && before >= 0x2e80 && after >= 0x2e80
  }
  if (end > first + 1 || letterCaseOf(before) !== letterCase.lower || !isStarter(text, end, to)) return false
  const start = wordStart(text, first, from)
  if (first - start < 2 || letterCaseOf(text.charCodeAt(start)) !== letterCase.lower) return false
  const gap = wordEnd(text, end, to)
  return gap < to && ((characterKinds[text.charCodeAt(gap)] as number) & space) !== 0
}

/** Moves over opening quotes and brackets, and over the dash of a dialogue. */
function skipOpeners(text: string, at: number, to: number): number {
  let index = at
  for (; index < to; index++) {
    const code = text.charCodeAt(index)
    const kind = characterKinds[code] as number
    if ((kind & opener) === 0 && !isDash(code) && !((kind & space) !== 0 && index > at && isDash(text.charCodeAt(index - 1)))) break
  }
  return index
}

/** Whether nothing in sight is a capital: logs, chats and corpora in small letters, where case tells nothing. */
function isWithoutCapitals(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (letterCaseOf(text.charCodeAt(index)) === letterCase.upper) return false
  return true
}

/** "iPhone", and Dutch "'s Avonds": a small letter that may begin a sentence. */
function beginsInLowerCase(text: string, at: number, to: number): boolean {
  if (at + 1 >= to) return false
  if (letterCaseOf(text.charCodeAt(at + 1)) === letterCase.upper) return true
  return (
    isApostrophe(text.charCodeAt(at - 1)) &&
    text.charCodeAt(at + 1) === 0x20 &&
    at + 2 < to &&
    letterCaseOf(text.charCodeAt(at + 2)) === letterCase.upper
  )
}

/** Signs before which no sentence begins: , ; : / & and closing brackets, also in their wide forms. */
function isContinuation(code: number): boolean {
  if (code > 0x7f) return code === 0x3001 || code === 0xff0c || code === 0xff1b || code === 0xff1a || code === 0x060c || code === 0x061b
  return ',;:/&%)]}'.includes(String.fromCharCode(code))
}

/** An ellipsis that belongs to the word after it: "He left. …Then". */
function isEllipsisBeforeWord(text: string, at: number, to: number): boolean {
  let index = at
  while (index < to && ((characterKinds[text.charCodeAt(index)] as number) & stop) !== 0) index++
  return index < to && countDots(text, at, index) > 1 && ((characterKinds[text.charCodeAt(index)] as number) & word) !== 0
}

/** Verses are closed by their number: ॥ १ ॥ */
function isVerseNumber(text: string, at: number, to: number, mark: number): boolean {
  let index = at
  while (index < to && index < at + 4 && isAnyDigit(text.charCodeAt(index))) index++
  if (index === at) return false
  while (index < to && ((characterKinds[text.charCodeAt(index)] as number) & space) !== 0) index++
  return index < to && text.charCodeAt(index) === mark
}

/** Particles that attach a quotation to its sentence: と って の は が を に へ */
function isJapaneseParticle(code: number): boolean {
  return code >= 0x3041 && code < 0x30a0 && 'とっのはがをにへ'.includes(String.fromCharCode(code))
}

function isNameWithMark(text: string, mark: number, from: number): boolean {
  return namesWithMark.has(text.slice(wordStart(text, mark, from), mark))
}

function wordStart(text: string, end: number, from: number): number {
  let start = end
  while (start > from && ((characterKinds[text.charCodeAt(start - 1)] as number) & word) !== 0) start--
  return start
}

function holds(text: string, start: number, end: number, kind: number): boolean {
  for (let index = start; index < end; index++) if (((characterKinds[text.charCodeAt(index)] as number) & kind) !== 0) return true
  return false
}

function holdsStop(text: string, start: number, end: number): boolean {
  return holds(text, start, end, stop)
}

function holdsQuote(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22 || code === 0x27 || (code > 0x7f && '”’»›“«‹‘」』'.includes(text.charAt(index)))) return true
  }
  return false
}

/** The dots of a run, an ellipsis sign as three; 0 when it holds another mark. */
function countDots(text: string, start: number, end: number): number {
  let dots = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x2e) dots++
    else if (code === 0x2026 || code === 0x22ef) dots += 3
    else if (code === 0x2025) dots += 2
    else if (((characterKinds[code] as number) & stop) !== 0) return 0
  }
  return dots
}

/** Whether a list item begins at `at`, the first sign of a line: "- ", "• ", "3. ", "(a) ", "iv. ". */
function startsItem(text: string, at: number, to: number): boolean {
  const limit = Math.min(to, at + 8)
  const code = text.charCodeAt(at)
  if (code === 0x2d || code === 0x2a || code === 0x2b || code === 0x2022 || code === 0x2043 || code === 0x25e6 || code === 0x25aa || code === 0x2023) {
    return at + 1 < to && (isBlank(text.charCodeAt(at + 1)) || code === 0x2043)
  }
  const begin = code === 0x28 ? at + 1 : at
  let end = begin
  while (end < limit && isDigit(text.charCodeAt(end))) end++
  const isNumeric = end > begin && end - begin < 4
  if (!isNumeric) {
    if (end > begin) return false
    while (end < limit && (text.charCodeAt(end) | 0x20) >= 0x61 && (text.charCodeAt(end) | 0x20) <= 0x7a) end++
    if (end === begin || (end - begin > 1 && !isSmallRomanNumeral(text, begin, end))) return false
  }
  if (end + 1 >= to || !isBlank(text.charCodeAt(end + 1))) return false
  const sign = text.charCodeAt(end)
  // "A. Smith" at the start of a line is more often a name than an item.
  return sign === 0x29 || (sign === 0x2e && (isNumeric || letterCaseOf(text.charCodeAt(begin)) === letterCase.lower))
}

function isSmallRomanNumeral(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (!'ivx'.includes(text.charAt(index))) return false
  return true
}

/** Whether the white space in `[start, end)` holds two line breaks. */
function isBlankBetween(text: string, start: number, end: number): boolean {
  let breaks = 0
  for (let index = start; index < end && breaks < 2; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(index + 1) !== 0x0a)) breaks++
  }
  return breaks > 1
}

function skipSpace(text: string, at: number): number {
  let index = at
  while (index < text.length && ((characterKinds[text.charCodeAt(index)] as number) & space) !== 0) index++
  return index
}

function isWordOrOpener(code: number): boolean {
  return ((characterKinds[code] as number) & (word | opener)) !== 0
}

function isDash(code: number): boolean {
  return code === 0x2d || (code >= 0x2012 && code <= 0x2015)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Digits of the scripts that write dandas, and ASCII ones. */
function isAnyDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x0900 && code < 0x0e00 && (code & 0x7f) >= 0x66 && (code & 0x7f) <= 0x6f)
}
