import type { Counter } from './counter.ts'

/** Counts UTF-16 code units: what `string.length` says, the cheapest unit, and the default. */
export const characters: Counter = Object.assign((text: string) => text.length, {
  id: 'characters',
  accuracy: 'exact' as const,
  measure: (text: string) => ({
    reach: (start: number, limit: number) => Math.min(text.length, start + limit),
    count: (start: number, end: number) => end - start,
  }),
})
