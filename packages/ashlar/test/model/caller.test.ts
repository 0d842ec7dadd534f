import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { CallEvent } from '../../src/model/call-event.ts'
import { type Call, type Caller, type CallerOptions, createCaller, openCaller } from '../../src/model/caller.ts'
import { noUsage, type Usage } from '../../src/model/usage.ts'
import { type FakeClock, fakeClock, seededRandom } from './fake-clock.ts'

interface Scene {
  readonly clock: FakeClock
  readonly caller: Caller
  readonly events: CallEvent[]
}

function open(options: CallerOptions = {}, random: () => number = seededRandom(1)): Scene {
  const clock = fakeClock()
  const events: CallEvent[] = []
  return { clock, events, caller: openCaller({ onEvent: (event) => events.push(event), ...options }, { clock, random }) }
}

function input(inputTokens: number): Usage {
  return { ...noUsage, inputTokens }
}

function call<Value>(run: Call<Value>['run'], more: Partial<Call<Value>> = {}): Call<Value> {
  return { kind: 'embed', items: 1, estimate: input(10), run, ...more }
}

function failure(details: Record<string, unknown>, code: AshlarError['code'] = 'MODEL_FAILED'): AshlarError {
  return new AshlarError(code, 'It failed', { details })
}

const ok = async (): Promise<{ value: string; usage: Usage }> => ({ value: 'ok', usage: input(10) })

/** Fails with the errors in turn, then answers. */
function failing(...errors: unknown[]): Call<string>['run'] {
  return () => (errors.length > 0 ? Promise.reject(errors.shift()) : ok())
}

/** The most values in any half-open second. */
function busiestSecond(starts: readonly number[], weights: readonly number[] = starts.map(() => 1)): number {
  let most = 0
  for (const [from, start] of starts.entries()) {
    let sum = 0
    for (let at = from; at < starts.length && (starts[at] as number) < start + 1000; at++) sum += weights[at] as number
    most = Math.max(most, sum)
  }
  return most
}

describe('limits', () => {
  test('never more calls under way than allowed, and no fewer than possible', async () => {
    const { clock, caller } = open({ concurrency: 3 })
    let running = 0
    let most = 0
    const run = async (): Promise<{ value: string; usage: Usage }> => {
      most = Math.max(most, ++running)
      await clock.sleep(100)
      running--
      return ok()
    }
    await clock.drive(Promise.all(Array.from({ length: 10 }, () => caller.call(call(run)))))
    expect(most).toBe(3)
    expect(clock.now()).toBe(400)
  })

  test('no second sees more requests or tokens than its share of the minute, whatever fails', async () => {
    const setting = fc.record({
      requestsPerMinute: fc.integer({ min: 60, max: 6000 }),
      tokensPerMinute: fc.integer({ min: 30_000, max: 600_000 }),
      concurrency: fc.integer({ min: 1, max: 16 }),
      seed: fc.integer(),
      calls: fc.array(
        fc.record({
          tokens: fc.integer({ min: 1, max: 450 }),
          takes: fc.integer({ min: 0, max: 900 }),
          status: fc.constantFrom(undefined, undefined, undefined, 429, 500, 503),
          retryAfter: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: undefined }),
          pause: fc.constantFrom(0, 0, 0, 0, 2500),
        }),
        { minLength: 1, maxLength: 60 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(setting, async ({ calls, seed, ...limits }) => {
        const { clock, caller } = open(limits, seededRandom(seed))
        const starts: number[] = []
        const tokens: number[] = []
        const work = async (): Promise<void> => {
          const all: Promise<string>[] = []
          for (const item of calls) {
            let isFirst = true
            const run = async (): Promise<{ value: string; usage: Usage }> => {
              starts.push(clock.now())
              tokens.push(item.tokens)
              await clock.sleep(item.takes)
              const { status, retryAfter } = item
              if (status !== undefined && isFirst) {
                isFirst = false
                throw failure({ status, retryable: true, ...(retryAfter !== undefined && { retryAfter }) })
              }
              return { value: 'ok', usage: input(item.tokens) }
            }
            all.push(caller.call(call(run, { estimate: input(item.tokens) })))
            if (item.pause > 0) await clock.sleep(item.pause)
          }
          await Promise.all(all)
        }
        await clock.drive(work())
        expect(busiestSecond(starts)).toBeLessThanOrEqual(Math.ceil(limits.requestsPerMinute / 60))
        // A call may weigh more than what is left of its second, but the next one waits for it.
        expect(busiestSecond(starts, tokens)).toBeLessThanOrEqual(limits.tokensPerMinute / 60 + 450)
      }),
      { numRuns: 60 },
    )
  })

  test('an estimate that was too low is made up for', async () => {
    const { clock, caller } = open({ tokensPerMinute: 60_000, margin: 0, concurrency: 1 })
    const run = async (): Promise<{ value: string; usage: Usage }> => ({ value: 'ok', usage: input(2000) })
    await clock.drive(caller.call(call(run, { estimate: input(1000) })))
    await clock.drive(caller.call(call(run, { estimate: input(1000) })))
    expect(clock.now()).toBe(2000)
  })

  test('a batch is kept to what one second or one request may carry', () => {
    expect(createCaller().tokensPerCall).toBe(Number.POSITIVE_INFINITY)
    expect(createCaller({ tokensPerMinute: 60_000, margin: 0 }).tokensPerCall).toBe(1000)
    expect(createCaller({ tokensPerMinute: 60_000, requestsPerMinute: 6, margin: 0 }).tokensPerCall).toBe(10_000)
  })

  test('Retry-After holds back every call', async () => {
    const { clock, caller } = open({ concurrency: 4 }, () => 0)
    const starts: number[] = []
    const refuse = failing(failure({ status: 429, retryable: true, retryAfter: 5000 }))
    const first = caller.call(call(refuse))
    const later = clock.sleep(1).then(() =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          caller.call(
            call(() => {
              starts.push(clock.now())
              return ok()
            }),
          ),
        ),
      ),
    )
    await clock.drive(Promise.all([first, later]))
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(5000)
  })

  test('after a 429 calls go more slowly, and faster again with every answer', async () => {
    const { clock, caller } = open({ concurrency: 1 }, () => 0.5)
    const starts: number[] = []
    const answer = async (): Promise<{ value: string; usage: Usage }> => {
      starts.push(clock.now())
      return ok()
    }
    await clock.drive(caller.call(call(failing(failure({ status: 429, retryable: true })))))
    await clock.drive(Promise.all(Array.from({ length: 200 }, () => caller.call(call(answer)))))
    const gaps = starts.slice(1).map((start, at) => start - (starts[at] as number))
    expect(gaps[0]).toBeGreaterThanOrEqual(10)
    expect(gaps.at(-1)).toBe(0)
  })
})

describe('retries', () => {
  test('wait any time up to a bound that doubles, and end', async () => {
    const cases: { readonly share: number; readonly waits: readonly number[] }[] = [
      { share: 0, waits: [0, 0, 0, 0, 0] },
      { share: 0.5, waits: [250, 500, 1000, 2000, 4000] },
    ]
    for (const { share, waits } of cases) {
      const { clock, caller, events } = open({}, () => share)
      const run = (): Promise<never> => Promise.reject(failure({ status: 500, retryable: true }))
      await expect(clock.drive(caller.call(call(run)))).rejects.toMatchObject({
        code: 'MODEL_FAILED',
        details: { status: 500, attempts: 6 },
      })
      const retries = events.filter((event) => event.type === 'call-retry')
      expect(retries.map(({ wait }) => wait)).toEqual(waits)
      const total = waits.reduce((sum, wait) => sum + wait, 0)
      expect(events.at(-1)).toMatchObject({ type: 'call-failed', attempt: 6, waited: total })
      expect(caller.spent).toMatchObject({ requests: 6, usage: noUsage, presumed: noUsage })
    }
  })

  test('keep to what the provider asked for, unless that is too long', async () => {
    const { clock, caller } = open({ longestWait: 60_000 }, () => 0)
    await clock.drive(caller.call(call(failing(failure({ status: 503, retryable: true, retryAfter: 60_000 })))))
    expect(clock.now()).toBe(60_000)
    const tomorrow = failure({ status: 429, retryable: true, retryAfter: 86_400_000 })
    await expect(clock.drive(caller.call(call(failing(tomorrow))))).rejects.toBe(tomorrow)
  })

  test('answers that cannot be used are asked for three times and paid for each time', async () => {
    const { clock, caller } = open()
    const errors = Array.from({ length: 9 }, () => failure({ usage: input(7) }, 'INVALID_RESPONSE'))
    await expect(clock.drive(caller.call(call(failing(...errors))))).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      details: { attempts: 3 },
    })
    expect(caller.spent).toMatchObject({ requests: 3, usage: input(21), presumed: noUsage })
  })

  test.each([failure({ index: 0 }, 'TEXT_TOO_LONG'), failure({}, 'REFUSED'), failure({ status: 401, retryable: false })])(
    '$code is not tried again when that cannot help',
    async (error) => {
      const { clock, caller } = open()
      await expect(clock.drive(caller.call(call(failing(error))))).rejects.toBe(error)
      expect(caller.spent.requests).toBe(1)
    },
  )

  test('calls that the provider may have worked for are charged by their estimate', async () => {
    const { clock, caller } = open()
    const cut = failure({ retryable: true })
    const cutInBody = failure({ status: 200, retryable: true })
    const unreadable = failure({ status: 200, retryable: true }, 'INVALID_RESPONSE')
    const refused = failure({ status: 429, retryable: true })
    await clock.drive(caller.call(call(failing(cut, cutInBody, refused))))
    await clock.drive(caller.call(call(failing(unreadable))))
    expect(caller.spent).toMatchObject({ requests: 6, usage: input(20), presumed: input(30) })
  })

  test('whatever else a model throws becomes MODEL_FAILED with its cause', async () => {
    const { clock, caller } = open()
    const mistake = new TypeError('undefined is not a function')
    const error = await clock.drive(caller.call(call(failing(mistake))).catch((thrown) => thrown))
    expect(error).toMatchObject({ code: 'MODEL_FAILED', cause: mistake })
    expect(caller.spent.requests).toBe(1)
  })

  test('go before calls that have not been tried', async () => {
    const { clock, caller } = open({ concurrency: 1 }, () => 0)
    const order: string[] = []
    const note = (name: string, run: Call<string>['run']) => (signal: AbortSignal) => {
      order.push(name)
      return run(signal)
    }
    await clock.drive(
      Promise.all([
        caller.call(call(note('a', failing(failure({ status: 500, retryable: true }))))),
        caller.call(
          call(
            note('b', async () => {
              await clock.sleep(10)
              return ok()
            }),
          ),
        ),
        caller.call(call(note('c', ok))),
      ]),
    )
    expect(order).toEqual(['a', 'b', 'a', 'c'])
  })
})

describe('ends', () => {
  test('an answer that never completes, also where the model does not listen, and asks again', async () => {
    const { clock, caller } = open({ timeout: 2000 }, () => 0)
    const signals: AbortSignal[] = []
    const run = (signal: AbortSignal): Promise<{ value: string; usage: Usage }> => {
      signals.push(signal)
      return signals.length > 1 ? ok() : new Promise(() => {})
    }
    expect(await clock.drive(caller.call(call(run)))).toBe('ok')
    expect(clock.now()).toBe(2000)
    expect(signals[0]?.reason).toMatchObject({ code: 'MODEL_FAILED', details: { timeout: 2000, retryable: true } })
    // Nobody knows whether the provider charged for it.
    expect(caller.spent).toMatchObject({ usage: input(10), presumed: input(10) })
  })

  test('at the signal, with its reason: before, in the queue, under way, and between attempts', async () => {
    const reason = new Error('enough')
    const { clock, caller } = open({ concurrency: 1 }, () => 0.9)
    expect(await caller.call(call(ok, { signal: AbortSignal.abort(reason) })).catch((error) => error)).toBe(reason)
    const controller = new AbortController()
    const { signal } = controller
    const running = caller.call(call(() => new Promise(() => {}), { signal }))
    const queued = caller.call(call(ok, { signal }))
    const after = caller.call(call(ok))
    const all = Promise.allSettled([running, queued])
    void clock.sleep(5).then(() => controller.abort(reason))
    for (const result of await clock.drive(all)) expect(result).toMatchObject({ status: 'rejected', reason })
    expect(await clock.drive(after)).toBe('ok')

    const second = new AbortController()
    const sleeping = caller.call(call(failing(failure({ status: 500, retryable: true })), { signal: second.signal }))
    void clock.sleep(1).then(() => second.abort(reason))
    await expect(clock.drive(sleeping)).rejects.toBe(reason)
  })
})

describe('budget', () => {
  test('is never exceeded where estimates hold, and is used to the last call that fits', async () => {
    const setting = fc.record({
      tokens: fc.integer({ min: 0, max: 2000 }),
      concurrency: fc.integer({ min: 1, max: 8 }),
      calls: fc.array(fc.record({ tokens: fc.integer({ min: 1, max: 200 }), takes: fc.integer({ min: 0, max: 50 }) }), {
        maxLength: 40,
      }),
    })
    await fc.assert(
      fc.asyncProperty(setting, async ({ tokens, concurrency, calls }) => {
        const price = { input: 1000 }
        const budget = { tokens, money: tokens / 1000 }
        const { clock, caller } = open({ concurrency, budget, price })
        const results = await clock.drive(
          Promise.allSettled(
            calls.map((item) =>
              caller.call(
                call(
                  async () => {
                    await clock.sleep(item.takes)
                    return { value: 'ok', usage: input(item.tokens) }
                  },
                  { estimate: input(item.tokens) },
                ),
              ),
            ),
          ),
        )
        expect(caller.spent.usage.inputTokens).toBeLessThanOrEqual(tokens)
        const left = tokens - caller.spent.usage.inputTokens
        for (const [at, result] of results.entries()) {
          if (result.status === 'fulfilled') continue
          expect(result.reason.code).toBe('BUDGET_SPENT')
          // Money is a sum of fractions: the last call may miss by the rounding of one.
          expect(calls[at]?.tokens).toBeGreaterThanOrEqual(left)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('is exceeded by no more than the calls under way where estimates are wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 500 }), async (concurrency, actual) => {
        const { clock, caller } = open({ concurrency, budget: { tokens: 1000 } })
        const run = async (): Promise<{ value: string; usage: Usage }> => {
          await clock.sleep(10)
          return { value: 'ok', usage: input(actual) }
        }
        await clock.drive(Promise.allSettled(Array.from({ length: 50 }, () => caller.call(call(run)))))
        expect(caller.spent.usage.inputTokens).toBeLessThanOrEqual(1000 + concurrency * actual)
      }),
      { numRuns: 40 },
    )
  })

  test('waits for calls under way before it refuses', async () => {
    const { clock, caller } = open({ budget: { tokens: 100 } })
    const run = async (): Promise<{ value: string; usage: Usage }> => {
      await clock.sleep(10)
      return { value: 'ok', usage: input(1) }
    }
    const all = Array.from({ length: 3 }, () => caller.call(call(run, { estimate: input(60) })))
    expect(await clock.drive(Promise.all(all))).toEqual(['ok', 'ok', 'ok'])
    expect(clock.now()).toBe(30)
    await expect(clock.drive(caller.call(call(run, { estimate: input(98) })))).rejects.toMatchObject({
      code: 'BUDGET_SPENT',
      details: { budget: { tokens: 100 }, spent: { tokens: 3 }, next: { tokens: 98 } },
    })
  })

  test('in money counts cached and written tokens at their own price', async () => {
    const price = { input: 4, cachedInput: 1, cacheWrite: 5, output: 20 }
    const { clock, caller, events } = open({ budget: { money: 1 } })
    const usage = { inputTokens: 100_000, cachedTokens: 50_000, cacheWriteTokens: 20_000, outputTokens: 10_000 }
    await clock.drive(caller.call(call(async () => ({ value: 1, usage }), { price })))
    const cost = (30_000 * 4 + 50_000 + 20_000 * 5 + 10_000 * 20) / 1e6
    expect(caller.spent.money).toBeCloseTo(cost, 12)
    expect(events.at(-1)).toMatchObject({ type: 'call-answer', cost: caller.spent.money, usage })
  })

  test('in money without a price is a mistake', async () => {
    const { caller } = open({ budget: { money: 1 } })
    await expect(caller.call(call(ok))).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

test.each<CallerOptions>([
  { concurrency: 0 },
  { concurrency: 1.5 },
  { attempts: 0 },
  { requestsPerMinute: 0 },
  { tokensPerMinute: -1 },
  { margin: 1 },
  { timeout: 0 },
  { longestWait: Number.NaN },
  { budget: { money: -1 } },
])('refuses %j', (options) => {
  expect(() => createCaller(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
})
