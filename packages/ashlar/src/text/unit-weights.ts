import type { Counter, Measure } from './counter.ts'

/** What a code unit of each kind adds to an estimate, in 1/256 of a token. */
export interface UnitWeights {
  readonly lower: number
  readonly upper: number
  readonly digit: number
  readonly space: number
  /** Line breaks and tabs. */
  readonly newline: number
  /** All other ASCII. */
  readonly punctuation: number
  /** Latin letters beyond ASCII, with the signs between them. */
  readonly latin: number
  readonly greek: number
  /** Cyrillic and Armenian. */
  readonly cyrillic: number
  /** Hebrew, Arabic and their neighbours. */
  readonly arabic: number
  /** The scripts of India. */
  readonly indic: number
  /** Thai, Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer, Mongolian and what else lies among them. */
  readonly asian: number
  /** Quotation marks, dashes, currency, arrows, mathematics, symbols. */
  readonly symbol: number
  readonly ideograph: number
  /** Hiragana, katakana and full-width forms. */
  readonly kana: number
  readonly hangul: number
  /** Half of a code point beyond U+FFFF: emoji, above all. */
  readonly surrogate: number
  readonly other: number
}

/** From which code unit on which kind holds, up to the next. */
const ranges: readonly (readonly [number, keyof UnitWeights])[] = [
  [0x00, 'punctuation'],
  [0x09, 'newline'],
  [0x0b, 'punctuation'],
  [0x0d, 'newline'],
  [0x0e, 'punctuation'],
  [0x20, 'space'],
  [0x21, 'punctuation'],
  [0x30, 'digit'],
  [0x3a, 'punctuation'],
  [0x41, 'upper'],
  [0x5b, 'punctuation'],
  [0x61, 'lower'],
  [0x7b, 'punctuation'],
  [0x80, 'latin'],
  [0x370, 'greek'],
  [0x400, 'cyrillic'],
  [0x590, 'arabic'],
  [0x900, 'indic'],
  [0xe00, 'asian'],
  [0x1e00, 'latin'],
  [0x1f00, 'greek'],
  [0x2000, 'symbol'],
  [0x2e80, 'ideograph'],
  [0x3000, 'kana'],
  [0x3400, 'ideograph'],
  [0xa000, 'other'],
  [0xac00, 'hangul'],
  [0xd7b0, 'other'],
  [0xd800, 'surrogate'],
  [0xe000, 'other'],
  [0xf900, 'ideograph'],
  [0xfb00, 'other'],
  [0xff00, 'kana'],
  [0xfff0, 'other'],
]

/** Sums are remembered every so many code units. */
const block = 256
const unit = 256

/**
 * A counter that adds up a weight for each code unit and rounds up to whole tokens.
 *
 * Whole numbers throughout, so that a slice has the same estimate wherever it is counted, and a longer one never has less.
 */
export function weightedCounter(id: string, weights: UnitWeights): Counter {
  let table: Uint16Array | undefined
  const open = (): Uint16Array => {
    table = new Uint16Array(0x10000)
    for (const [from, kind] of ranges) table.fill(weights[kind], from)
    return table
  }
  return Object.assign((text: string) => Math.ceil(sum(table ?? open(), text, 0, text.length) / unit), {
    id,
    accuracy: 'estimated' as const,
    measure: (text: string) => weightedMeasure(table ?? open(), text),
  })
}

function sum(table: Uint16Array, text: string, from: number, to: number): number {
  let total = 0
  for (let at = from; at < to; at++) total += table[text.charCodeAt(at)] as number
  return total
}

function weightedMeasure(table: Uint16Array, text: string): Measure {
  /** Sums up to each whole block, as far as they were needed: 3 % of the text's own size at most. */
  const sums = [0]
  const extend = (): boolean => {
    const from = (sums.length - 1) * block
    if (from + block > text.length) return false
    sums.push((sums.at(-1) as number) + sum(table, text, from, from + block))
    return true
  }
  const upTo = (at: number): number => {
    const index = Math.floor(at / block)
    while (sums.length <= index && extend());
    return (sums[index] as number) + sum(table, text, index * block, at)
  }
  return {
    count: (start, end) => Math.ceil((upTo(end) - upTo(start)) / unit),
    reach(start, limit) {
      const most = upTo(start) + Math.floor(limit) * unit
      while ((sums.at(-1) as number) <= most && extend());
      let low = Math.floor(start / block)
      let high = sums.length
      while (high - low > 1) {
        const middle = (low + high) >>> 1
        if ((sums[middle] as number) <= most) low = middle
        else high = middle
      }
      let at = low * block
      let total = sums[low] as number
      while (at < text.length) {
        total += table[text.charCodeAt(at)] as number
        if (total > most) break
        at++
      }
      return Math.max(start, at)
    },
  }
}
