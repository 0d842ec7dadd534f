import type { Counter } from '../../src/text/counter.ts'

/** Counts runs of characters between white space. */
export const wordCount: Counter = Object.assign((text: string) => text.split(/\s+/).filter(Boolean).length, {
  id: 'words-by-space',
  accuracy: 'exact' as const,
})
