/** Limits that the server enforces; each over a sliding window. */
export interface RateLimits {
  readonly requestsPerSecond?: number
  readonly tokensPerSecond?: number
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
}

/** The most that any window of that length has seen, refused requests included. */
export interface RatePeak {
  readonly requests: number
  readonly tokens: number
}

interface Arrival {
  readonly time: number
  readonly tokens: number
}

/** Everything that arrived within the last `length` milliseconds, and the most there ever was at once. */
class SlidingWindow {
  readonly #length: number
  readonly #arrivals: Arrival[] = []
  #first = 0
  #tokens = 0
  peak: RatePeak = { requests: 0, tokens: 0 }

  constructor(length: number) {
    this.#length = length
  }

  add(arrival: Arrival): void {
    this.#expire(arrival.time)
    this.#arrivals.push(arrival)
    this.#tokens += arrival.tokens
    const requests = this.#arrivals.length - this.#first
    this.peak = { requests: Math.max(this.peak.requests, requests), tokens: Math.max(this.peak.tokens, this.#tokens) }
  }

  /** How long from `time` until one more request of so many tokens is within the limits; 0 where it is. */
  wait(time: number, tokens: number, maxRequests: number, maxTokens: number): number {
    this.#expire(time)
    let requests = this.#arrivals.length - this.#first + 1
    let sum = this.#tokens + tokens
    let at = this.#first
    // A request that exceeds the limit alone is let through when nothing else is there, as it could never be otherwise.
    while (at < this.#arrivals.length && (requests > maxRequests || sum > maxTokens)) {
      requests--
      sum -= (this.#arrivals[at] as Arrival).tokens
      at++
    }
    return at === this.#first ? 0 : (this.#arrivals[at - 1] as Arrival).time + this.#length - time
  }

  #expire(time: number): void {
    while (this.#first < this.#arrivals.length && (this.#arrivals[this.#first] as Arrival).time <= time - this.#length) {
      this.#tokens -= (this.#arrivals[this.#first] as Arrival).tokens
      this.#first++
    }
    if (this.#first > 10_000) {
      this.#arrivals.splice(0, this.#first)
      this.#first = 0
    }
  }
}

/** Counts requests and tokens by the second and the minute, and says when a limit is reached. */
export class ProviderRate {
  readonly #limits: RateLimits
  /** Accepted requests; limits are held against these. */
  readonly #second: SlidingWindow = new SlidingWindow(1000)
  readonly #minute: SlidingWindow = new SlidingWindow(60_000)
  /** All that arrived; peaks are taken from these. */
  readonly #seenSecond: SlidingWindow = new SlidingWindow(1000)
  readonly #seenMinute: SlidingWindow = new SlidingWindow(60_000)

  constructor(limits: RateLimits) {
    this.#limits = limits
  }

  /** Takes one request in. Gives 0 where it is within the limits, else after how many milliseconds it would be. */
  arrive(time: number, tokens: number): number {
    const { requestsPerSecond, tokensPerSecond, requestsPerMinute, tokensPerMinute } = this.#limits
    const none = Number.POSITIVE_INFINITY
    this.#seenSecond.add({ time, tokens })
    this.#seenMinute.add({ time, tokens })
    const wait = Math.max(
      this.#second.wait(time, tokens, requestsPerSecond ?? none, tokensPerSecond ?? none),
      this.#minute.wait(time, tokens, requestsPerMinute ?? none, tokensPerMinute ?? none),
    )
    if (wait > 0) return wait
    this.#second.add({ time, tokens })
    this.#minute.add({ time, tokens })
    return 0
  }

  get peakPerSecond(): RatePeak {
    return this.#seenSecond.peak
  }

  get peakPerMinute(): RatePeak {
    return this.#seenMinute.peak
  }
}
