import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { AshlarError } from '../../src/error/ashlar-error.ts'
import { embedderFrom } from '../../src/model/embedder-from.ts'
import { generatorFrom } from '../../src/model/generator-from.ts'
import { rerankerFrom } from '../../src/model/reranker-from.ts'
import { type Provider, startProvider } from '../../src/testing/provider-server.ts'
import { chatTroubles, embeddingTroubles, type Trouble, troubleShare } from '../../src/testing/provider-trouble.ts'
import type { ProviderRequest } from '../../src/testing/provider-wire.ts'
import { hashedEmbedder } from './hashed-embedder.ts'
import { embeddingPackages, languagePackages, rerankingPackages } from './provider-packages.ts'

let provider: Provider
beforeAll(async () => {
  provider = await startProvider({ embedder: hashedEmbedder() })
})
afterAll(() => provider.close())

const texts = ['Ashlar is dressed stone.', 'Mortar joints are thin.', 'A quoin stands at the corner.']

async function failure(work: Promise<unknown>): Promise<AshlarError> {
  return work.then(
    (result) => expect.fail(`did not fail but gave ${JSON.stringify(result)}`),
    (error: unknown) => error as AshlarError,
  )
}

/** What each kind of trouble must be reported as. */
const reports: readonly (readonly [Trouble, { readonly code: string; readonly details: Readonly<Record<string, unknown>> }])[] = [
  [{ kind: 'rate-limit' }, { code: 'MODEL_FAILED', details: { status: 429, retryable: true } }],
  [
    { kind: 'rate-limit', retryAfter: 1500 },
    { code: 'MODEL_FAILED', details: { status: 429, retryable: true, retryAfter: 1500 } },
  ],
  [
    { kind: 'status', status: 408 },
    { code: 'MODEL_FAILED', details: { status: 408, retryable: true } },
  ],
  [
    { kind: 'status', status: 409 },
    { code: 'MODEL_FAILED', details: { status: 409, retryable: true } },
  ],
  [
    { kind: 'status', status: 500 },
    { code: 'MODEL_FAILED', details: { status: 500, retryable: true } },
  ],
  [
    { kind: 'status', status: 503 },
    { code: 'MODEL_FAILED', details: { status: 503, retryable: true } },
  ],
  [
    { kind: 'status', status: 529 },
    { code: 'MODEL_FAILED', details: { status: 529, retryable: true } },
  ],
  [
    { kind: 'status', status: 403 },
    { code: 'MODEL_FAILED', details: { status: 403, retryable: false } },
  ],
  [
    { kind: 'status', status: 400 },
    { code: 'MODEL_FAILED', details: { status: 400, retryable: false } },
  ],
  [
    { kind: 'cut', at: 'head' },
    { code: 'MODEL_FAILED', details: { retryable: true } },
  ],
  [
    { kind: 'cut', at: 'start' },
    { code: 'MODEL_FAILED', details: { retryable: true } },
  ],
  [
    { kind: 'cut', at: 'body' },
    { code: 'MODEL_FAILED', details: { retryable: true } },
  ],
  [{ kind: 'malformed-json' }, { code: 'INVALID_RESPONSE', details: { status: 200, retryable: true } }],
  [{ kind: 'truncated-json' }, { code: 'INVALID_RESPONSE', details: { status: 200, retryable: true } }],
  [{ kind: 'wrong-shape' }, { code: 'INVALID_RESPONSE', details: { retryable: true } }],
]

/** The latest package for OpenAI's responses reports an answer without output as a failure of the server, status 500. */
const withoutOutput = { code: 'MODEL_FAILED', details: { status: 500, retryable: true } }

const vectorReports: typeof reports = [
  [{ kind: 'wrong-count' }, { code: 'INVALID_RESPONSE', details: { texts: 3 } }],
  [
    { kind: 'wrong-count', by: 1 },
    { code: 'INVALID_RESPONSE', details: { texts: 3 } },
  ],
  [{ kind: 'wrong-dimensions' }, { code: 'INVALID_RESPONSE', details: { dimensions: 64 } }],
  [
    { kind: 'wrong-dimensions', by: 1 },
    { code: 'INVALID_RESPONSE', details: { dimensions: 64 } },
  ],
]

function checkReport(error: AshlarError, { code, details }: (typeof reports)[number][1]): void {
  expect(error).toMatchObject({ name: 'AshlarError', code, details })
  expect(error.details).toHaveProperty('model')
  if (!('retryAfter' in details)) expect(error.details).not.toHaveProperty('retryAfter')
}

describe.each(embeddingPackages)('embeddings of $name', ({ make }) => {
  test('report each trouble as what it is, and recover', async () => {
    const embedder = embedderFrom(make(provider))
    provider.setTrouble(undefined)
    const { vectors: right } = await embedder.embed(texts, { as: 'document' })
    for (const [trouble, report] of [...reports, ...vectorReports]) {
      provider.setTrouble(() => trouble)
      const error = await failure(embedder.embed(texts, { as: 'document' }))
      checkReport(error, report)
      provider.setTrouble(undefined)
      expect((await embedder.embed(texts, { as: 'document' })).vectors).toEqual(right)
    }
  })

  test('come through a slow drip, and stop in silence when told to', async () => {
    const embedder = embedderFrom(make(provider))
    provider.setTrouble(() => ({ kind: 'slow-drip', duration: 50 }))
    expect((await embedder.embed(texts, { as: 'document' })).vectors).toHaveLength(3)
    provider.setTrouble(() => ({ kind: 'silence' }))
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 30)
    expect(await failure(embedder.embed(texts, { as: 'document', signal: controller.signal }))).toBe(reason)
  })

  test('stop in the middle of a body when told to', async () => {
    const embedder = embedderFrom(make(provider))
    provider.setTrouble(() => ({ kind: 'slow-drip', duration: 5000 }))
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 60)
    expect(await failure(embedder.embed(texts, { as: 'document', signal: controller.signal }))).toBe(reason)
  })
})

describe.each(languagePackages)('answers of $name', ({ name, version, make }) => {
  test('report each trouble as what it is, and recover', async () => {
    const generator = generatorFrom(make(provider))
    const prompt = { system: 'Be brief.', parts: [{ text: 'What is a quoin?' }] }
    provider.setTrouble(undefined)
    const { text: right } = await generator.generate(prompt)
    for (const [trouble, report] of reports) {
      provider.setTrouble(() => trouble)
      const isStrict = name.startsWith('openai responses') && version === 4 && trouble.kind === 'wrong-shape'
      checkReport(await failure(generator.generate(prompt)), isStrict ? withoutOutput : report)
      provider.setTrouble(undefined)
      expect((await generator.generate(prompt)).text).toBe(right)
    }
    provider.setTrouble(() => ({ kind: 'slow-drip', duration: 20 }))
    expect(await generator.generate(prompt)).toMatchObject({ text: right, finish: 'stop' })
    provider.setTrouble(() => ({ kind: 'length' }))
    expect(await generator.generate(prompt)).toMatchObject({ finish: 'length' })
    provider.setTrouble(() => ({ kind: 'silence' }))
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 30)
    expect(await failure(generator.generate(prompt, { signal: controller.signal }))).toBe(reason)
  })
})

describe.each(rerankingPackages)('scores of $name', ({ make }) => {
  test('report each trouble as what it is, and recover', async () => {
    const reranker = rerankerFrom(make(provider))
    provider.setTrouble(undefined)
    const { scores: right } = await reranker.rerank('Which stone is dressed?', texts)
    expect(right.indexOf(Math.max(...right))).toBe(0)
    for (const [trouble, report] of [...reports, ...vectorReports.slice(0, 2)]) {
      provider.setTrouble(() => trouble)
      checkReport(await failure(reranker.rerank('Which stone is dressed?', texts)), report)
      provider.setTrouble(undefined)
      expect((await reranker.rerank('Which stone is dressed?', texts)).scores).toEqual(right)
    }
  })
})

describe('what a provider says about waiting', () => {
  test.each(embeddingPackages.filter(({ provider: name }) => name !== 'google'))(
    'is read from a date by $name',
    async ({ make }) => {
      provider.setTrouble(() => ({ kind: 'rate-limit', retryAfter: 60_000, form: 'date' }))
      const { details } = await failure(embedderFrom(make(provider)).embed(texts, { as: 'document' }))
      // A date has whole seconds.
      expect(details['retryAfter']).toBeGreaterThan(50_000)
      expect(details['retryAfter']).toBeLessThanOrEqual(60_000)
    },
  )
})

describe('shuffled vectors', () => {
  test.each(embeddingPackages.filter(({ provider: name, version }) => name === 'openai' && version > 1))(
    'find their places with $name',
    async ({ make }) => {
      const embedder = embedderFrom(make(provider))
      provider.setTrouble(undefined)
      const { vectors } = await embedder.embed(texts, { as: 'document' })
      provider.setTrouble(() => ({ kind: 'shuffled' }))
      expect((await embedder.embed(texts, { as: 'document' })).vectors).toEqual(vectors)
    },
  )
})

describe('trouble by share', () => {
  const request = {} as ProviderRequest

  test('comes as often as it should, every kind in turn, the same for the same seed', () => {
    for (const kinds of [embeddingTroubles, chatTroubles]) {
      const plan = (seed: number): (Trouble | undefined)[] => {
        const trouble = troubleShare({ share: 0.05, kinds, seed })
        return Array.from({ length: 2000 }, () => trouble(request))
      }
      const met = plan(3).filter((trouble) => trouble !== undefined)
      expect(met.length).toBeGreaterThanOrEqual(99)
      expect(met.length).toBeLessThanOrEqual(101)
      for (const kind of kinds)
        expect(met.filter((trouble) => trouble === kind).length).toBeGreaterThanOrEqual(Math.floor(99 / kinds.length))
      expect(plan(3)).toEqual(plan(3))
      expect(plan(3)).not.toEqual(plan(4))
    }
    expect(troubleShare({ share: 0 })(request)).toBeUndefined()
    expect(troubleShare({ share: 1, kinds: [{ kind: 'silence' }] })(request)).toEqual({ kind: 'silence' })
  })
})
