import type { Counter } from './counter.ts'

/**
 * Approximates tokens as a quarter of the code units, rounded up: the common rule of thumb, at no cost.
 *
 * Fair for English prose; Chinese, Thai, code and numbers have two to five times as many tokens as it says.
 */
export const approximateTokens: Counter = Object.assign((text: string) => Math.ceil(text.length / 4), {
  id: 'length/4',
  accuracy: 'approximate' as const,
  measure: (text: string) => ({
    reach: (start: number, limit: number) => Math.max(start, Math.min(text.length, start + 4 * Math.floor(limit))),
    count: (start: number, end: number) => Math.ceil((end - start) / 4),
  }),
})
