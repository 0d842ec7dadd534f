import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { TextItem } from '../../src/model/ask-all.ts'
import type { WorkEvent } from '../../src/model/call-event.ts'
import { openCaller } from '../../src/model/caller.ts'
import { type EmbedOutcome, embedAll } from '../../src/model/embed-all.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import type { ModelCache } from '../../src/model/model-cache.ts'
import { noUsage } from '../../src/model/usage.ts'
import { collect } from './collect.ts'
import { fakeClock, seededRandom } from './fake-clock.ts'
import { scriptedEmbedder, type Trouble, troubles, vectorOf } from './scripted-embedder.ts'

const texts = (count: number, prefix = 'text'): string[] => Array.from({ length: count }, (_, at) => `${prefix} ${at}`)
const vectors = (outcomes: readonly EmbedOutcome[]): (Float32Array | undefined)[] => outcomes.map(({ vector }) => vector)

describe('whatever fails', () => {
  test('every text comes out once, in order, with its own vector or its own error, and limits and budget hold', async () => {
    const item = fc.oneof(
      { weight: 8, arbitrary: fc.stringMatching(/^[a-d]{1,6}$/) },
      { weight: 1, arbitrary: fc.constantFrom('unfit', 'unfit too', 'odd') },
      { weight: 1, arbitrary: fc.constantFrom('far too long for this model', 'longer than the model reads') },
    )
    const scene = fc.record({
      items: fc.array(item, { maxLength: 60 }),
      troubles: fc.array(fc.constantFrom<Trouble>('none', 'none', 'none', ...troubles), { maxLength: 30 }),
      maxBatch: fc.integer({ min: 1, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 5 }),
      requestsPerMinute: fc.constantFrom(Number.POSITIVE_INFINITY, 600, 120),
      tokens: fc.constantFrom(Number.POSITIVE_INFINITY, 40),
      dimensions: fc.constantFrom(undefined, 4),
      seed: fc.integer(),
    })
    await fc.assert(
      fc.asyncProperty(scene, async ({ items, tokens, seed, concurrency, requestsPerMinute, ...script }) => {
        const clock = fakeClock()
        // Where nobody said how long vectors are, the first answer does: it must not be the one that is wrong.
        const troubles =
          script.dimensions === undefined ? script.troubles.filter((name) => name !== 'other dimensions') : script.troubles
        const embedder = scriptedEmbedder({ ...script, troubles, clock, maxTokens: 20 })
        const caller = openCaller(
          { concurrency, requestsPerMinute, attempts: 40, longestWait: 2000, timeout: 1000, budget: { tokens } },
          { clock, random: seededRandom(seed) },
        )
        const cache = memoryCache()
        const outcomes = await clock.drive(collect(embedAll(embedder, items, { caller, cache })))
        expect(outcomes.map(({ index }) => index)).toEqual(items.map((_, at) => at))
        for (const [at, { vector, error }] of outcomes.entries()) {
          const text = items[at] as string
          if (vector !== undefined) expect(vector).toEqual(vectorOf(text))
          else if (error?.code === 'BUDGET_SPENT') expect(tokens).toBeLessThan(Number.POSITIVE_INFINITY)
          else if (error?.code === 'TEXT_TOO_LONG') expect(text.length).toBeGreaterThan(20)
          else if (error?.code === 'MODEL_FAILED') expect(text).toContain('unfit')
          else {
            expect(error?.code).toBe('INVALID_RESPONSE')
            // Three bad answers in a row for a text alone are taken for its fault.
            if (!text.includes('odd')) expect(script.troubles.length).toBeGreaterThan(3)
          }
          if (error !== undefined) expect(error.details).toMatchObject({ index: at })
        }
        // Evenly spaced: at no time more than a second's share begins within a second.
        const share = Math.ceil(requestsPerMinute / 60)
        for (const [at, time] of embedder.times.entries())
          expect((embedder.times[at + share] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(1000)
        const { usage, presumed } = caller.spent
        expect(usage.inputTokens + presumed.inputTokens).toBeLessThanOrEqual(tokens)
        // Nothing that was answered is asked for again, in this run or the next.
        const answered = embedder.answered.flat().filter((text) => !text.includes('odd'))
        expect(answered.length).toBe(new Set(answered).size)
        const again = scriptedEmbedder({ maxBatch: script.maxBatch, maxTokens: 20, clock })
        await clock.drive(collect(embedAll(again, items, { cache, caller: openCaller({}, { clock, random: () => 0 }) })))
        expect(again.answered.flat().filter((text) => answered.includes(text))).toEqual([])
      }),
      { numRuns: 250 },
    )
  })

  test('good texts of a batch are not lost with a bad one', async () => {
    const clock = fakeClock()
    const caller = openCaller({}, { clock, random: () => 0 })
    const items = texts(16)
    items[11] = 'unfit'
    const embedder = scriptedEmbedder({ maxBatch: 16, clock })
    const events: WorkEvent[] = []
    const outcomes = await clock.drive(collect(embedAll(embedder, items, { caller, onEvent: (event) => events.push(event) })))
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([
      { index: 11, error: expect.objectContaining({ code: 'MODEL_FAILED', message: 'Failed with 400 (item 11)' }) },
    ])
    expect(embedder.calls.length).toBe(9)
    expect(events.filter(({ type }) => type === 'batch-split').length).toBe(4)
  })

  test('a text that is too long is named by its place and id, and costs no call of its own', async () => {
    const items = [{ id: 'a', text: 'short' }, { id: 'b#3', text: 'x'.repeat(50) }, 'other']
    const embedder = scriptedEmbedder({ maxTokens: 20 })
    const outcomes = await collect(embedAll(embedder, items))
    expect(outcomes[0]).toEqual({ index: 0, id: 'a', vector: vectorOf('short'), cached: false })
    expect(outcomes[1]?.error).toMatchObject({ code: 'TEXT_TOO_LONG', details: { index: 1, id: 'b#3' } })
    expect(outcomes[1]?.error?.message).toContain('"b#3"')
    expect(outcomes[2]).toEqual({ index: 2, vector: vectorOf('other'), cached: false })
    expect(embedder.calls).toEqual([
      ['short', 'x'.repeat(50), 'other'],
      ['short', 'other'],
    ])
  })

  test('a provider that is away is left alone after three calls, and what came before is kept', async () => {
    const clock = fakeClock()
    const cache = memoryCache()
    const embedder = scriptedEmbedder({ clock, troubles: ['none', ...Array.from({ length: 60 }, () => '500' as const)] })
    const caller = openCaller({ concurrency: 1, attempts: 2 }, { clock, random: () => 0 })
    const outcomes = await clock.drive(collect(embedAll(embedder, texts(100), { caller, cache })))
    expect(vectors(outcomes.slice(0, 5))).toEqual(texts(5).map((text) => vectorOf(text)))
    expect(outcomes.slice(5).every(({ error }) => error?.code === 'MODEL_FAILED')).toBe(true)
    expect(outcomes[99]?.error?.message).toMatch(/^Not tried after 3 failures in a row: Failed with 500/)
    expect(embedder.calls.length).toBeLessThan(10)
    const later = scriptedEmbedder()
    await collect(embedAll(later, texts(100), { cache }))
    expect(later.calls.flat().length).toBe(95)
  })

  test('a quota that opens again tomorrow ends the work at once', async () => {
    const clock = fakeClock()
    const inner = scriptedEmbedder({ clock })
    const spent = new AshlarError('MODEL_FAILED', 'Quota', { details: { status: 429, retryable: true, retryAfter: 86_400_000 } })
    const embedder: Embedder = {
      ...inner,
      embed: (given, options) => inner.embed(given, options).then(() => Promise.reject(spent)),
    }
    const caller = openCaller({}, { clock, random: () => 0.5 })
    const outcomes = await clock.drive(collect(embedAll(embedder, texts(500), { caller })))
    expect(outcomes.every(({ error }) => error?.details['retryAfter'] === 86_400_000)).toBe(true)
    expect(clock.now()).toBeLessThan(1000)
    expect(inner.calls.length).toBeLessThan(10)
  })

  test('a provider that refuses everything is left alone, too', async () => {
    const clock = fakeClock()
    const embedder = scriptedEmbedder({ clock, maxBatch: 50 })
    const caller = openCaller({}, { clock, random: () => 0 })
    const outcomes = await clock.drive(collect(embedAll(embedder, texts(5000, 'unfit'), { caller })))
    expect(outcomes.length).toBe(5000)
    expect(outcomes.every(({ error }) => error?.code === 'MODEL_FAILED')).toBe(true)
    expect(embedder.calls.length).toBeLessThan(80)
  })
})

describe('batches', () => {
  test('are full, by count and by tokens', async () => {
    const byCount = scriptedEmbedder({ maxBatch: 4 })
    await collect(embedAll(byCount, texts(10)))
    expect(byCount.calls.map(({ length }) => length)).toEqual([4, 4, 2])
    const byTokens = scriptedEmbedder({ maxBatch: 100, maxBatchTokens: 50 })
    await collect(embedAll(byTokens, texts(40, 'some more words')))
    // Five tokens each by the rule of thumb, which leaves a tenth of the limit free.
    expect(byTokens.calls.map(({ length }) => length)).toEqual([9, 9, 9, 9, 4])
  })

  test('are kept to what a limit of tokens per minute lets through in a second', async () => {
    const clock = fakeClock()
    const embedder = scriptedEmbedder({ clock, maxBatch: 100 })
    const caller = openCaller({ tokensPerMinute: 3000, margin: 0 }, { clock, random: () => 0 })
    await clock.drive(collect(embedAll(embedder, texts(30, 'some more words'), { caller })))
    expect(embedder.calls.map(({ length }) => length)).toEqual([10, 10, 10])
    expect(clock.now()).toBe(2010)
  })

  test('hold equal texts once, near and far', async () => {
    const items = [...texts(20), ...texts(20), ...texts(3000), ...texts(20)]
    const embedder = scriptedEmbedder({ maxBatch: 7 })
    const outcomes = await collect(embedAll(embedder, items))
    expect(vectors(outcomes)).toEqual(items.map((text) => vectorOf(text)))
    expect(embedder.calls.flat().length).toBe(3000)
    expect(outcomes.filter((outcome) => outcome.vector && !outcome.cached).length).toBe(3000)
  })

  test('are read ahead only so far as outcomes are taken', async () => {
    let read = 0
    function* source(): Generator<string> {
      for (; ; read++) yield `text ${read}`
    }
    const taken: number[] = []
    for await (const { index } of embedAll(scriptedEmbedder({ maxBatch: 50 }), source())) {
      taken.push(index)
      expect(read - index).toBeLessThanOrEqual(1024)
      if (index === 5000) break
    }
    expect(taken.length).toBe(5001)
  })

  test('are not waited for where the source waits for outcomes', async () => {
    let release: () => void = () => {}
    async function* source(): AsyncGenerator<string> {
      for (let at = 0; at < 4; at++) {
        yield `text ${at}`
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
    }
    const seen: number[] = []
    for await (const { index } of embedAll(scriptedEmbedder({ maxBatch: 50 }), source())) {
      seen.push(index)
      release()
    }
    expect(seen).toEqual([0, 1, 2, 3])
  })
})

describe('cache', () => {
  test('tells documents from queries, models from each other, and texts to the code unit', async () => {
    const cache = memoryCache()
    const items = ['a', 'a\ud800', 'a\udc00', 'a\ufffd', 'á', 'a\u0301']
    const first = scriptedEmbedder()
    await collect(embedAll(first, items, { cache }))
    expect(first.calls.flat()).toEqual(items)
    const asQuery = scriptedEmbedder()
    const [outcome] = await collect(embedAll(asQuery, ['a'], { cache, as: 'query' }))
    expect(outcome?.vector).toEqual(vectorOf('a', 'query'))
    const other = scriptedEmbedder()
    const renamed: Embedder = { ...other, identity: { ...other.identity, model: 'test/other' } }
    await collect(embedAll(renamed, ['a'], { cache }))
    expect(other.calls.length).toBe(1)
  })

  test('that fails costs nothing but the saving', async () => {
    const broken: ModelCache = {
      get: () => Promise.reject(new Error('disk')),
      set: () => Promise.reject(new Error('disk full')),
      [Symbol.asyncDispose]: async () => {},
    }
    const events: WorkEvent[] = []
    const outcomes = await collect(
      embedAll(scriptedEmbedder(), texts(7), { cache: broken, onEvent: (event) => events.push(event) }),
    )
    expect(vectors(outcomes)).toEqual(texts(7).map((text) => vectorOf(text)))
    expect(events.filter(({ type }) => type === 'cache-failed').length).toBe(4)
  })

  test('with values of another length is not believed', async () => {
    const cache = memoryCache()
    await collect(embedAll(scriptedEmbedder(), texts(3), { cache }))
    const three = scriptedEmbedder({ dimensions: 3 })
    const narrow: Embedder = {
      ...three,
      embed: async (given) => ({ vectors: given.map(() => Float32Array.of(1, 2, 3)), usage: noUsage }),
    }
    expect(vectors(await collect(embedAll(narrow, texts(3), { cache })))).toEqual(Array(3).fill(Float32Array.of(1, 2, 3)))
  })

  test('that answers late does not make a text be asked for twice', async () => {
    const inner = memoryCache()
    const late: ModelCache = {
      get: async (keys) => {
        const found = await inner.get(keys)
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
        return found
      },
      set: (entries) => inner.set(entries),
      [Symbol.asyncDispose]: async () => {},
    }
    const embedder = scriptedEmbedder({ maxBatch: 1 })
    const slow: Embedder = {
      ...embedder,
      embed: async (given, options) => {
        for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
        return embedder.embed(given, options)
      },
    }
    const outcomes = await collect(embedAll(slow, ['a', 'a', 'b', 'a', 'b'], { cache: late }))
    expect(vectors(outcomes)).toEqual(['a', 'a', 'b', 'a', 'b'].map((text) => vectorOf(text)))
    expect(embedder.calls).toEqual([['a'], ['b']])
  })

  test('has every answer before it comes out', async () => {
    const inner = memoryCache()
    const kept = new Set<string>()
    let written = 0
    const cache: ModelCache = {
      get: (keys) => inner.get(keys),
      set: async (entries) => {
        await new Promise(setImmediate)
        for (const { key } of entries) kept.add(key)
        written += entries.length
      },
      [Symbol.asyncDispose]: async () => {},
    }
    for await (const { index } of embedAll(scriptedEmbedder(), texts(23), { cache })) expect(written).toBeGreaterThan(index)
    expect(kept.size).toBe(23)
  })
})

describe('token states', () => {
  const withTokens: Embedder = {
    ...scriptedEmbedder(),
    givesTokens: true,
    embed: async (given, { tokens }) => ({
      vectors: given.map((text) => vectorOf(text)),
      ...(tokens === true && {
        tokens: given.map((text) => ({
          starts: Uint32Array.of(0),
          ends: Uint32Array.of(text.length),
          ids: Uint32Array.of(1),
          states: vectorOf(text),
        })),
      }),
      usage: noUsage,
    }),
  }

  test('come with the vectors where they are asked for, cached or not', async () => {
    const cache = memoryCache()
    await collect(embedAll(withTokens, ['a', 'bb'], { cache }))
    const outcomes = await collect(embedAll(withTokens, ['a', 'bb'], { cache, tokens: true }))
    expect(outcomes.map((outcome) => outcome.vector && outcome.tokens?.ends)).toEqual([Uint32Array.of(1), Uint32Array.of(2)])
  })
})

describe('ends', () => {
  test('with the reason of the signal', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const outcomes = embedAll(scriptedEmbedder(), texts(50), { signal: controller.signal })
    await outcomes.next()
    controller.abort(reason)
    await expect(collect(outcomes)).rejects.toBe(reason)
    await expect(collect(embedAll(scriptedEmbedder(), [], { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
  })

  test('what is under way when the loop is left, and the source', async () => {
    let isClosed = false
    const signals: AbortSignal[] = []
    function* source(): Generator<string> {
      try {
        for (let at = 0; ; at++) yield `text ${at}`
      } finally {
        isClosed = true
      }
    }
    const inner = scriptedEmbedder({ maxBatch: 1 })
    const embedder: Embedder = {
      ...inner,
      embed: (given, options) => {
        signals.push(options.signal as AbortSignal)
        return given[0] === 'text 0' ? inner.embed(given, options) : new Promise(() => {})
      },
    }
    for await (const { index } of embedAll(embedder, source())) {
      expect(index).toBe(0)
      break
    }
    expect(isClosed).toBe(true)
    expect(signals.slice(1).every(({ aborted }) => aborted)).toBe(true)
  })

  test('with the error of the source, after what it gave before', async () => {
    async function* source(): AsyncGenerator<TextItem> {
      yield* texts(3)
      throw new RangeError('no more')
    }
    const seen: number[] = []
    const run = async (): Promise<void> => {
      for await (const { index } of embedAll(scriptedEmbedder(), source())) seen.push(index)
    }
    await expect(run()).rejects.toThrow('no more')
    expect(seen).toEqual([0, 1, 2])
  })
})

test('mistakes surface instead of hanging', async () => {
  const seen: number[] = []
  const run = async (): Promise<void> => {
    for await (const { index } of embedAll(scriptedEmbedder(), ['a', 'b', undefined as unknown as string])) seen.push(index)
  }
  await expect(run()).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  expect(seen).toEqual([0, 1])
  const throwing = Object.assign(
    () => {
      throw new RangeError('a counter of your own')
    },
    { id: 'throwing', accuracy: 'exact' as const },
  )
  const counted: Embedder = { ...scriptedEmbedder({ maxBatchTokens: 100 }), counter: throwing }
  await expect(collect(embedAll(counted, texts(3)))).rejects.toThrow('a counter of your own')
  await expect(collect(embedAll(scriptedEmbedder(), texts(3), { maxBatch: 0 }))).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})

test('events tell how far the work is', async () => {
  const events: WorkEvent[] = []
  const items = [...texts(8), 'unfit', 'text 0']
  const cache = memoryCache()
  await collect(embedAll(scriptedEmbedder(), texts(2), { cache }))
  await collect(embedAll(scriptedEmbedder(), items, { cache, onEvent: (event) => events.push(event) }))
  expect(events.filter(({ type }) => type === 'cache-hit')).toMatchObject([{ items: 2 }, { items: 1 }])
  expect(events.filter(({ type }) => type === 'progress').at(-1)).toEqual({
    type: 'progress',
    kind: 'embed',
    read: 10,
    done: 9,
    cached: 3,
    failed: 1,
  })
})
