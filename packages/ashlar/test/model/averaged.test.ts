import { describe, expect, test } from 'vitest'
import { words } from '../../src/index.ts'
import { averaged } from '../../src/model/averaged.ts'
import type { Embedder, TokenStates } from '../../src/model/embedder.ts'
import { identityKey } from '../../src/model/identity-key.ts'
import { localEmbedder } from '../../src/model/local-embedder.ts'
import { modelFolder, realDocuments } from '../text/shared-data.ts'

const miniLm = modelFolder('all-MiniLM-L6-v2')
const bge = modelFolder('bge-small-en-v1.5')

describe.runIf(miniLm !== undefined)('averaged', () => {
  const folder = miniLm as string

  test('leaves what fits alone', async () => {
    await using embedder = await localEmbedder(folder)
    const any = averaged(embedder)
    const texts = ['A man is playing a guitar.', '', 'x'.repeat(90)]
    expect(await any.embed(texts, { as: 'document', tokens: true })).toEqual(
      await embedder.embed(texts, { as: 'document', tokens: true }),
    )
    expect(any.identity).toEqual({
      ...embedder.identity,
      options: { ...embedder.identity.options, overLimit: 'average', window: 510 },
      maxTokens: undefined,
    })
    expect(identityKey(any.identity)).not.toBe(identityKey(embedder.identity))
  })

  test('is the mean of its windows, weighted by their tokens', async () => {
    await using embedder = await localEmbedder(folder, { maxTokens: 8 })
    const any = averaged(embedder)
    // 8 + 8 + 2 tokens.
    const windows = [
      'one two three four five six seven eight ',
      'nine ten eleven twelve unbelievable cats and dogs ',
      'sleep now',
    ]
    const counts = windows.map((window) => embedder.counter?.(window) ?? 0)
    const parts = await embedder.embed(windows, { as: 'document', tokens: true })
    const whole = await any.embed([windows.join(''), 'short'], { as: 'document', tokens: true })
    const sum = Float64Array.from({ length: 384 }, (_, axis) =>
      parts.vectors.reduce((total, vector, at) => total + (vector[axis] as number) * (counts[at] as number), 0),
    )
    const length = Math.hypot(...sum)
    for (const [axis, value] of (whole.vectors[0] as Float32Array).entries()) {
      expect(value).toBeCloseTo((sum[axis] as number) / length, 6)
    }
    expect(whole.usage.inputTokens).toBe(parts.usage.inputTokens + 3)
    const [states] = whole.tokens as [TokenStates]
    expect([...states.states]).toEqual(parts.tokens?.flatMap((one) => [...one.states]))
    expect([...states.ids]).toEqual(parts.tokens?.flatMap((one) => [...one.ids]))
    const starts = windows.map((_, at) => windows.slice(0, at).join('').length)
    expect([...states.starts]).toEqual(parts.tokens?.flatMap((one, at) => [...one.starts].map((s) => s + (starts[at] as number))))
    expect([...states.ends]).toEqual(parts.tokens?.flatMap((one, at) => [...one.ends].map((s) => s + (starts[at] as number))))
  })

  test('never gives a window that is too long or cut through a character, whatever the text', async () => {
    await using embedder = await localEmbedder(folder, { maxTokens: 32 })
    const windows: string[] = []
    const watched: Embedder = {
      ...embedder,
      identity: embedder.identity,
      maxBatch: 3,
      async embed(texts) {
        expect(texts.length).toBeLessThanOrEqual(3)
        windows.push(...texts)
        return {
          vectors: texts.map(() => new Float32Array(384)),
          usage: { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
        }
      },
    }
    const any = averaged(watched)
    const texts = [
      '👩‍👩‍👧'.repeat(80),
      'x'.repeat(4_000),
      '東京都'.repeat(60),
      `${'\u0130\u0301'.repeat(70)} and ${'-'.repeat(200)}`,
      `${' \n'.repeat(500)}a${'\t'.repeat(300)}${'word '.repeat(90)}`,
      '\ud800'.repeat(100),
      ...realDocuments()
        .slice(0, 6)
        .map((text) => text.slice(0, 3_000)),
    ]
    for (const text of texts) {
      windows.length = 0
      await any.embed([text], { as: 'document' })
      expect(windows.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      for (const window of windows) {
        expect(embedder.counter?.(window)).toBeLessThanOrEqual(32)
        if (text.isWellFormed()) expect(window.isWellFormed()).toBe(true)
      }
    }
    expect(windows.length).toBeGreaterThan(5)
  })

  test('says which text is too long when the counter was wrong', async () => {
    await using embedder = await localEmbedder(folder)
    const any = averaged(embedder, { counter: words, maxTokens: 500 })
    const rare = 'antidisestablishmentarianism '.repeat(400)
    await expect(any.embed(['short', rare], { as: 'document' })).rejects.toMatchObject({
      code: 'TEXT_TOO_LONG',
      details: { index: 1, limit: 510 },
    })
  })

  test('needs to know how to count and how far', async () => {
    await using embedder = await localEmbedder(folder)
    const silent: Embedder = {
      identity: { ...embedder.identity, maxTokens: undefined },
      maxBatch: 8,
      givesTokens: false,
      embed: (texts, options) => embedder.embed(texts, options),
    }
    expect(() => averaged(silent)).toThrow(/counter/)
    expect(() => averaged(silent, { counter: words })).toThrow(/maxTokens/)
    expect(() => averaged(silent, { counter: words, maxTokens: 0 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(averaged(silent, { counter: words, maxTokens: 100 }).identity.options).toMatchObject({ window: 100 })
  })
})

describe.runIf(bge !== undefined)('averaged with a prefix', () => {
  test('leaves room for it', async () => {
    await using embedder = await localEmbedder(bge as string, { maxTokens: 20 })
    const any = averaged(embedder)
    const text = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
    const query = await any.embed([text], { as: 'query', tokens: true })
    const document = await any.embed([text], { as: 'document', tokens: true })
    expect(query.usage.inputTokens).toBeGreaterThan(document.usage.inputTokens)
    const slices = query.tokens?.flatMap(({ starts, ends }) => [...starts].map((start, at) => text.slice(start, ends[at])))
    expect(slices?.join(' ')).toBe(text)
  })
})
