import { letterClass, letterClasses, surrogateClass } from './letter-class.ts'

/**
 * Finds the end of the pre-token that begins at `at`, in a text that ends at `limit`.
 *
 * It looks forward only: what it finds depends on nothing before `at`. It looks past the end it returns by no more than the
 * rest of one run of letters or white space and three code units, so at most {@link unsettledPieces} pre-tokens before a
 * limit would have ended elsewhere under a later limit.
 */
export type PieceEnd = (text: string, at: number, limit: number) => number

/**
 * How many pre-tokens before a limit may depend on it: the white space of one run is at most three of them, an upper-case run
 * behind caseless letters makes two, and a contraction is looked for within three code units. One more is kept as a margin.
 */
export const unsettledPieces = 5

const { space, newline, number, mark, lower, upper, caseless } = letterClass
const letter = lower | upper | caseless

/**
 * The pre-tokens of cl100k, scanned by hand in linear time.
 *
 * Their pattern, in the order of its alternatives: a contraction; letters with at most one sign before them; one to three
 * digits; symbols with at most one space before and line breaks after; white space up to its last line break; white space but
 * for its last sign when text follows; white space.
 */
export function cl100kPieces(): PieceEnd {
  const classes = letterClasses()
  const symbol = symbolScan(classes, false)
  return (text, at, limit) => {
    const unit = text.charCodeAt(at)
    if (unit === 0x27) {
      const end = contractionEnd(text, at, limit)
      if (end > at) return end
    }
    const kind = classAt(classes, text, at, limit)
    if ((kind & letter) !== 0) return runEnd(classes, text, at, limit, letter)
    if (kind === number) return numberEnd(classes, text, at, limit)
    if (kind !== newline) {
      const next = at + (isPair(text, at, limit) ? 2 : 1)
      const following = next < limit ? classAt(classes, text, next, limit) : -1
      if (following > 0 && (following & letter) !== 0) return runEnd(classes, text, next, limit, letter)
      if (kind !== space) return symbol(text, at, limit)
      if (unit === 0x20 && (following === 0 || following === mark)) return symbol(text, next, limit)
    }
    return spaceEnd(classes, text, at, limit)
  }
}

/**
 * The pre-tokens of o200k, scanned by hand in linear time.
 *
 * Words differ from {@link cl100kPieces}: they are cut before an upper-case letter that follows a lower-case one, marks
 * belong to them, and a contraction stays with its word. Symbols also take slashes after line breaks.
 */
export function o200kPieces(): PieceEnd {
  const classes = letterClasses()
  const symbol = symbolScan(classes, true)
  return (text, at, limit) => {
    const unit = text.charCodeAt(at)
    const kind = classAt(classes, text, at, limit)
    if ((kind & letter) !== 0) return contractionEnd(text, Math.abs(casedWordEnd(classes, text, at, limit)), limit)
    if (kind === number) return numberEnd(classes, text, at, limit)
    if (kind !== newline) {
      const next = at + (isPair(text, at, limit) ? 2 : 1)
      const following = next < limit ? classAt(classes, text, next, limit) : -1
      if (following > 0 && (following & (letter | mark)) !== 0) {
        let end = casedWordEnd(classes, text, next, limit)
        // The pattern tries a mark as a word's first sign before it tries upper case alone behind a mark.
        if (end < 0) end = kind === mark ? casedWordEnd(classes, text, at, limit) : -end
        return contractionEnd(text, end, limit)
      }
      if (kind === mark) return contractionEnd(text, next, limit)
      if (kind !== space) return symbol(text, at, limit)
      if (unit === 0x20 && following === 0) return symbol(text, next, limit)
    }
    return spaceEnd(classes, text, at, limit)
  }
}

function isPair(text: string, at: number, limit: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && at + 1 < limit && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}

function classAt(classes: Uint8Array, text: string, at: number, limit: number): number {
  const unit = text.charCodeAt(at)
  return (unit & 0xfc00) === 0xd800 && at + 1 < limit
    ? surrogateClass(classes, unit, text.charCodeAt(at + 1))
    : (classes[unit] as number)
}

/** The end of the longest run of code points whose class is in `mask`, which must not hold `other`. */
function runEnd(classes: Uint8Array, text: string, from: number, limit: number, mask: number): number {
  let at = from
  for (;;) {
    while (at < limit && ((classes[text.charCodeAt(at)] as number) & mask) !== 0) at++
    if (!isPair(text, at, limit) || (classAt(classes, text, at, limit) & mask) === 0) return at
    at += 2
  }
}

function numberEnd(classes: Uint8Array, text: string, from: number, limit: number): number {
  let at = from
  for (let digits = 0; digits < 3 && at < limit && classAt(classes, text, at, limit) === number; digits++) {
    at += isPair(text, at, limit) ? 2 : 1
  }
  return at
}

/**
 * The end of `upper* lower+` where marks and caseless letters are both; when it cannot match, minus the end of `upper+`.
 *
 * Without a lower-case letter after it, the upper part gives back what follows the last sign that is both.
 */
function casedWordEnd(classes: Uint8Array, text: string, from: number, limit: number): number {
  let at = from
  let lastBoth = -1
  while (at < limit) {
    const unit = text.charCodeAt(at)
    let kind = classes[unit] as number
    let width = 1
    if (kind === 0 && isPair(text, at, limit)) {
      kind = surrogateClass(classes, unit, text.charCodeAt(at + 1))
      width = 2
    }
    if ((kind & (upper | mark | caseless)) === 0) {
      if (kind === lower) return runEnd(classes, text, at, limit, lower | mark | caseless)
      break
    }
    at += width
    if (kind !== upper) lastBoth = at
  }
  return lastBoth >= 0 ? lastBoth : -at
}

/** The index after `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case (a long s is an s), or `at` when none stands there. */
function contractionEnd(text: string, at: number, limit: number): number {
  if (at + 1 >= limit || text.charCodeAt(at) !== 0x27) return at
  const unit = text.charCodeAt(at + 1)
  const first = unit | 0x20
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64 || unit === 0x17f) return at + 2
  if (at + 2 >= limit) return at
  const second = text.charCodeAt(at + 2) | 0x20
  if (first === 0x6c ? second === 0x6c : (first === 0x72 || first === 0x76) && second === 0x65) return at + 3
  return at
}

/** Symbols and marks, then line breaks, and slashes among these where `slashes` says so. */
function symbolScan(classes: Uint8Array, slashes: boolean): PieceEnd {
  return (text, from, limit) => {
    let at = from
    while (at < limit) {
      const kind = classes[text.charCodeAt(at)] as number
      if (kind !== 0 && kind !== mark) break
      if (kind === 0 && isPair(text, at, limit)) {
        const point = classAt(classes, text, at, limit)
        if (point !== 0 && point !== mark) break
        at++
      }
      at++
    }
    while (at < limit) {
      const unit = text.charCodeAt(at)
      if (unit !== 0x0a && unit !== 0x0d && !(slashes && unit === 0x2f)) break
      at++
    }
    return at
  }
}

function spaceEnd(classes: Uint8Array, text: string, from: number, limit: number): number {
  let at = from
  let lastBreak = -1
  while (at < limit) {
    const kind = classes[text.charCodeAt(at)] as number
    if (kind === newline) lastBreak = at
    else if (kind !== space) break
    at++
  }
  if (lastBreak >= 0) return lastBreak + 1
  return at < limit && at - from > 1 ? at - 1 : at
}
