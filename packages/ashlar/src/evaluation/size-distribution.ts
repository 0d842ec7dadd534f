/** How large pieces are, in characters. */
export interface SizeDistribution {
  readonly pieces: number
  readonly mean: number
  readonly smallest: number
  readonly p5: number
  readonly median: number
  readonly p95: number
  readonly largest: number
  /** How many pieces have from `from` up to, but not including, `to` characters; equally wide, none left out. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly pieces: number }[]
}

/** The most bars of a histogram. */
const mostBars = 12
/** Widths of a bar that people can read. */
const widths = [10, 20, 25, 50, 100, 200, 250, 500, 1000]

/** Counts sizes one by one: memory grows with the largest size and not with their number. */
export class SizeCounter {
  readonly #counts = new Map<number, number>()
  #pieces = 0
  #sum = 0

  add(size: number): void {
    this.#counts.set(size, (this.#counts.get(size) ?? 0) + 1)
    this.#pieces++
    this.#sum += size
  }

  distribution(): SizeDistribution {
    const sorted = [...this.#counts].sort(([left], [right]) => left - right)
    const at = (share: number): number => {
      let left = Math.round(share * (this.#pieces - 1))
      for (const [size, count] of sorted) {
        left -= count
        if (left < 0) return size
      }
      return sorted.at(-1)?.[0] ?? 0
    }
    const largest = sorted.at(-1)?.[0] ?? 0
    // A few giants must not squeeze all others into one bar: the last bar takes what is beyond.
    const shown = Math.min(largest, Math.max(2 * at(0.99), 1))
    const width = widths.find((one) => shown / one < mostBars) ?? Math.ceil(shown / mostBars / 1000) * 1000
    const bars = Array.from({ length: Math.floor(shown / width) + 1 }, (_, index) => ({
      from: index * width,
      to: (index + 1) * width,
      pieces: 0,
    }))
    for (const [size, count] of sorted) {
      const bar = bars[Math.min(bars.length - 1, Math.floor(size / width))]
      if (bar !== undefined) bar.pieces += count
    }
    const last = bars.at(-1)
    if (last !== undefined) last.to = Math.max(last.to, largest + 1)
    return {
      pieces: this.#pieces,
      mean: this.#pieces === 0 ? 0 : this.#sum / this.#pieces,
      smallest: sorted[0]?.[0] ?? 0,
      p5: at(0.05),
      median: at(0.5),
      p95: at(0.95),
      largest,
      histogram: this.#pieces === 0 ? [] : bars,
    }
  }
}
