import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { describe, expect, test } from 'vitest'
import { type EnrichOptions, enrich } from '../../src/enrich/enrich.ts'
import type { EnrichmentOutcome, EnrichmentSource } from '../../src/enrich/enrichment.ts'
import { planEnrichment } from '../../src/enrich/plan-enrichment.ts'
import { templates } from '../../src/enrich/templates.ts'
import { type CallerOptions, createCaller } from '../../src/model/caller.ts'
import type { Generator } from '../../src/model/generator.ts'
import { generatorFrom } from '../../src/model/generator-from.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { type Provider, type ProviderServerOptions, startProvider } from '../../src/testing/provider-server.ts'
import { approximateTokens } from '../../src/text/approximate-tokens.ts'
import { chunkIn, lineAnswer, nameOf } from './line-answer.ts'
import { numberedText, smallSource } from './small-source.ts'

const all = ['context', 'questions', 'keywords'] as const
const price = { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 }
const apiKey = 'key'

const makers = {
  anthropic: ({ baseURL }: Provider): Generator =>
    generatorFrom(createAnthropic({ baseURL: baseURL.anthropic, apiKey })('claude-sonnet-4-5')),
  openai: ({ baseURL }: Provider): Generator => generatorFrom(createOpenAI({ baseURL: baseURL.openai, apiKey })('gpt-4.1-mini')),
}
type Maker = keyof typeof makers
const providers = Object.keys(makers) as Maker[]

/** Runs `work` against a provider that answers in lines. */
async function withProvider(
  name: Maker,
  options: ProviderServerOptions,
  work: (generator: Generator, provider: Provider) => Promise<void>,
): Promise<void> {
  await using provider = await startProvider({ answer: lineAnswer, ...options })
  await work(makers[name](provider), provider)
}

/** A caller that does not wait long between attempts. */
function quick(options: CallerOptions = {}): Pick<EnrichOptions, 'caller' | 'counter'> {
  return { caller: createCaller({ firstWait: 1, ...options }), counter: approximateTokens }
}

async function collect(
  sources: EnrichmentSource | readonly EnrichmentSource[],
  options: EnrichOptions,
): Promise<EnrichmentOutcome[]> {
  const outcomes: EnrichmentOutcome[] = []
  for await (const outcome of enrich(sources, options)) outcomes.push(outcome)
  return outcomes
}

const source = smallSource(numberedText(6, 9_000), { document: 'handbook', title: 'The Handbook' })

describe.each(providers)('enrich, through the packages of %s', (name) => {
  test('writes about each chunk, in order, with provenance, and leaves the text alone', async () => {
    await withProvider(name, {}, async (generator, provider) => {
      const before = JSON.stringify(source)
      const outcomes = await collect(source, { generator, kinds: all, price, ...quick() })
      expect(JSON.stringify(source)).toBe(before)
      expect(outcomes.map(({ id }) => id)).toEqual(source.children.map(({ id }) => id))
      for (const [index, outcome] of outcomes.entries()) {
        const own = nameOf(source.children[index]?.text as string)
        expect(outcome).toMatchObject({ document: 'handbook', index, cached: false })
        expect(outcome.enrichment).toMatchObject({
          context: `Stands where ${own} stands.`,
          questions: [`What is ${own}?`, `Where is ${own}?`],
          keywords: [own, 'wall'],
          provenance: { model: generator.identity.model, promptHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        })
        const { time, usage, cost } = outcome.enrichment?.provenance ?? {}
        expect(Date.parse(time as string)).toBeGreaterThan(Date.now() - 60_000)
        expect(usage?.inputTokens).toBeGreaterThan(1000)
        expect(cost).toBeGreaterThan(0)
      }
      expect(provider.requests).toBe(source.children.length)
    })
  })

  test('one call has the document cached, and all others read it', async () => {
    await withProvider(name, { latency: 30 }, async (generator, provider) => {
      const outcomes = await collect(source, { generator, kinds: all, ...quick({ concurrency: 8 }) })
      const chats = provider.log.map(({ request, usage }) => ({ request, usage }))
      const shared = chats.map(({ request }) => (request.kind === 'chat' ? request.parts.at(-2) : undefined))
      expect(new Set(shared.map((part) => part?.text)).size).toBe(1)
      expect(shared[0]?.text).toContain(source.text)
      expect(shared[0]?.text).toContain('The Handbook')
      expect(new Set(shared.map((part) => part?.cache))).toEqual(new Set([name === 'anthropic']))
      expect(chats.filter(({ usage }) => usage?.cachedTokens === 0)).toHaveLength(1)
      expect(chats[0]?.usage?.cachedTokens).toBe(0)
      if (name === 'anthropic') expect(chats[0]?.usage?.cacheWriteTokens).toBeGreaterThan(1024)
      expect(provider.peakConcurrency).toBeGreaterThan(1)
      const read = outcomes.reduce((sum, { enrichment }) => sum + (enrichment?.provenance.usage.cachedTokens ?? 0), 0)
      expect(read).toBe(provider.usage.cachedTokens)
      expect(read / provider.usage.inputTokens).toBeGreaterThan(0.8)
    })
  })

  test('the plan is what the provider counts', async () => {
    await withProvider(name, {}, async (generator, provider) => {
      const options = { generator, kinds: all, price, counter: approximateTokens }
      const sources = [source, smallSource(numberedText(3, 6_000), { document: 'other' })]
      const plan = await planEnrichment(sources, { ...options, requestsPerMinute: 60, concurrency: 2, secondsPerCall: 1 })
      expect(plan).toMatchObject({ documents: 2, known: 0, counted: { counter: 'length/4', accuracy: 'approximate' } })
      expect(provider.requests).toBe(0)
      await collect(sources, { ...options, ...quick() })
      const { inputTokens, cachedTokens, cacheWriteTokens } = provider.usage
      expect(plan.calls).toBe(provider.requests)
      expect(plan.chunks).toBe(plan.calls)
      expect(plan.seconds).toBe(plan.calls)
      expect(plan.usage.inputTokens / inputTokens).toBeCloseTo(1, 2)
      expect(Math.abs(plan.usage.cachedTokens / cachedTokens - 1)).toBeLessThan(0.05)
      expect(plan.usage.cacheWriteTokens - cacheWriteTokens).toBeLessThan(20)
      expect(plan.cost).toBeGreaterThan(0)
    })
  })

  test('an answer that was paid for is not paid for again', async () => {
    await withProvider(name, {}, async (generator, provider) => {
      const options = { generator, kinds: all, price, cache: memoryCache(), ...quick() }
      const first = await collect(source, options)
      const asked = provider.requests
      const second = await collect(source, options)
      expect(provider.requests).toBe(asked)
      expect(second).toEqual(first.map((outcome) => ({ ...outcome, cached: true })))
      expect(await planEnrichment(source, options)).toMatchObject({ calls: 0, known: asked, cost: 0, seconds: 0 })
      // Anything that is asked otherwise is another question.
      for (const other of [
        { kinds: ['context'] as const },
        { questions: 2 },
        { template: templates.spanish },
        { maxTokens: 2000 },
      ])
        expect(await planEnrichment(source, { ...options, ...other })).toMatchObject({ known: 0 })
    })
  })

  test('an edited paragraph pays for itself and a little more; all of it where that is asked for', async () => {
    await withProvider(name, {}, async (generator, provider) => {
      const options = { generator, kinds: all, cache: memoryCache(), ...quick() }
      await collect(source, options)
      const asked = provider.requests
      const text = source.text.replace('Paragraph 3-4 says', 'Paragraph 3-4, newly written, says clearly')
      const edited = smallSource(text, { document: 'handbook', title: 'The Handbook' })
      const plan = await planEnrichment(edited, options)
      const outcomes = await collect(edited, options)
      expect(provider.requests - asked).toBe(plan.calls)
      expect(plan.calls).toBeGreaterThan(0)
      expect(plan.calls).toBeLessThanOrEqual(3)
      for (const [index, outcome] of outcomes.entries())
        expect(outcome.enrichment?.keywords).toContain(nameOf(edited.children[index]?.text as string))
      expect(await planEnrichment(edited, { ...options, reuse: 'document' })).toMatchObject({ known: 0 })
    })
  })

  test('troubles of the provider pass; a refusal and a cut answer stay with their chunks', async () => {
    const refused = source.children[2]?.text
    const cut = source.children[5]?.text
    const trouble: ProviderServerOptions['trouble'] = (request) => {
      if (request.kind !== 'chat') return undefined
      if (chunkIn(request.parts) === refused) return { kind: 'refusal' }
      if (chunkIn(request.parts) === cut) return { kind: 'length' }
      const kinds = [{ kind: 'status', status: 500 }, { kind: 'malformed-json' }, { kind: 'cut', at: 'body' }] as const
      return request.id % 5 === 0 ? kinds[(request.id / 5) % kinds.length] : undefined
    }
    await withProvider(name, { trouble }, async (generator, provider) => {
      const cache = memoryCache()
      const outcomes = await collect(source, { generator, kinds: all, cache, ...quick() })
      expect(outcomes.map(({ error }) => error?.code)).toEqual(
        source.children.map((_, index) => ({ 2: 'REFUSED', 5: 'INVALID_RESPONSE' })[index]),
      )
      expect(outcomes[2]?.error?.details).toMatchObject({ id: source.children[2]?.id })
      for (const [index, { enrichment }] of outcomes.entries())
        if (index !== 2 && index !== 5) expect(enrichment?.keywords).toContain(nameOf(source.children[index]?.text as string))
      // Neither is asked again with the same question.
      provider.setTrouble(undefined)
      const asked = provider.requests
      const again = await collect(source, { generator, kinds: all, cache, ...quick() })
      expect(provider.requests).toBe(asked)
      expect(again[2]?.error?.code).toBe('REFUSED')
      const retried = await collect(source, { generator, kinds: all, cache, retryRefused: true, ...quick() })
      expect(provider.requests).toBe(asked + 1)
      expect(retried[2]?.enrichment).toBeDefined()
    })
  })

  test('a budget ends the calls between chunks; what was paid for is kept, and the rest is paid later', async () => {
    // About as long as an answer is expected to be.
    const answer: ProviderServerOptions['answer'] = (parts) => `context: ${'so '.repeat(170)}\n${lineAnswer(parts).slice(60)}`
    await withProvider(name, { latency: 2, answer }, async (generator, provider) => {
      const cache = memoryCache()
      const options = { generator, kinds: all, price, cache, counter: approximateTokens }
      const { cost = 0, calls } = await planEnrichment(source, options)
      const caller = createCaller({ budget: { money: cost / 2 }, concurrency: 3, price })
      const outcomes = await collect(source, { ...options, caller })
      expect(outcomes).toHaveLength(source.children.length)
      const paid = outcomes.filter(({ enrichment }) => enrichment !== undefined)
      const left = outcomes.filter(({ error }) => error?.code === 'BUDGET_SPENT')
      expect(paid.length + left.length).toBe(outcomes.length)
      expect(paid.length).toBe(provider.requests)
      expect(paid.length).toBeGreaterThan(calls / 4)
      expect(left.length).toBeGreaterThan(calls / 4)
      expect(caller.spent.money).toBeLessThanOrEqual((cost / 2) * 1.1)
      const rest = await collect(source, { ...options, ...quick() })
      expect(rest.every(({ enrichment }) => enrichment !== undefined)).toBe(true)
      expect(provider.requests).toBe(calls)
    })
  })

  test('a budget of what was planned is enough, but for what answers cost more than expected', async () => {
    await withProvider(name, { answer: (parts) => lineAnswer(parts).slice(0, 200) }, async (generator) => {
      const options = { generator, kinds: all, price, counter: approximateTokens }
      const { cost = 0 } = await planEnrichment(source, options)
      const outcomes = await collect(source, { ...options, caller: createCaller({ budget: { money: cost }, price }) })
      expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([])
    })
  })

  test('an abort ends the run with its reason; the next run pays for the rest', async () => {
    await withProvider(name, { latency: 5 }, async (generator, provider) => {
      const cache = memoryCache()
      const controller = new AbortController()
      const reason = new Error('enough')
      const got: EnrichmentOutcome[] = []
      const run = async (): Promise<void> => {
        for await (const outcome of enrich(source, { generator, kinds: all, cache, signal: controller.signal, ...quick() })) {
          got.push(outcome)
          if (got.length === 4) controller.abort(reason)
        }
      }
      await expect(run()).rejects.toBe(reason)
      const answered = provider.log.filter((entry) => entry.answered).length
      const outcomes = await collect(source, { generator, kinds: all, cache, ...quick() })
      expect(outcomes.filter(({ cached }) => cached).length).toBeGreaterThanOrEqual(4)
      expect(outcomes.every(({ enrichment }) => enrichment !== undefined)).toBe(true)
      expect(answered).toBeGreaterThanOrEqual(4)
    })
  })
})

describe('enrich', () => {
  test('a lone chunk is not marked for caching, since nothing would read it', async () => {
    await withProvider('anthropic', {}, async (generator, provider) => {
      const options = { generator, cache: memoryCache(), ...quick() }
      await collect(source, options)
      await collect(
        smallSource(source.text.replace('course 203', 'course 999'), { document: 'handbook', title: 'The Handbook' }),
        options,
      )
      const last = provider.log.at(-1)?.request
      expect(provider.requests).toBe(source.children.length + 1)
      expect(last?.kind === 'chat' && last.parts.some(({ cache }) => cache)).toBe(false)
    })
  })

  test('an unusable answer is asked for again, and reported where it stays so', async () => {
    const empty = source.children[1]?.text
    let firsts = 0
    const answer: ProviderServerOptions['answer'] = (parts) => {
      if (chunkIn(parts) === empty) return 'context:'
      return firsts++ === 0 ? 'I would rather talk.' : lineAnswer(parts)
    }
    await withProvider('openai', { answer }, async (generator, provider) => {
      const cache = memoryCache()
      const outcomes = await collect(source, { generator, kinds: all, cache, ...quick() })
      expect(outcomes.map(({ error }) => error?.code)).toEqual(
        source.children.map((_, index) => (index === 1 ? 'INVALID_RESPONSE' : undefined)),
      )
      expect(outcomes[1]?.error?.details).toMatchObject({ missing: ['context', 'questions', 'keywords'], attempts: 3 })
      expect(provider.requests).toBe(source.children.length + 1 + 2)
      expect(await planEnrichment(source, { generator, kinds: all, cache })).toMatchObject({ calls: 1 })
    })
  })

  test('a document over the cap: chunks are shown with their neighbourhood, which is cached too', async () => {
    await withProvider('anthropic', {}, async (generator, provider) => {
      const long = smallSource(numberedText(20, 24_000), { document: 'long' })
      const options = { generator, documentLimit: 15_000, neighbourhood: 8_000, ...quick() }
      const plan = await planEnrichment(long, options)
      const outcomes = await collect(long, options)
      expect(outcomes.every(({ enrichment }) => enrichment !== undefined)).toBe(true)
      const stretches = new Set<string>()
      for (const { request } of provider.log) {
        if (request.kind !== 'chat') continue
        const [shared] = request.parts
        stretches.add(shared?.text as string)
        expect(shared?.text.length).toBeLessThan(12_000)
        expect(shared?.text).toContain('  - Part 0\n  - Part 1\n')
        expect(shared?.text.includes(chunkIn(request.parts))).toBe(true)
      }
      expect(stretches.size).toBeGreaterThan(2)
      expect(stretches.size).toBeLessThan(8)
      expect(provider.log.filter(({ usage }) => usage?.cachedTokens === 0)).toHaveLength(stretches.size)
      expect(plan.usage.inputTokens / provider.usage.inputTokens).toBeCloseTo(1, 2)
    })
  })

  test('a model with a small window is shown less', async () => {
    await withProvider('openai', {}, async (generator, provider) => {
      const small = { ...generator, maxTokens: 6_000 }
      await collect(smallSource(numberedText(6, 30_000)), { generator: small, ...quick() })
      for (const { usage } of provider.log) expect(usage?.inputTokens).toBeLessThan(5_000)
    })
  })

  test('equal chunks of different documents are different questions; so are those of documents without a name', async () => {
    await withProvider('openai', {}, async (generator, provider) => {
      const options = { generator, cache: memoryCache(), ...quick() }
      const same = 'All rights reserved.'
      await collect([smallSource(same, { document: 'a' }), smallSource(same, { document: 'b' })], options)
      expect(provider.requests).toBe(2)
      await collect(smallSource(`${same}\n\n# One\n\nFirst.`, { document: '', size: 25 }), options)
      const asked = provider.requests
      await collect(smallSource(`${same}\n\n# Two\n\nSecond.`, { document: '', size: 25 }), options)
      expect(provider.requests).toBeGreaterThan(asked + 1)
    })
  })

  test.each([
    ['INVALID_TEMPLATE', { template: '{chunk}' }],
    ['INVALID_TEMPLATE', { template: { ...templates.english, context: 'Say where it stands.' } }],
    ['INVALID_OPTION', { kinds: [] }],
    ['INVALID_OPTION', { kinds: ['context', 'context'] }],
    ['INVALID_OPTION', { documentLimit: 0 }],
    ['INVALID_OPTION', { questions: 1.5 }],
    ['INVALID_OPTION', { reuse: 'maybe' }],
  ] as const)('%s before anything is spent: %o', async (code, wrong) => {
    await withProvider('openai', {}, async (generator, provider) => {
      const options = { generator, ...(wrong as object) }
      await expect(collect(source, options)).rejects.toMatchObject({ code })
      await expect(planEnrichment(source, options)).rejects.toMatchObject({ code })
      expect(provider.requests).toBe(0)
    })
  })

  test('a plan can be stopped, and refuses limits that cannot be meant', async () => {
    await withProvider('openai', {}, async (generator) => {
      const signal = AbortSignal.abort(new Error('no'))
      await expect(planEnrichment(source, { generator, signal })).rejects.toThrow('no')
      await expect(planEnrichment(source, { generator, concurrency: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    })
  })
})
