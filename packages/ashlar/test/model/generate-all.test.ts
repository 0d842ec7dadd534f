import { describe, expect, test } from 'vitest'
import { AshlarError } from '../../src/error/ashlar-error.ts'
import { openCaller } from '../../src/model/caller.ts'
import { type GenerateItem, type GenerateOutcome, generateAll } from '../../src/model/generate-all.ts'
import type { Generated, Generator, Prompt } from '../../src/model/generator.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { noUsage } from '../../src/model/usage.ts'
import { collect } from './collect.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'

interface Said {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Answers each prompt with its last part in capitals after a tenth of a second, and notes when. */
function capitals(
  clock: FakeClock,
  fail: (text: string, call: number) => AshlarError | undefined = () => undefined,
): Generator & { readonly said: Said[] } {
  const said: Said[] = []
  return {
    identity: { model: 'test/capitals', options: {} },
    maxTokens: undefined,
    promptCache: 'automatic',
    said,
    async generate({ parts }: Prompt): Promise<Generated> {
      const text = parts.map((part) => part.text).join(' ')
      const from = clock.now()
      await clock.sleep(100)
      said.push({ text, from, to: clock.now() })
      const error = fail(text, said.length)
      if (error !== undefined) throw error
      const finish = text.includes('forbidden') ? 'refused' : text.includes('endless') ? 'length' : 'stop'
      return { text: parts.at(-1)?.text.toUpperCase() ?? '', finish, usage: { ...noUsage, inputTokens: 10, outputTokens: 5 } }
    },
  }
}

function about(document: string, ...questions: string[]): GenerateItem[] {
  return questions.map((question) => ({
    id: `${document}/${question}`,
    prompt: { system: 'Be brief.', parts: [{ text: document, cache: true }, { text: question }] },
  }))
}

const answers = (outcomes: readonly GenerateOutcome[]): (string | undefined)[] =>
  outcomes.map(({ text, error }) => text ?? error?.code)

describe('generateAll', () => {
  test('answers in order, refusals as errors of their own, answers cut off as such', async () => {
    const clock = fakeClock()
    const items = about('one', 'a', 'forbidden', 'endless')
    const caller = openCaller({ price: { input: 1, output: 2 } }, { clock, random: () => 0 })
    const outcomes = await clock.drive(collect(generateAll(capitals(clock), items, { caller })))
    expect(outcomes).toMatchObject([
      { index: 0, id: 'one/a', text: 'A', finish: 'stop', cached: false, cost: 20 / 1e6 },
      { index: 1, id: 'one/forbidden', error: { code: 'REFUSED', details: { id: 'one/forbidden', cached: false } } },
      { index: 2, id: 'one/endless', text: 'ENDLESS', finish: 'length' },
    ])
    expect(caller.spent.money).toBeCloseTo(60 / 1e6, 12)
  })

  test('pays nothing for what was answered before, refusals included unless they are asked for again', async () => {
    const clock = fakeClock()
    const cache = memoryCache()
    const items = [...about('one', 'a', 'b', 'forbidden'), ...about('one', 'a')]
    const world = { clock, random: () => 0 }
    const first = capitals(clock)
    await clock.drive(collect(generateAll(first, items, { cache, caller: openCaller({}, world) })))
    expect(first.said.length).toBe(3)
    const caller = openCaller({}, world)
    const outcomes = await clock.drive(collect(generateAll(first, items, { cache, caller })))
    expect(answers(outcomes)).toEqual(['A', 'B', 'REFUSED', 'A'])
    expect(outcomes.every((outcome) => outcome.error?.details['cached'] ?? (outcome.text !== undefined && outcome.cached))).toBe(
      true,
    )
    expect(caller.spent.requests).toBe(0)
    await clock.drive(collect(generateAll(first, items, { cache, caller, retryRefused: true })))
    expect(caller.spent.requests).toBe(1)
    // Marks only tell the provider what to cache; a longer answer may be another one.
    const unmarked = items.map(({ prompt }) => ({ prompt: { ...prompt, parts: prompt.parts.map(({ text }) => ({ text })) } }))
    await clock.drive(collect(generateAll(first, unmarked, { cache, caller })))
    expect(caller.spent.requests).toBe(1)
    await clock.drive(collect(generateAll(first, items, { cache, caller, maxTokens: 9 })))
    expect(caller.spent.requests).toBe(4)
  })

  test('warms each beginning with one call, and lets the others follow together', async () => {
    const clock = fakeClock()
    const generator = capitals(clock)
    const items = [...about('one', 'a', 'b', 'c', 'd'), ...about('two', 'a', 'b')]
    await clock.drive(
      collect(generateAll(generator, items, { caller: openCaller({ concurrency: 8 }, { clock, random: () => 0 }) })),
    )
    const starts = Object.fromEntries(generator.said.map(({ text, from }) => [text, from]))
    expect(starts).toEqual({ 'one a': 0, 'two a': 0, 'one b': 100, 'one c': 100, 'one d': 100, 'two b': 100 })
  })

  test('does not wait where the provider caches nothing, or nothing is marked', async () => {
    const clock = fakeClock()
    const items = about('one', 'a', 'b', 'c', 'd')
    const none = { ...capitals(clock), promptCache: 'none' } as const
    const world = { clock, random: () => 0 }
    await clock.drive(collect(generateAll(none, items, { caller: openCaller({}, world) })))
    expect(clock.now()).toBe(100)
    const unmarked = items.map(({ prompt }) => ({ prompt: { parts: prompt.parts.map(({ text }) => ({ text })) } }))
    await clock.drive(collect(generateAll(capitals(clock), unmarked, { caller: openCaller({}, world) })))
    expect(clock.now()).toBe(200)
    await clock.drive(collect(generateAll(capitals(clock), items, { warm: false, caller: openCaller({}, world) })))
    expect(clock.now()).toBe(300)
  })

  test('warms with another prompt where the first failed', async () => {
    const clock = fakeClock()
    const unfit = new AshlarError('MODEL_FAILED', 'Unfit', { details: { status: 400, retryable: false } })
    const generator = capitals(clock, (text) => (text === 'one a' ? unfit : undefined))
    const caller = openCaller({}, { clock, random: () => 0 })
    const outcomes = await clock.drive(collect(generateAll(generator, about('one', 'a', 'b', 'c', 'd'), { caller })))
    expect(answers(outcomes)).toEqual(['MODEL_FAILED', 'B', 'C', 'D'])
    expect(generator.said.map(({ text, from }) => [text, from])).toEqual([
      ['one a', 0],
      ['one b', 100],
      ['one c', 200],
      ['one d', 200],
    ])
  })

  test('stops between prompts when the budget is spent, and pays only for the rest later', async () => {
    const clock = fakeClock()
    const cache = memoryCache()
    const generator = capitals(clock)
    const items = about('one', ...Array.from({ length: 20 }, (_, at) => `q${at}`))
    const poor = openCaller({ concurrency: 3, budget: { tokens: 120 } }, { clock, random: () => 0 })
    const options = { cache, maxTokens: 5, counter: Object.assign(() => 5, { id: 'five', accuracy: 'exact' as const }) }
    const outcomes = await clock.drive(collect(generateAll(generator, items, { ...options, caller: poor })))
    const paid = outcomes.filter(({ text }) => text !== undefined).length
    expect(poor.spent.usage.inputTokens + poor.spent.usage.outputTokens).toBeLessThanOrEqual(120 + 3 * 15)
    expect(answers(outcomes).slice(paid)).toEqual(Array(20 - paid).fill('BUDGET_SPENT'))
    const rich = openCaller({}, { clock, random: () => 0 })
    const rest = await clock.drive(collect(generateAll(generator, items, { ...options, caller: rich })))
    expect(rest.every(({ text }) => text !== undefined)).toBe(true)
    expect(rich.spent.requests).toBe(20 - paid)
  })

  test('asks again where an answer is not what was asked for', async () => {
    const clock = fakeClock()
    const generator = capitals(clock)
    const caller = openCaller({}, { clock, random: () => 0 })
    const check = ({ text }: Generated): void => {
      if (text === 'B') throw new AshlarError('INVALID_RESPONSE', 'Not B')
    }
    const outcomes = await clock.drive(collect(generateAll(generator, about('one', 'a', 'b'), { caller, check })))
    expect(answers(outcomes)).toEqual(['A', 'INVALID_RESPONSE'])
    expect(caller.spent).toMatchObject({ requests: 4, usage: { inputTokens: 40, outputTokens: 20 } })
  })
})
