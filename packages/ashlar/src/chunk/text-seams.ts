import { isGraphemeBoundary } from '../text/grapheme.ts'
import { isTerminator, sentenceEndAt } from '../text/sentence.ts'
import { isWhiteSpace } from '../text/white-space.ts'
import { NextMark } from './next-mark.ts'
import { type Inside, strength } from './seam.ts'

/** A blank line inside code: stronger than a line, weaker than any block. */
const blankLine: number = strength.line + 6

/** How far a blank line or a list marker is looked for: a line with more white space than this counts as a line with text. */
const reachOfBlank = 256

/** How far before the window a sentence end may stand whose seam falls into it; `sentenceEndAt` looks no further. */
const reachOfSentence = 64

/** The strongest seam that text of a kind can have: what a format's own seam must exceed for the text not to be searched at all. */
export const strongestInside: Readonly<Record<Inside, number>> = {
  text: strength.block,
  prose: strength.sentence,
  lines: blankLine,
  words: strength.word,
  whole: 0,
}

/** The strongest seams found so far, all of one strength: what a window search fills. They come in no particular order. */
export class StrongestSeams {
  strength = 0
  count = 0
  at: Int32Array = new Int32Array(64)

  /** Forgets all; seams weaker than `least` are not taken in, nor searched for. */
  reset(least = 0): void {
    this.strength = least
    this.count = 0
  }

  /** Takes a seam in if it is as strong as the strongest so far; a strength of 0 is none. */
  offer(at: number, value: number): void {
    if (value < this.strength || value === 0) return
    if (value > this.strength) {
      this.strength = value
      this.count = 0
    }
    if (this.count === this.at.length) {
      const larger = new Int32Array(this.count * 2)
      larger.set(this.at)
      this.at = larger
    }
    this.at[this.count++] = at
  }

  /** Drops those after `ceiling`, unless that would be all of them. */
  keepUpTo(ceiling: number): void {
    let kept = 0
    for (let index = 0; index < this.count; index++) {
      const at = this.at[index] as number
      if (at <= ceiling) this.at[kept++] = at
    }
    if (kept > 0) this.count = kept
  }

  /** The last of them in the text, 0 when there is none. */
  last(): number {
    let last = 0
    for (let index = 0; index < this.count; index++) last = Math.max(last, this.at[index] as number)
    return last
  }
}

/** Clause marks of scripts that write no space after them: ， 、 ； ： ､ ، ؛ ၊ */
function isWideClause(code: number): boolean {
  if (code < 0x3001) return code === 0x060c || code === 0x061b || code === 0x104a
  return code === 0x3001 || code === 0xff0c || code === 0xff1b || code === 0xff1a || code === 0xff64
}

function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d
}

/** The line break before `at` without it: index of its first code unit. */
function lineBreakStart(text: string, at: number): number {
  return text.charCodeAt(at - 1) === 0x0a && text.charCodeAt(at - 2) === 0x0d ? at - 2 : at - 1
}

function isBlankForward(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + reachOfBlank)
  for (let index = at; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (isLineBreak(code)) return true
    if (!isWhiteSpace(code)) return false
  }
  return limit === text.length
}

function isBlankBackward(text: string, lineEnd: number): boolean {
  const limit = Math.max(0, lineEnd - reachOfBlank)
  for (let index = lineEnd - 1; index >= limit; index--) {
    const code = text.charCodeAt(index)
    if (isLineBreak(code)) return true
    if (!isWhiteSpace(code)) return false
  }
  return limit === 0
}

/** Whether a line begins with a bullet or a number: "- ", "* ", "+ ", "• ", "1. ", "12) ", "(3) ", "a) ". */
function startsItem(text: string, lineStart: number): boolean {
  let at = lineStart
  while (at < lineStart + 32 && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at++
  const code = text.charCodeAt(at)
  if (code === 0x2d || code === 0x2a || code === 0x2b || code === 0x2022 || code === 0x25e6 || code === 0x2013) {
    return isWhiteSpace(text.charCodeAt(at + 1)) && !isLineBreak(text.charCodeAt(at + 1))
  }
  let mark = code === 0x28 ? at + 1 : at
  const first = mark
  while (mark < first + 4 && text.charCodeAt(mark) >= 0x30 && text.charCodeAt(mark) <= 0x39) mark++
  if (mark === first) {
    const letter = text.charCodeAt(mark) | 0x20
    if (letter < 0x61 || letter > 0x7a || text.charCodeAt(mark + 1) !== 0x29) return false
    return text.charCodeAt(mark + 2) === 0x20
  }
  const sign = text.charCodeAt(mark)
  return (sign === 0x2e || sign === 0x29) && isWhiteSpace(text.charCodeAt(mark + 1))
}

/** A line break only wraps a sentence when the line before ends without a mark and the next begins with a small letter. */
function wraps(text: string, lineStart: number, lineEnd: number): boolean {
  const last = text.charCodeAt(lineEnd - 1)
  if (isTerminator(last) || last === 0x3a || last === 0x3b) return false
  const next = text.charCodeAt(lineStart)
  if (next >= 0x61 && next <= 0x7a) return true
  return next > 0x7f && /^\p{Ll}/u.test(text.slice(lineStart, lineStart + 2))
}

/** The strength of the line start at `at` (which follows a line break), or 0 when the line is blank. */
function lineStrength(text: string, at: number, inside: Inside): number {
  if (isBlankForward(text, at)) return 0
  if (inside === 'prose') return strength.wrap
  const lineEnd = lineBreakStart(text, at)
  const blankBefore = isBlankBackward(text, lineEnd)
  if (inside === 'lines') return blankBefore ? blankLine : strength.line
  if (blankBefore) return strength.block
  if (startsItem(text, at)) return strength.item
  return wraps(text, at, lineEnd) ? strength.wrap : strength.line
}

/** Scripts with sentence or clause marks of their own: beyond Latin letters, apart from dashes and quotes. */
const wide = /[\u0370-\u1fff\u2026-\uffff]/

/**
 * Finds the seams of plain text inside a window, strongest first, reading nothing but the window and a constant stretch
 * around it: this is what keeps plain text from ever being segmented in full.
 *
 * Seams stand after white space, so that it belongs to the piece before. Native searches do most of the work: over a bounded
 * slice they are several times faster than a loop over code units, and over the whole text they would be quadratic.
 */
export class TextSeams {
  readonly #text: string
  readonly #lineBreaks: readonly NextMark[]
  readonly #terminators: readonly NextMark[]
  readonly #clauses: readonly NextMark[]
  /**
   * The sentence seams found last, and where they were searched. Windows and overlaps of neighbouring chunks share most of
   * their text, and whether a full stop ends a sentence is the dearest question of all, so it is asked once.
   */
  #sentences = new Int32Array(16)
  #sentenceCount = 0
  #searchedFrom = 0
  #searchedTo = -1

  constructor(text: string) {
    const next = (mark: string): NextMark => new NextMark(text, mark)
    this.#text = text
    this.#lineBreaks = ['\n', '\r'].map(next)
    this.#terminators = ['.', '!', '?'].map(next)
    this.#clauses = [';', ':'].map(next)
  }

  /**
   * Offers the strongest seams in `[low, high]` to `best`; seams weaker than what it holds are not searched for.
   * `floor` is a known grapheme boundary at or before the window.
   */
  offer(low: number, high: number, inside: Inside, floor: number, best: StrongestSeams): void {
    if (inside === 'whole' || low > high) return
    const prose = inside === 'text' || inside === 'prose'
    if (inside !== 'words') this.#offerLines(low, high, inside, best)
    if (prose && best.strength <= strength.sentence) this.#offerMarks(low, high, floor, best)
    if (best.strength <= strength.word) this.#offerWords(low, high, floor, best)
  }

  #offerLines(low: number, high: number, inside: Inside, best: StrongestSeams): void {
    const from = low > 0 ? low - 1 : 0
    for (const lineBreak of this.#lineBreaks) {
      if (!lineBreak.mayStandIn(from, high)) continue
      const window = this.#text.slice(from, high)
      for (let found = window.indexOf(lineBreak.mark); found !== -1; found = window.indexOf(lineBreak.mark, found + 1)) {
        const at = from + found + 1
        if (at >= low && this.#startsLine(at)) best.offer(at, lineStrength(this.#text, at, inside))
      }
    }
  }

  /** Whether a line starts at `at`, after a line break; not between CR and LF, nor at the end of the text. */
  #startsLine(at: number): boolean {
    if (at >= this.#text.length) return false
    return this.#text.charCodeAt(at) !== 0x0a || this.#text.charCodeAt(at - 1) !== 0x0d
  }

  /**
   * Sentences, else clauses. The marks of other scripts are asked for only where no ASCII mark ends a sentence: text that
   * holds both kinds in one window is rare, and western text need not be read for marks that it does not use.
   */
  #offerMarks(low: number, high: number, floor: number, best: StrongestSeams): void {
    this.#searchSentences(low, high, floor)
    for (let index = 0; index < this.#sentenceCount; index++) {
      const at = this.#sentences[index] as number
      if (at >= low && at <= high) best.offer(at, strength.sentence)
    }
    if (best.count > 0 && best.strength >= strength.sentence) return
    const text = this.#text
    const from = markSearchStart(text, low)
    const window = text.slice(from, high)
    for (const { mark } of this.#clauses.filter((clause) => best.strength <= strength.clause && clause.mayStandIn(from, high))) {
      for (let found = window.indexOf(mark); found !== -1; found = window.indexOf(mark, found + 1)) {
        this.#offerClauseEnd(from + found, low, high, floor, best)
      }
    }
    if (!wide.test(window)) return
    for (let index = from; index < high; index++) {
      const code = text.charCodeAt(index)
      if (isPlainAscii(code)) continue
      if (isTerminator(code)) {
        const at = this.#sentenceEnd(index, low, high, floor)
        if (at !== -1) best.offer(at, strength.sentence)
      } else if (isWideClause(code)) this.#offerClauseEnd(index, low, high, floor, best)
    }
  }

  /** Makes sure that the sentence seams of `[low, high]` are known, searching only what has not been searched. */
  #searchSentences(low: number, high: number, floor: number): void {
    const from = this.#searchedFrom
    const to = this.#searchedTo
    if (low >= from && high <= to) return
    if (low < from && high >= from - 1 && high <= to) {
      this.#findSentences(low, from - 1, floor)
      this.#searchedFrom = low
    } else if (low >= from && low <= to + 1) {
      this.#forgetBefore(low - (high - low))
      this.#findSentences(to + 1, high, floor)
      this.#searchedTo = high
    } else {
      this.#sentenceCount = 0
      this.#findSentences(low, high, floor)
      this.#searchedFrom = low
      this.#searchedTo = high
    }
  }

  #forgetBefore(at: number): void {
    if (at <= this.#searchedFrom) return
    let kept = 0
    for (let index = 0; index < this.#sentenceCount; index++) {
      const sentence = this.#sentences[index] as number
      if (sentence >= at) this.#sentences[kept++] = sentence
    }
    this.#sentenceCount = kept
    this.#searchedFrom = at
  }

  #findSentences(low: number, high: number, floor: number): void {
    const from = markSearchStart(this.#text, low)
    for (const terminator of this.#terminators) {
      if (!terminator.mayStandIn(from, high)) continue
      const window = this.#text.slice(from, high)
      for (let found = window.indexOf(terminator.mark); found !== -1; found = window.indexOf(terminator.mark, found + 1)) {
        const at = this.#sentenceEnd(from + found, low, high, floor)
        if (at !== -1) this.#noteSentence(at)
      }
    }
  }

  /** Where the sentence ends that the terminator may end, if that is a seam of the window; else -1. */
  #sentenceEnd(terminator: number, low: number, high: number, floor: number): number {
    const at = sentenceEndAt(this.#text, terminator)
    return at >= low && at <= high && at < this.#text.length && isGraphemeBoundary(this.#text, at, floor) ? at : -1
  }

  #noteSentence(at: number): void {
    if (this.#sentenceCount === this.#sentences.length) {
      const larger = new Int32Array(this.#sentenceCount * 2)
      larger.set(this.#sentences)
      this.#sentences = larger
    }
    this.#sentences[this.#sentenceCount++] = at
  }

  #offerClauseEnd(mark: number, low: number, high: number, floor: number, best: StrongestSeams): void {
    if (best.strength > strength.clause) return
    const at = clauseEnd(this.#text, mark, high)
    if (at < low || at > high || !isGraphemeBoundary(this.#text, at, floor)) return
    const code = this.#text.charCodeAt(mark)
    best.offer(at, code === 0x3a || code === 0xff1a ? strength.clause - 2 : strength.clause)
  }

  /** Words: from the middle of the window on, and before it only when there is none, since none is better than another. */
  #offerWords(low: number, high: number, floor: number, best: StrongestSeams): void {
    const middle = low + ((high - low) >>> 1)
    for (let at = this.firstWord(middle, high, floor); at !== -1; at = this.firstWord(at + 1, high, floor))
      best.offer(at, strength.word)
    if (best.strength === strength.word) return
    for (let at = this.firstWord(low, middle - 1, floor); at !== -1; at = this.firstWord(at + 1, middle - 1, floor))
      best.offer(at, strength.word)
  }

  /** The first place in `[low, high]` where a sentence starts, or something better than one; -1 when there is none. */
  firstSentence(low: number, high: number, inside: Inside, floor: number): number {
    if (inside === 'whole' || inside === 'words' || low > high) return -1
    const line = inside === 'prose' ? -1 : this.#firstLine(low, high, inside)
    if (inside === 'lines') return line
    let first = line === -1 ? high + 1 : line
    this.#searchSentences(low, high, floor)
    for (let index = 0; index < this.#sentenceCount; index++) {
      const at = this.#sentences[index] as number
      if (at >= low && at < first) first = at
    }
    if (first <= high) return first
    const text = this.#text
    const from = markSearchStart(text, low)
    if (!wide.test(text.slice(from, high))) return -1
    for (let index = from; index < high; index++) {
      const code = text.charCodeAt(index)
      if (isPlainAscii(code) || !isTerminator(code)) continue
      const at = this.#sentenceEnd(index, low, high, floor)
      if (at !== -1) return at
    }
    return -1
  }

  #firstLine(low: number, high: number, inside: Inside): number {
    const from = low > 0 ? low - 1 : 0
    let first = -1
    for (const lineBreak of this.#lineBreaks) {
      if (!lineBreak.mayStandIn(from, high)) continue
      const window = this.#text.slice(from, high)
      for (let found = window.indexOf(lineBreak.mark); found !== -1; found = window.indexOf(lineBreak.mark, found + 1)) {
        const at = from + found + 1
        if (first !== -1 && at >= first) break
        if (at < low || !this.#startsLine(at) || lineStrength(this.#text, at, inside) < strength.sentence) continue
        first = at
        break
      }
    }
    return first
  }

  /** The first place in `[low, high]` where a word starts after white space; -1 when there is none. */
  firstWord(low: number, high: number, floor: number): number {
    const text = this.#text
    const last = high < text.length ? high : text.length - 1
    let spaced = low > 0 && low <= last && isWhiteSpace(text.charCodeAt(low - 1))
    for (let at = low; at <= last; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x20 ? code >= 0x80 && isWhiteSpace(code) : isWhiteSpace(code)) spaced = true
      else if (spaced) {
        if (isGraphemeBoundary(text, at, floor)) return at
        spaced = false
      }
    }
    return -1
  }
}

/** Early enough to see the mark whose seam is the first of the window: before the white space and signs in front of it. */
function markSearchStart(text: string, low: number): number {
  let from = Math.max(low - 1, 0)
  const earliest = Math.max(0, low - reachOfSentence)
  while (from > earliest && !isLetterOrDigit(text.charCodeAt(from - 1))) from--
  return from
}

function clauseEnd(text: string, index: number, high: number): number {
  let at = index + 1
  if (text.charCodeAt(index) < 128 && !isWhiteSpace(text.charCodeAt(at))) return -1
  while (at < high && isWhiteSpace(text.charCodeAt(at))) at++
  return at >= text.length || isWhiteSpace(text.charCodeAt(at)) ? -1 : at
}

/** ASCII, but for the two marks that end sentences in Greek and Armenian. */
function isPlainAscii(code: number): boolean {
  return code < 0x80 && code !== 0x3b && code !== 0x3a
}

function isLetterOrDigit(code: number): boolean {
  const letter = code | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39)
}
