import { AshlarError } from '../error/ashlar-error.ts'
import { type CallEvent, type CallKind, tell } from './call-event.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Budget, Ledger, type Reservation, type Spent } from './ledger.ts'
import { Pace } from './pace.ts'
import { askedWait, asModelError, isPushBack, mayHaveCost, type RetryRules, waitBefore } from './retry.ts'
import { costOf, type Price, type Usage } from './usage.ts'

/** How models are to be called. */
export interface CallerOptions {
  /** Most requests under way at once. Too few waste time, too many meet the provider's limits sooner. @default 4 */
  readonly concurrency?: number
  /** What the provider allows. Starts are spaced evenly, so that no second sees more than its share. @default unlimited */
  readonly requestsPerMinute?: number
  /** What the provider allows, in tokens read and written; also keeps a batch to what one second or one request may carry. @default unlimited */
  readonly tokensPerMinute?: number
  /** Share of both limits left unused, since a network delivers evenly spaced requests less evenly. @default 0.1 */
  readonly margin?: number
  /** How often a call is tried in all. Answers that came but cannot be used are asked for three times at most. @default 6 */
  readonly attempts?: number
  /** Bound of the wait before the second attempt, in milliseconds; it doubles with each further one. @default 500 */
  readonly firstWait?: number
  /** Longest wait in milliseconds; where a provider asks for a longer one, the call fails instead. @default 120000 */
  readonly longestWait?: number
  /**
   * Milliseconds from the start of a request to the end of its answer, so that an answer which drips for ever ends too.
   * @default 60000, for generated text 300000
   */
  readonly timeout?: number
  /** What tokens cost, for work that brings no price of its own. @default unknown */
  readonly price?: Price
  /**
   * The most to spend. Each call is reserved by its estimate and settled by its usage, so that the budget is exceeded at most by
   * what calls under way turn out to cost beyond their estimates. @default unlimited
   */
  readonly budget?: Budget
  /** Hears of every call of this caller, whatever work it belongs to. */
  readonly onEvent?: (event: CallEvent) => void
}

/** One thing to ask of a model. */
export interface Call<Value> {
  readonly kind: CallKind
  /** Texts or prompts that it carries. */
  readonly items: number
  /** What it will probably consume. */
  readonly estimate: Usage
  /** @default the caller's */
  readonly price?: Price | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: CallEvent) => void) | undefined
  /** Asked whenever its turn comes: an error given here ends the call before anything is sent. */
  readonly refuse?: (() => AshlarError | undefined) | undefined
  /**
   * Makes one attempt. An answer that cannot be used is thrown as `INVALID_RESPONSE`, with `usage` in its details where it is
   * known, so that it is paid for and asked for again.
   */
  run(signal: AbortSignal): Promise<{ readonly value: Value; readonly usage: Usage }>
  /** Puts the answer where it is safe. The call counts as under way until then, but no timeout can end it any more. */
  keep?(value: Value): Promise<void>
}

/** The one place that calls models: share it between embedders, generators and rerankers whose limits and budget are common. */
export interface Caller {
  readonly concurrency: number
  /** Most tokens that one call should carry under the limits; infinite without any. */
  readonly tokensPerCall: number
  /** Whether estimates should be counted, not guessed, since limits or a budget depend on them. */
  readonly counts: boolean
  /** For work that brings no price of its own. */
  readonly price: Price | undefined
  /** What was spent since the caller was made. */
  readonly spent: Spent
  /**
   * Makes a call when limits and budget allow, again when it fails for a reason that may pass.
   *
   * @throws AshlarError `BUDGET_SPENT` before a call that the budget has no room for.
   * @throws AshlarError whatever the model failed with at last; `details.attempts` says how often it was tried.
   */
  call<Value>(call: Call<Value>): Promise<Value>
}

/** What tests exchange to have time and chance in hand. */
export interface CallerWorld {
  readonly clock: Clock
  /** Numbers in [0, 1). */
  readonly random: () => number
}

/**
 * Makes a {@link Caller}: bounded concurrency, evenly spaced starts under the provider's limits, retries that honour
 * Retry-After, a timeout for each request, and a hard budget.
 *
 * A provider that pushes back (429, 503, 529) holds back all calls and not only the one that failed.
 *
 * @throws AshlarError `INVALID_OPTION` for a limit, wait or budget that cannot be meant.
 */
export function createCaller(options: CallerOptions = {}): Caller {
  return openCaller(options, { clock: systemClock, random: Math.random })
}

/** {@link createCaller} with another clock and other chances. */
export function openCaller(options: CallerOptions, world: CallerWorld): Caller {
  return new ModelCaller(options, world)
}

/** A call that waits for its turn. */
interface Waiting {
  readonly call: Call<unknown>
  readonly reservation: Reservation
  readonly go: () => void
  readonly refuse: (error: unknown) => void
}

class ModelCaller implements Caller {
  readonly concurrency: number
  readonly tokensPerCall: number
  readonly counts: boolean
  readonly price: Price | undefined
  readonly #options: CallerOptions
  readonly #world: CallerWorld
  readonly #rules: RetryRules
  readonly #pace: Pace
  readonly #ledger: Ledger
  /** New calls in the order they came; calls that are tried again go first, since others may wait for their results. */
  readonly #fresh = new Set<Waiting>()
  readonly #again = new Set<Waiting>()
  #running = 0
  #calls = 0
  #cancelTimer: (() => void) | undefined

  constructor(options: CallerOptions, world: CallerWorld) {
    const { concurrency = 4, attempts = 6, firstWait = 500, longestWait = 120_000, margin = 0.1, budget = {} } = options
    const { requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } = options
    check({ concurrency, attempts }, (value) => Number.isInteger(value) && value >= 1, 'a whole number of at least 1')
    check({ requestsPerMinute, tokensPerMinute, timeout: options.timeout ?? 1 }, (value) => value > 0, 'a number above 0')
    check(
      { firstWait, longestWait, 'budget.money': budget.money ?? 0, 'budget.tokens': budget.tokens ?? 0 },
      isAmount,
      'no less than 0',
    )
    check({ margin }, (value) => value >= 0 && value < 1, 'at least 0 and below 1')
    this.concurrency = concurrency
    this.tokensPerCall = (tokensPerMinute * (1 - margin)) / Math.min(60, requestsPerMinute)
    this.counts = tokensPerMinute !== Number.POSITIVE_INFINITY || budget.money !== undefined || budget.tokens !== undefined
    this.price = options.price
    this.#options = options
    this.#world = world
    this.#rules = { attempts, firstWait, longestWait }
    this.#pace = new Pace({ requestsPerMinute, tokensPerMinute, margin })
    this.#ledger = new Ledger(budget)
  }

  get spent(): Spent {
    return this.#ledger.spent
  }

  async call<Value>(call: Call<Value>): Promise<Value> {
    const { clock, random } = this.#world
    const reservation = { estimate: call.estimate, price: this.#priceOf(call) }
    const id = ++this.#calls
    let waited = 0
    for (let attempt = 1; ; attempt++) {
      const facts = { kind: call.kind, call: id, attempt, items: call.items }
      await this.#turn(call, reservation, attempt > 1 ? this.#again : this.#fresh)
      const start = clock.now()
      this.#tell(call, { type: 'call-start', ...facts, tokens: call.estimate.inputTokens + call.estimate.outputTokens })
      try {
        const { value, usage } = await this.#attempt(call)
        await call.keep?.(value)
        this.#settle(reservation, usage)
        this.#pace.relax()
        const cost = reservation.price === undefined ? 0 : costOf(usage, reservation.price)
        this.#tell(call, { type: 'call-answer', ...facts, usage, cost, milliseconds: clock.now() - start })
        return value
      } catch (thrown) {
        if (call.signal?.aborted === true) {
          this.#settle(reservation, 'unknown')
          throw call.signal.reason
        }
        const error = asModelError(thrown)
        const wait = waitBefore(error, attempt, this.#rules, random)
        if (isPushBack(error)) this.#pushBack(error, wait, start)
        this.#settle(reservation, usageOf(error))
        if (wait === undefined) {
          const last = attempt === 1 ? error : withAttempts(error, attempt)
          this.#tell(call, { type: 'call-failed', ...facts, error: last, waited })
          // Others in the queue may not want their turn any more, once they have heard of this.
          clock.timer(0, () => this.#advance())
          throw last
        }
        this.#tell(call, { type: 'call-retry', ...facts, error, wait, waited })
        await this.#sleep(wait, call.signal)
        waited += wait
      }
    }
  }

  #priceOf(call: Call<unknown>): Price | undefined {
    const price = call.price ?? this.price
    if (price === undefined && this.#options.budget?.money !== undefined)
      throw new AshlarError('INVALID_OPTION', 'A budget in money needs a price: give one to the caller or to the work', {
        details: { budget: this.#options.budget },
      })
    return price
  }

  /** Everybody waits as long as the provider asked for, or else as long as the call that failed. */
  #pushBack(error: AshlarError, wait: number | undefined, start: number): void {
    const asked = askedWait(error) ?? wait ?? this.#rules.firstWait
    // A wait that is too long for the call that failed is too long for the others: let them find out for themselves.
    this.#pace.pushBack(this.#world.clock.now(), asked > this.#rules.longestWait ? 0 : asked, start)
  }

  #settle(reservation: Reservation, usage: Usage | 'unknown' | 'none'): void {
    this.#running--
    const { estimate } = reservation
    this.#ledger.settle(reservation, usage)
    if (typeof usage === 'object')
      this.#pace.correct(usage.inputTokens + usage.outputTokens - estimate.inputTokens - estimate.outputTokens)
    this.#advance()
  }

  /** Resolves when a request may leave; it is then counted as under way. */
  #turn(call: Call<unknown>, reservation: Reservation, queue: Set<Waiting>): Promise<void> {
    const { signal } = call
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const leave = (): void => {
        queue.delete(waiting)
        signal?.removeEventListener('abort', abort)
      }
      const abort = (): void => {
        leave()
        reject(signal?.reason)
        this.#advance()
      }
      const waiting: Waiting = {
        call,
        reservation,
        go: () => {
          leave()
          resolve()
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      signal?.addEventListener('abort', abort)
      queue.add(waiting)
      this.#advance()
    })
  }

  /** Starts what may start now, and sees to being called again when more may. */
  #advance(): void {
    const { clock } = this.#world
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const room = this.#ledger.room(next.reservation)
      const refusal = next.call.refuse?.() ?? (room === 'never' ? this.#ledger.refusal(next.reservation) : undefined)
      if (refusal !== undefined) {
        next.refuse(refusal)
        continue
      }
      if (room === 'wait' || this.#running >= this.concurrency) return
      const now = clock.now()
      const from = this.#pace.from
      if (from > now) {
        this.#cancelTimer = clock.timer(from - now, () => this.#advance())
        return
      }
      const { inputTokens, outputTokens } = next.reservation.estimate
      this.#running++
      this.#pace.start(now, inputTokens + outputTokens)
      this.#ledger.reserve(next.reservation)
      next.go()
    }
  }

  #next(): Waiting | undefined {
    const [again] = this.#again
    if (again !== undefined) return again
    const [fresh] = this.#fresh
    return fresh
  }

  /** One request, ended by the signal or by the timeout also where the model does not listen to its signal. */
  async #attempt<Value>(call: Call<Value>): Promise<{ readonly value: Value; readonly usage: Usage }> {
    const { kind, signal } = call
    const timeout = this.#options.timeout ?? (kind === 'generate' ? 300_000 : 60_000)
    const controller = new AbortController()
    const abort = (): void => controller.abort(signal?.reason)
    const expire = (): void => controller.abort(noAnswer(timeout))
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
    })
    const cancelTimer = this.#world.clock.timer(timeout, expire)
    signal?.addEventListener('abort', abort)
    try {
      return await Promise.race([call.run(controller.signal), ended])
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', abort)
    }
  }

  #sleep(wait: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const abort = (): void => {
        cancelTimer()
        reject(signal?.reason)
      }
      const cancelTimer = this.#world.clock.timer(wait, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #tell(call: Call<unknown>, event: CallEvent): void {
    tell(this.#options.onEvent, event)
    tell(call.onEvent, event)
  }
}

/** What a failed call is charged: what its answer said, its estimate where the provider may have worked for it, else nothing. */
function usageOf(error: AshlarError): Usage | 'unknown' | 'none' {
  const usage = error.details['usage']
  if (typeof usage === 'object' && usage !== null) return usage as Usage
  return mayHaveCost(error) ? 'unknown' : 'none'
}

function noAnswer(timeout: number): AshlarError {
  return new AshlarError('MODEL_FAILED', `The model gave no complete answer within ${timeout} ms`, {
    details: { retryable: true, timeout },
  })
}

function withAttempts(error: AshlarError, attempts: number): AshlarError {
  return new AshlarError(error.code, `${error.message} (tried ${attempts} times)`, {
    details: { ...error.details, attempts },
    cause: error.cause ?? error,
  })
}

function isAmount(value: number): boolean {
  return value >= 0
}

function check(values: Readonly<Record<string, number>>, isSound: (value: number) => boolean, what: string): void {
  for (const [name, value] of Object.entries(values)) {
    if (!isSound(value))
      throw new AshlarError('INVALID_OPTION', `${name} must be ${what}; got ${value}`, { details: { [name]: value } })
  }
}
