import { letterCase, letterCaseOf } from './letter-case.ts'

const other = 0
const lower = 1
const upper = 2
const caseless = 3
const digit = 4
/** Point and comma, which only stand between digits. */
const separator = 5

/**
 * The parts of a word: between its hyphens and apostrophes, at a change of case ("parseHTMLPage" is parse, HTML and Page) and between
 * letters and digits. A word without any of these is its own only part.
 */
export function wordParts(word: string): string[] {
  const parts: string[] = []
  let start = 0
  let before = other
  for (let at = 0; at < word.length; at++) {
    const kind = kindOf(word.charCodeAt(at))
    if (kind === other) {
      if (at > start) parts.push(word.slice(start, at))
      start = at + 1
    } else if (at > start && splits(word, at, before, kind)) {
      parts.push(word.slice(start, at))
      start = at
    }
    before = kind
  }
  if (start === 0) return [word]
  if (start < word.length) parts.push(word.slice(start))
  return parts
}

function splits(word: string, at: number, before: number, kind: number): boolean {
  const number = kind === digit || kind === separator
  if (number !== (before === digit || before === separator)) return true
  if (kind !== upper) return false
  if (before === lower) return true
  return before === upper && at + 1 < word.length && kindOf(word.charCodeAt(at + 1)) === lower
}

function kindOf(code: number): number {
  if (code < 0x80) {
    if (code >= 0x61 && code <= 0x7a) return lower
    if (code >= 0x30 && code <= 0x39) return digit
    if (code >= 0x41 && code <= 0x5a) return upper
    return code === 0x2e || code === 0x2c ? separator : other
  }
  // ’ · ׳ ״ ‐ ‑
  if (code === 0x2019 || code === 0xb7 || code === 0x5f3 || code === 0x5f4 || code === 0x2010 || code === 0x2011) return other
  const found = letterCaseOf(code)
  return found === letterCase.upper ? upper : found === letterCase.lower ? lower : caseless
}
