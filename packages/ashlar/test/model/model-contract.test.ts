import { describe, expect, test } from 'vitest'

import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedded, Embedder } from '../../src/model/embedder.ts'
import type { Generated, Generator } from '../../src/model/generator.ts'
import type { Reranker } from '../../src/model/reranker.ts'
import { noUsage } from '../../src/model/usage.ts'
import { embedderContract } from '../../src/testing/embedder-contract.ts'
import { generatorContract } from '../../src/testing/generator-contract.ts'
import type { ContractTest } from '../../src/testing/model-contract.ts'
import { rerankerContract } from '../../src/testing/reranker-contract.ts'
import { words } from '../../src/text/word-counter.ts'
import { hashedEmbedder } from './hashed-embedder.ts'

/** Runs a suite on the spot and gives what it has against its subject. */
async function complaints(register: (test: ContractTest) => void): Promise<string[]> {
  const bodies: (() => Promise<void>)[] = []
  register((_name, body) => bodies.push(body))
  const found: string[] = []
  for (const body of bodies) {
    try {
      await body()
    } catch (error) {
      found.push(error instanceof Error ? error.message : String(error))
    }
  }
  return found
}

const good = hashedEmbedder()

/** The good embedder with its answers changed. */
function changed(change: (embedded: Embedded, texts: readonly string[]) => Embedded, over: Partial<Embedder> = {}): Embedder {
  return { ...good, embed: async (texts, options) => change(await good.embed(texts, options), texts), ...over }
}

let calls = 0
const shared = new Float32Array(64)

const brokenEmbedders: Readonly<Record<string, { readonly embedder: Embedder; readonly complaint: RegExp }>> = {
  'loses a vector': {
    embedder: changed(({ vectors, usage }) => ({ vectors: vectors.slice(1), usage })),
    complaint: /gave \d vectors for \d texts/,
  },
  'turns the order round': {
    embedder: changed(({ vectors, usage }) => ({ vectors: vectors.toReversed(), usage })),
    complaint: /alone and in a batch/,
  },
  'gives all texts one vector': {
    embedder: changed(({ vectors, usage }) => ({
      vectors: vectors.map((vector) => vector.map((_, index) => (index === 0 ? 1 : 0))),
      usage,
    })),
    complaint: /have the same vector/,
  },
  'gives other dimensions than it says': {
    embedder: { ...good, identity: { ...good.identity, dimensions: 65 } },
    complaint: /65 dimensions/,
  },
  'is not normalised': {
    embedder: changed(({ vectors, usage }) => ({ vectors: vectors.map((vector) => vector.map((value) => 2 * value)), usage })),
    complaint: /has length 2/,
  },
  'gives what is not a number': {
    embedder: changed(({ vectors, usage }) => ({ vectors: vectors.map((vector) => vector.with(0, Number.NaN)), usage })),
    complaint: /not finite/,
  },
  'drifts from call to call': {
    embedder: changed(({ vectors, usage }) => {
      calls++
      return { vectors: vectors.map((vector) => vector.map((value) => value + calls * 1e-3)), usage }
    }),
    complaint: /differ by/,
  },
  'hands out one buffer': {
    embedder: {
      ...good,
      embed: async (texts, options) => ({ ...(await good.embed(texts, options)), vectors: texts.map(() => shared) }),
    },
    complaint: /./,
  },
  'does not know queries from documents': {
    embedder: { ...good, identity: { ...good.identity, queryPrefix: 'query: ' } },
    complaint: /prefixes differ/,
  },
  'does not stop': { embedder: { ...good, embed: (texts, { as }) => good.embed(texts, { as }) }, complaint: /was not refused/ },
  'stops with an error of its own': {
    embedder: {
      ...good,
      embed: (texts, { as, signal }) =>
        signal?.aborted === true ? Promise.reject(new Error('AbortError')) : good.embed(texts, { as }),
    },
    complaint: /not with the reason of the signal/,
  },
  'cuts long texts in silence': {
    embedder: { ...good, counter: words, identity: { ...good.identity, maxTokens: 20 } },
    complaint: /over the limit was not refused/,
  },
  'does not say which text is too long': {
    embedder: {
      ...good,
      counter: words,
      identity: { ...good.identity, maxTokens: 20 },
      embed: (texts, options) =>
        texts.some((text) => words(text) > 20)
          ? Promise.reject(new AshlarError('TEXT_TOO_LONG', 'too long'))
          : good.embed(texts, options),
    },
    complaint: /names text undefined/,
  },
  'promises token states it does not give': { embedder: { ...good, givesTokens: true }, complaint: /token states for undefined/ },
  'passes over that it has no token states': { embedder: good, complaint: /asking for token states was not refused/ },
  'has an identity that cannot be written down': {
    embedder: {
      ...good,
      identity: { ...good.identity, options: { of: Number.POSITIVE_INFINITY }, maxTokens: Number.POSITIVE_INFINITY },
    },
    complaint: /which JSON cannot say/,
  },
  'counts nonsense': {
    embedder: changed(({ vectors }) => ({ vectors, usage: { ...noUsage, inputTokens: Number.NaN } })),
    complaint: /usage says/,
  },
  'stumbles over lone surrogates': {
    embedder: {
      ...good,
      embed: (texts, options) =>
        texts.every((text) => text.isWellFormed()) ? good.embed(texts, options) : Promise.reject(new URIError('malformed')),
    },
    complaint: /other than an AshlarError/,
  },
}

describe('the contract of embedders notices one that', () => {
  test.each(Object.entries(brokenEmbedders))('%s', async (_name, { embedder, complaint }) => {
    const found = await complaints((register) => embedderContract({ name: 'broken', test: register, embedder: () => embedder }))
    expect(
      found.some((message) => complaint.test(message)),
      found.join('\n'),
    ).toBe(true)
  })

  test('and has nothing against a good one', async () => {
    const whole: Embedder = {
      ...good,
      counter: words,
      identity: { ...good.identity, maxTokens: 300 },
      embed: async (texts, options) => {
        options.signal?.throwIfAborted()
        if (options.tokens === true) throw new AshlarError('INVALID_OPTION', 'no tokens')
        const index = texts.findIndex((text) => words(text) > 300)
        if (index >= 0) throw new AshlarError('TEXT_TOO_LONG', 'too long', { details: { index } })
        return good.embed(texts, options)
      },
    }
    expect(await complaints((register) => embedderContract({ name: 'good', test: register, embedder: () => whole }))).toEqual([])
  })
})

const goodReranker: Reranker = {
  identity: { model: 'test/overlap', options: {}, scale: 'probability', maxTokens: undefined },
  maxBatch: 10,
  rerank: async (query, texts, { signal } = {}) => {
    signal?.throwIfAborted()
    const asked = new Set(query.toLowerCase().match(/\p{L}+/gu))
    const score = (text: string): number => {
      const own = text.toLowerCase().match(/\p{L}+/gu) ?? []
      return own.filter((word) => asked.has(word)).length / Math.max(1, own.length)
    }
    return { scores: texts.map(score), usage: noUsage }
  },
}

const brokenRerankers: Readonly<Record<string, readonly [Reranker, RegExp]>> = {
  'sorts its scores': [
    {
      ...goodReranker,
      rerank: async (...asked) => ({ scores: (await goodReranker.rerank(...asked)).scores.toSorted(), usage: noUsage }),
    },
    /alone and in a batch/,
  ],
  'leaves its scale': [
    {
      ...goodReranker,
      rerank: async (...asked) => ({
        scores: (await goodReranker.rerank(...asked)).scores.map((score) => score - 1),
        usage: noUsage,
      }),
    },
    /says probability/,
  ],
  'keeps only the best': [
    {
      ...goodReranker,
      rerank: async (...asked) => ({ scores: (await goodReranker.rerank(...asked)).scores.slice(0, 1), usage: noUsage }),
    },
    /gave 1 scores/,
  ],
  'prefers what is beside the point': [
    {
      ...goodReranker,
      rerank: async (...asked) => ({
        scores: (await goodReranker.rerank(...asked)).scores.map((score) => 1 - score),
        usage: noUsage,
      }),
    },
    /scores above its answer/,
  ],
}

describe('the contract of rerankers notices one that', () => {
  test.each(Object.entries(brokenRerankers))('%s', async (_name, [reranker, complaint]) => {
    const found = await complaints((register) => rerankerContract({ name: 'broken', test: register, reranker: () => reranker }))
    expect(
      found.some((message) => complaint.test(message)),
      found.join('\n'),
    ).toBe(true)
  })

  test('and has nothing against a good one', async () => {
    expect(
      await complaints((register) => rerankerContract({ name: 'good', test: register, reranker: () => goodReranker })),
    ).toEqual([])
  })
})

const goodGenerator: Generator = {
  identity: { model: 'test/echo', options: {} },
  maxTokens: undefined,
  promptCache: 'none',
  generate: async ({ parts }, { maxTokens = 100, signal } = {}) => {
    signal?.throwIfAborted()
    const said = parts.flatMap(({ text }) => text.match(/\p{L}+/gu) ?? [])
    const text = said.slice(0, maxTokens).join(' ')
    const usage = { ...noUsage, inputTokens: said.length, outputTokens: Math.min(said.length, maxTokens) }
    return { text, finish: said.length > maxTokens ? 'length' : text === '' ? 'other' : 'stop', usage }
  },
}

function generating(change: (generated: Generated) => Generated): Generator {
  return { ...goodGenerator, generate: async (prompt, options) => change(await goodGenerator.generate(prompt, options)) }
}

const brokenGenerators: Readonly<Record<string, readonly [Generator, RegExp]>> = {
  'does not say that an answer was cut': [
    generating((generated) => ({ ...generated, finish: 'stop' })),
    /at its limit is complete/,
  ],
  'passes over the limit': [
    { ...goodGenerator, generate: (prompt, options) => goodGenerator.generate(prompt, { ...options, maxTokens: 100 }) },
    /where 2 were asked/,
  ],
  'gives nothing as an answer': [generating((generated) => ({ ...generated, text: '' })), /empty answer/],
  'counts more cached than read': [
    generating((generated) => ({ ...generated, usage: { ...noUsage, cachedTokens: 5 } })),
    /more tokens were cached/,
  ],
  'answers otherwise each time': [
    generating((generated) => ({ ...generated, text: `${generated.text}${calls++}` })),
    /another answer/,
  ],
  'writes into the prompt': [
    {
      ...goodGenerator,
      generate: async (prompt, options) => {
        ;(prompt as { system?: string }).system = 'Obey.'
        return goodGenerator.generate(prompt, options)
      },
    },
    /extensible|read only|changed/,
  ],
}

describe('the contract of generators notices one that', () => {
  test.each(Object.entries(brokenGenerators))('%s', async (_name, [generator, complaint]) => {
    const found = await complaints((register) =>
      generatorContract({ name: 'broken', test: register, deterministic: true, generator: () => generator }),
    )
    expect(
      found.some((message) => complaint.test(message)),
      found.join('\n'),
    ).toBe(true)
  })

  test('and has nothing against a good one', async () => {
    expect(
      await complaints((register) =>
        generatorContract({ name: 'good', test: register, deterministic: true, generator: () => goodGenerator }),
      ),
    ).toEqual([])
  })
})
