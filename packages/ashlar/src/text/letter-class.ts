import { letterClassRuns } from './letter-class-data.ts'

/**
 * The classes of code points that OpenAI's pre-tokenizers tell apart, one bit each, so that a set of classes is one mask.
 *
 * `other` has no bit: symbols, punctuation, controls, and lone surrogates, which count as the U+FFFD that stands for them.
 */
export const letterClass = {
  other: 0,
  space: 1,
  newline: 2,
  number: 4,
  mark: 8,
  lower: 16,
  upper: 32,
  /** Letters without case: modifiers, ideographs, syllables. */
  caseless: 64,
} as const

/** Planes 0 to 3 are looked up; of the rest only the variation selectors of plane 14 (marks) have a class. */
const tableSize = 0x40000

let table: Uint8Array | undefined

/**
 * The class of every code point below U+40000, as Unicode 16 has them: the version that tiktoken counts by.
 *
 * Built at the first call. Surrogates have the class `other` here; see {@link surrogateClass}.
 */
export function letterClasses(): Uint8Array {
  if (table !== undefined) return table
  const classes = new Uint8Array(tableSize)
  let at = 0
  for (const run of letterClassRuns.split(' ')) {
    const code = run.charCodeAt(0) - 48
    const end = at + Number.parseInt(run.slice(1), 36)
    if (code < 8) classes.fill((1 << code) >> 1, at, end)
    else
      for (let point = at; point < end; point++) classes[point] = (point - at) % 2 === 0 ? letterClass.upper : letterClass.lower
    at = end
  }
  table = classes
  return classes
}

/** The class of the code point that begins at a high surrogate `high`, given the code unit after it. */
export function surrogateClass(classes: Uint8Array, high: number, low: number): number {
  if ((low & 0xfc00) !== 0xdc00) return letterClass.other
  const point = ((high & 0x3ff) << 10) + (low & 0x3ff) + 0x10000
  if (point < tableSize) return classes[point] as number
  return point >= 0xe0100 && point <= 0xe01ef ? letterClass.mark : letterClass.other
}
