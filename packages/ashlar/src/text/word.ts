import { characterKind, characterKinds } from './character-kind.ts'
import type { Span } from './span.ts'

const { word, solo } = characterKind

/**
 * The words of a text: letters, digits and marks, with apostrophes and hyphens inside ("don't", "well-known") and the signs
 * of numbers ("3.14", "1,000"). White space and punctuation are left out.
 *
 * Scripts written without spaces have no words to be seen: there each character with its marks counts as one (Chinese
 * characters, hiragana, Thai, Lao, Khmer, Burmese). Katakana, Korean and Tibetan syllables are read like other letters.
 * Linear; the table is Unicode 17, the same in every runtime.
 *
 * @example
 * const text = "It's 3.5 km to Aix-en-Provence."
 * console.log([...wordSpans(text)].map(({ start, end }) => text.slice(start, end)).join('|')) // => It's|3.5|km|to|Aix-en-Provence
 */
export function* words(text: string): Generator<Span> {
  for (let start = wordStart(text, 0); start < text.length; ) {
    const end = wordEnd(text, start)
    yield { start, end }
    start = wordStart(text, end)
  }
}

/** Where the first word from `from` on begins; the length of the text when there is none. */
export function wordStart(text: string, from: number): number {
  let at = from
  while (at < text.length && (((characterKinds[text.charCodeAt(at)] as number) & word) === 0 || letterSize(text, at) === 0)) at++
  return at
}

/** Where the word that begins at `start` ends. */
export function wordEnd(text: string, start: number): number {
  const after = start + letterSize(text, start)
  return ((characterKinds[text.charCodeAt(start)] as number) & solo) !== 0 ? soloEnd(text, after) : runEnd(text, after)
}

/** How many code units the letter at `at` takes: 2 for a surrogate pair, 0 for half of one. */
function letterSize(text: string, at: number): number {
  if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) return 1
  return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 0
}

function soloEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isSoloMark(text.charCodeAt(end))) end++
  return end
}

function runEnd(text: string, at: number): number {
  let end = at
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < 0x80 && ((characterKinds[code] as number) & (word | solo)) === word) {
      end++
      continue
    }
    const size = wordSize(text, end)
    if (size > 0) end += size
    else if (end + 1 < text.length && isJoiner(code) && wordSize(text, end + 1) > 0 && joins(text, end, code)) end++
    else break
  }
  return end
}

/** The size of the letter at `at` if it can continue a word, else 0: a character of a script without spaces cannot. */
function wordSize(text: string, at: number): number {
  const kind = characterKinds[text.charCodeAt(at)] as number
  return (kind & (word | solo)) === word ? letterSize(text, at) : 0
}

/** Signs that hold a word together when letters or digits stand on both sides: ' ’ - ‐ ‑ · ׳ ״ . , soft hyphen and joiners. */
function isJoiner(code: number): boolean {
  if (code < 0x80) return code === 0x27 || code === 0x2d || code === 0x2e || code === 0x2c
  return (
    code === 0x2019 ||
    code === 0xad ||
    code === 0xb7 ||
    code === 0x05f3 ||
    code === 0x05f4 ||
    (code >= 0x200c && code <= 0x200d) ||
    (code >= 0x2010 && code <= 0x2011)
  )
}

/** A point or comma joins digits only. */
function joins(text: string, at: number, code: number): boolean {
  return (code !== 0x2e && code !== 0x2c) || (isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1)))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Vowel and tone signs of Thai, Lao, Burmese and Khmer, and the voicing marks of kana. */
function isSoloMark(code: number): boolean {
  if (code < 0x1000) {
    const place = code & 0x7f
    return (
      code >= 0x0e31 &&
      code <= 0x0ece &&
      (place === 0x31 || (place >= 0x34 && place <= 0x3c && place !== 0x3f) || (place >= 0x47 && place <= 0x4e))
    )
  }
  if (code < 0x1780) return (code >= 0x102b && code <= 0x103e) || (code >= 0x1056 && code <= 0x1059)
  return (code >= 0x17b4 && code <= 0x17d3) || code === 0x3099 || code === 0x309a
}
