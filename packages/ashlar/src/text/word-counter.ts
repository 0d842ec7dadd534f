import type { Counter, Measure } from './counter.ts'
import { words as wordSpans } from './word.ts'

/**
 * Counts words: "don't" and "3.14" are one, punctuation is none, and in scripts without spaces each character is one.
 *
 * A run of letters is one word however long it is, so a limit in words does not bound the characters of a chunk.
 */
export const words: Counter = Object.assign((text: string) => countWords(text), {
  id: 'words',
  accuracy: 'exact' as const,
  measure: wordMeasure,
})

function countWords(text: string): number {
  let total = 0
  for (const _ of wordSpans(text)) total++
  return total
}

function wordMeasure(text: string): Measure {
  return {
    count: (start, end) => countWords(text.slice(start, end)),
    reach(start, limit) {
      let left = limit
      // No more is read than the limit allows, and one word; a slice this long is a view, not a copy.
      for (const word of wordSpans(text.slice(start))) if (--left < 0) return start + word.start
      return text.length
    },
  }
}
