import type { Counter, Measure } from './counter.ts'

/**
 * Opens a text for measuring with any counter: by the counter's own `measure` where it has one, else by counting slices.
 *
 * Counting slices costs some seven counts per chunk; the guess of units per character carries over from chunk to chunk.
 */
export function measureWith(counter: Counter, text: string): Measure {
  return counter.measure?.(text) ?? sliceMeasure(counter, text)
}

function sliceMeasure(counter: Counter, text: string): Measure {
  let charactersPerUnit = 4
  const count = (start: number, end: number): number => counter(text.slice(start, end))
  return {
    count,
    reach(start, limit) {
      let fits = start
      let over = text.length + 1
      let guess = Math.min(text.length, start + Math.max(1, Math.floor(limit * charactersPerUnit)))
      // Close in from both sides; the answer may fall short of the furthest end by a sixty-fourth, never beyond it.
      while (over - fits > Math.max(1, (fits - start) >>> 6)) {
        const counted = count(start, guess)
        if (counted <= limit) {
          fits = guess
          if (guess === text.length) break
        } else over = guess
        const scaled = counted > 0 ? start + Math.floor(((guess - start) * limit) / counted) : start + 2 * (guess - start)
        const ceiling = over > text.length ? Math.min(text.length, start + 2 * (guess - start) + 1) : over - 1
        const step = counted <= limit ? Math.max(scaled, fits + 1) : scaled
        const middle = fits + ((Math.min(over, text.length + 1) - fits) >>> 1)
        // Interpolation first; once both sides are known, halving guarantees an end.
        guess =
          over > text.length ? Math.min(step, ceiling) : step > fits && step < over && Math.abs(step - guess) > 1 ? step : middle
        guess = Math.max(fits + 1, Math.min(guess, text.length))
        if (guess >= over) break
      }
      if (fits > start) charactersPerUnit = (fits - start) / limit
      return fits
    },
  }
}
