import type { SearchStats } from './library-stats.ts'

const remembered = 1_000

/** Counts how searches went. */
export class SearchWatch {
  #count = 0
  #empty = 0
  #degraded = 0
  #failed = 0
  readonly #times: number[] = []

  finished(milliseconds: number, { empty, degraded }: { readonly empty: boolean; readonly degraded: boolean }): void {
    this.#times[this.#count % remembered] = milliseconds
    this.#count++
    if (empty) this.#empty++
    if (degraded) this.#degraded++
  }

  failed(): void {
    this.#failed++
  }

  get stats(): SearchStats {
    const sorted = this.#times.toSorted((left, right) => left - right)
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return {
      count: this.#count,
      empty: this.#empty,
      degraded: this.#degraded,
      failed: this.#failed,
      medianMilliseconds: at(0.5),
      p95Milliseconds: at(0.95),
    }
  }
}
