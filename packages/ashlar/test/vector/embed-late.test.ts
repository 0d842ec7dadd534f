import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import { identityKey } from '../../src/model/identity-key.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { textArbitrary } from '../../src/testing/text-arbitrary.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import type { Tree } from '../../src/tree/tree.ts'
import { type EmbeddedWindow, type EmbedLateOptions, embedLate } from '../../src/vector/embed-late.ts'
import { floatCodec } from '../../src/vector/float-codec.ts'
import { lateIdentity } from '../../src/vector/late-options.ts'
import { ownSpan } from '../../src/vector/late-windows.ts'
import { planLate } from '../../src/vector/plan-late.ts'
import { signCodec } from '../../src/vector/sign-codec.ts'
import { englishStopWords, noStopWords } from '../../src/vector/stop-words.ts'
import { readTokenBlob } from '../../src/vector/token-blob.ts'
import { isContent, isStopWord } from '../../src/vector/token-filter.ts'
import { unitMean } from '../../src/vector/unit-mean.ts'
import { contextEmbedder } from './context-embedder.ts'

const prose = `# Walls

Ashlar is stone that was cut so true that its blocks fit without mortar. The masons dressed each face by hand.

# Mortar

Lime is burnt, slaked and left to rest. Sand is washed; it must not hold salt. They are mixed three to one.

# Roofs

Slate lies on battens of oak. The ridge is closed with lead. Moss is scraped off in spring, before it holds water.
`

const small = { format: markdown, child: 60, parent: 200, section: 400, least: 0 }

async function all(tree: Tree, options: EmbedLateOptions): Promise<EmbeddedWindow[]> {
  const windows: EmbeddedWindow[] = []
  for await (const window of embedLate(tree, options)) windows.push(window)
  return windows
}

/** The same by other means: the window's states, those in the child's own part averaged and brought to length 1. */
async function expectMeans(tree: Tree, windows: readonly EmbeddedWindow[], embedder: Embedder): Promise<void> {
  for (const window of windows) {
    const text = tree.text.slice(window.start, window.end)
    const { tokens } = await embedder.embed([text], { as: 'document', tokens: true })
    const { starts, ends, states } = tokens![0]!
    const dimensions = embedder.identity.dimensions!
    const { children } = readTokenBlob(window.blob, floatCodec)
    expect(children).toHaveLength(window.after - window.first)
    for (const [at, child] of tree.children.slice(window.first, window.after).entries()) {
      const own = ownSpan(child)
      const mine = [...starts.keys()].filter((token) => {
        const start = starts[token]! + window.start
        return start >= own.start && start < own.end
      })
      if (mine.length > 0) expect(window.vectors[at]).toEqual(unitMean(states, mine[0]!, mine.at(-1)! + 1, dimensions))
      expect(Math.hypot(...window.vectors[at]!)).toBeCloseTo(1, 5)
      const kept = mine.filter((token) => isContent(text, starts[token]!, ends[token]!))
      expect(children[at]!.count).toBe(kept.length)
      const floats = new Float32Array(
        window.blob.slice(children[at]!.from, children[at]!.from + 4 * dimensions * kept.length).buffer,
      )
      for (const [row, token] of kept.entries()) {
        const wanted = unitMean(states, token, token + 1, dimensions)
        for (let i = 0; i < dimensions; i++) expect(floats[row * dimensions + i]).toBeCloseTo(wanted[i]!, 5)
      }
    }
  }
}

describe('embedLate', () => {
  test("a child's vector is the mean of its tokens in the window, and its tokens are found in the blob", async () => {
    const tree = buildTree(prose, small)
    const embedder = contextEmbedder()
    const windows = await all(tree, { embedder, codec: floatCodec, stopWords: noStopWords })
    expect(windows.length).toBeGreaterThan(2)
    expect(windows.flatMap(({ vectors }) => vectors)).toHaveLength(tree.children.length)
    expect(embedder.calls).toEqual(windows.map(({ start, end }) => prose.slice(start, end)))
    await expectMeans(tree, windows, embedder)
  })

  test('so it is for any text, with and without overlap', async () => {
    await fc.assert(
      fc.asyncProperty(textArbitrary(), fc.integer({ min: 0, max: 10 }), async (text, overlap) => {
        const tree = buildTree(text, { child: 30, parent: 80, section: 200, overlap })
        const embedder = contextEmbedder({ dimensions: 8 })
        await expectMeans(tree, await all(tree, { embedder, codec: floatCodec, stopWords: noStopWords, window: 100 }), embedder)
      }),
      { numRuns: 60 },
    )
  })

  test('the same child has another vector in other company', async () => {
    const embedder = contextEmbedder()
    const sentence = 'It was cut so true that it fits.'
    const [first] = await all(buildTree(`Ashlar is stone. ${sentence}`, { child: 40 }), { embedder })
    const [second] = await all(buildTree(`The key is brass. ${sentence}`, { child: 40 }), { embedder })
    expect(first!.vectors).toHaveLength(2)
    expect(first!.vectors[1]).not.toEqual(second!.vectors[1])
  })

  test('stop words and punctuation are not kept, and count in the vector all the same', async () => {
    const tree = buildTree('The wall, and the theft of a stone.')
    const embedder = contextEmbedder()
    const [kept] = await all(tree, { embedder, stopWords: englishStopWords })
    const [whole] = await all(tree, { embedder, stopWords: noStopWords })
    expect(readTokenBlob(kept!.blob, signCodec).children[0]!.count).toBe(3)
    expect(readTokenBlob(whole!.blob, signCodec).children[0]!.count).toBe(8)
    expect(kept!.vectors).toEqual(whole!.vectors)
    expect(kept!.pieces[0]).toHaveLength(3)
    expect([...kept!.pieces[0]!]).toEqual([...kept!.pieces[0]!].toSorted((a, b) => a - b))
  })

  test('children without words, or without anything, do no harm', async () => {
    const embedder = contextEmbedder()
    for (const text of ['...!?!', '— … —\n\n!!!', ' \n\t', '\u200b', '']) {
      for (const window of await all(buildTree(text), { embedder })) {
        expect(readTokenBlob(window.blob, signCodec).children.every(({ count }) => count === 0)).toBe(true)
        for (const vector of window.vectors) expect(vector.every(Number.isFinite)).toBe(true)
      }
    }
  })

  test('windows that are known are passed over, and an edit leaves most of them known', async () => {
    const embedder = contextEmbedder()
    const before = await all(buildTree(prose, small), { embedder })
    const keys = new Set(before.map(({ key }) => key))
    expect(planLate(buildTree(prose, small), { embedder }).map(({ key }) => key)).toEqual([...keys])
    expect(await all(buildTree(prose, small), { embedder, known: (key) => keys.has(key) })).toEqual([])
    embedder.calls.length = 0
    const edited = buildTree(prose.replace('washed', 'sieved'), small)
    const after = await all(edited, { embedder, known: (key) => keys.has(key) })
    expect(after).toHaveLength(1)
    expect(embedder.calls).toHaveLength(1)
    expect(embedder.calls[0]).toContain('sieved')
  })

  test('a key tells apart what was made with another codec, window, list, model or cut', () => {
    const tree = buildTree(prose, small)
    const embedder = contextEmbedder()
    const keyOf = (of: Tree, options: Partial<EmbedLateOptions>): string => planLate(of, { embedder, ...options })[0]!.key
    const keys = [
      keyOf(tree, {}),
      keyOf(tree, { codec: floatCodec }),
      keyOf(tree, { stopWords: noStopWords }),
      keyOf(tree, { window: 801 }),
      keyOf(tree, { embedder: { ...embedder, identity: { ...embedder.identity, model: 'test/other' } } }),
      keyOf(buildTree(prose, { ...small, child: 50 }), {}),
      keyOf(tree, { tokensFrom: contextEmbedder() }),
      keyOf(tree, { tokensFrom: contextEmbedder(), textOf: ({ text }) => `Walls: ${text}` }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(keyOf(buildTree(prose, { ...small, document: 'elsewhere' }), {})).toBe(keys[0])
  })

  test('late vectors have an identity of their own', () => {
    const embedder = contextEmbedder({ pooling: 'cls' })
    const late = lateIdentity({ embedder })
    expect(late).toMatchObject({ pooling: 'mean', normalized: true, options: { late: 800 }, tokenCodec: 'sign-1/en-1' })
    expect(identityKey(late)).not.toBe(identityKey(embedder.identity))
    const paired = lateIdentity({ embedder, tokensFrom: contextEmbedder() })
    expect(identityKey(paired)).toBe(identityKey(embedder.identity))
    expect(paired.tokenCodec).toContain('sign-1/en-1/800/')
  })

  test('an embedder without token states can be paired with one that has them', async () => {
    const tree = buildTree(prose, small)
    const local = contextEmbedder()
    const remote = { ...contextEmbedder({ dimensions: 16 }), givesTokens: false }
    await expect(all(tree, { embedder: remote })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    const windows = await all(tree, { embedder: remote, tokensFrom: local })
    expect(remote.calls).toEqual(tree.children.map(({ text }) => text))
    for (const window of windows) {
      for (const [at, vector] of window.vectors.entries()) {
        const { vectors } = await remote.embed([tree.children[window.first + at]!.text], { as: 'document' })
        expect(vector).toEqual(unitMean(vectors[0]!, 0, 1, 16))
      }
    }
    const alone = await all(tree, { embedder: local })
    expect(windows.map(({ blob }) => blob)).toEqual(alone.map(({ blob }) => blob))
    expect(windows.map(({ usage }) => usage)).toEqual(alone.map(({ usage }) => usage))
  })

  test('a paired embedder that fails for a moment is asked again, and pays once for what its cache knows', async () => {
    const tree = buildTree(prose, small)
    const steady = contextEmbedder()
    let calls = 0
    const shaky: Embedder = {
      ...steady,
      givesTokens: false,
      async embed(texts, options) {
        if (++calls === 2) throw new AshlarError('MODEL_FAILED', 'busy', { details: { retryable: true, retryAfter: 1 } })
        return steady.embed(texts, options)
      },
    }
    const cache = memoryCache()
    const options = { embedder: shaky, tokensFrom: contextEmbedder(), cache }
    const first = await all(tree, options)
    expect(first.flatMap(({ vectors }) => vectors)).toHaveLength(tree.children.length)
    const asked = calls
    expect(await all(tree, options)).toEqual(first)
    expect(calls).toBe(asked)
  })

  test('a paired embedder reads what it is told to', async () => {
    const remote = { ...contextEmbedder(), givesTokens: false }
    const tree = buildTree(prose, small)
    await all(tree, {
      embedder: remote,
      tokensFrom: contextEmbedder(),
      textOf: (child) => `${child.outline.join(' > ')}: ${child.text}`,
    })
    expect(remote.calls[0]).toMatch(/^Walls: /)
  })

  test('a child over the limit is named before anything is embedded, or read in parts when asked', async () => {
    const text = `${prose}\n\n${'stone '.repeat(60)}`
    const tree = buildTree(text, { child: 400, parent: 400, section: 800 })
    const embedder = contextEmbedder({ maxTokens: 25 })
    const refused = await all(tree, { embedder }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'TEXT_TOO_LONG' })
    const { index, id } = (refused as { details: { index: number; id: string } }).details
    expect(tree.children[index]!.id).toBe(id)
    expect(embedder.calls).toEqual([])
    const windows = await all(tree, { embedder, tooLong: 'split', stopWords: noStopWords })
    expect(embedder.calls.every((part) => embedder.counter!(part) <= 25)).toBe(true)
    expect(embedder.calls.join('')).toBe(text)
    const kept = windows.flatMap(({ blob }) => readTokenBlob(blob, signCodec).children).reduce((sum, { count }) => sum + count, 0)
    expect(kept).toBe([...text.matchAll(/[\p{L}\p{N}]+/gu)].length)
  })

  test('a prefix that the embedder adds counts', async () => {
    const tree = buildTree('stone '.repeat(40), { child: 60, parent: 240, section: 240 })
    const embedder = contextEmbedder({ maxTokens: 24, documentPrefix: 'passage : ' })
    await all(tree, { embedder })
    expect(Math.max(...embedder.calls.map((text) => embedder.counter!(`passage : ${text}`)))).toBeLessThanOrEqual(24)
  })

  test('an abort reaches the caller with its reason, between windows', async () => {
    const controller = new AbortController()
    const seen: EmbeddedWindow[] = []
    const reason = new Error('enough')
    const run = async (): Promise<void> => {
      for await (const window of embedLate(buildTree(prose, small), { embedder: contextEmbedder(), signal: controller.signal })) {
        seen.push(window)
        controller.abort(reason)
      }
    }
    await expect(run()).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
  })

  test('token states that do not belong to the text are refused', async () => {
    const embedder = contextEmbedder()
    const broken = (change: (tokens: Record<string, unknown>) => object): Embedder => ({
      ...embedder,
      async embed(texts, options) {
        const embedded = await embedder.embed(texts, options)
        return { ...embedded, tokens: embedded.tokens!.map((tokens) => ({ ...tokens, ...change({ ...tokens }) })) }
      },
    })
    const tree = buildTree('Stone on stone.')
    const cases: ((tokens: Record<string, unknown>) => object)[] = [
      () => ({ states: new Float32Array(3) }),
      () => ({ ids: Uint32Array.of(1) }),
      () => ({ ends: Uint32Array.of(5, 8, 99, 15) }),
      () => ({ starts: Uint32Array.of(9, 6, 0, 14) }),
      ({ states }) => ({ states: (states as Float32Array).map((value, at) => (at === 70 ? Number.NaN : value)) }),
    ]
    for (const change of cases) {
      await expect(all(tree, { embedder: broken(change) })).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    }
  })
})

describe('token filter', () => {
  test('content is what has a letter or a digit, in any script', () => {
    const content = (text: string): boolean => isContent(text, 0, text.length)
    for (const text of ['a', '7', 'é', '石', 'ก', '²', '𝐀', '…a']) expect(content(text), text).toBe(true)
    for (const text of ['.', '—', '!?', '', ' ', '👍', '\u200b', '\ud83d']) expect(content(text), text).toBe(false)
  })

  test('a stop word is one only whole', () => {
    const text = 'The theft of THE breathe'
    const isStop = (start: number, end: number): boolean => isStopWord(text, start, end, englishStopWords)
    expect(isStop(0, 3)).toBe(true)
    expect(isStop(4, 7)).toBe(false)
    expect(isStop(13, 16)).toBe(true)
    expect(isStop(21, 24)).toBe(false)
    expect(isStop(4, 9)).toBe(false)
  })
})
