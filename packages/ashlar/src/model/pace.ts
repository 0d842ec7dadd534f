/** Limits that a provider states for one key. */
export interface PaceLimits {
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
  /** Share of both limits that stays unused. */
  readonly margin: number
}

/** How much slower calls go after a provider pushed back, and how fast they recover with every answer. */
const slowdown = 1.5
const recovery = 0.95

/** Bounds of the gap that is learnt from push-back, in milliseconds. */
const leastGap = 10
const mostGap = 10_000

/**
 * Says when the next call may start.
 *
 * Starts are spaced evenly and never saved up: after a pause there is no burst, so that no second sees more than its share of a
 * minute's limit. When a provider pushes back, everything waits, and goes slower until answers come again.
 */
export class Pace {
  readonly #gap: number
  readonly #perToken: number
  #requestsFrom = Number.NEGATIVE_INFINITY
  #tokensFrom = Number.NEGATIVE_INFINITY
  #heldUntil = Number.NEGATIVE_INFINITY
  #learntGap = 0
  #lastStart = Number.NEGATIVE_INFINITY
  #usualGap = 0
  #pushedAt = Number.NEGATIVE_INFINITY

  constructor({ requestsPerMinute, tokensPerMinute, margin }: PaceLimits) {
    this.#gap = 60_000 / (requestsPerMinute * (1 - margin))
    this.#perToken = 60_000 / (tokensPerMinute * (1 - margin))
  }

  /** The earliest time for the next start. */
  get from(): number {
    return Math.max(this.#requestsFrom, this.#tokensFrom, this.#heldUntil)
  }

  /** Notes a start. */
  start(now: number, tokens: number): void {
    const gap = now - this.#lastStart
    // A pause says nothing about how fast calls follow one another.
    if (gap < 1000) this.#usualGap += (gap - this.#usualGap) / 5
    this.#lastStart = now
    this.#requestsFrom = now + Math.max(this.#gap, this.#learntGap)
    this.#tokensFrom = Math.max(this.#tokensFrom, now) + tokens * this.#perToken
  }

  /** Notes how far the estimate of a call's tokens was off. */
  correct(difference: number): void {
    if (this.#perToken > 0) this.#tokensFrom += difference * this.#perToken
  }

  /** Notes that a provider asked for less: nothing starts for `wait` milliseconds, and then more slowly. */
  pushBack(now: number, wait: number, startedAt: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, now + wait)
    // Calls that were under way already when the pace was cut tell nothing new.
    if (startedAt < this.#pushedAt) return
    this.#pushedAt = now
    const gap = Math.max(this.#gap, this.#learntGap, this.#usualGap, leastGap) * slowdown
    this.#learntGap = Math.min(gap, Math.max(mostGap, this.#gap))
  }

  /** Notes an answer. */
  relax(): void {
    this.#learntGap *= recovery
    if (this.#learntGap < Math.max(this.#gap, 1)) this.#learntGap = 0
  }
}
