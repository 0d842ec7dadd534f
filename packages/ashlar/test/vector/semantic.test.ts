import { describe, expect, test } from 'vitest'
import type { Chunk } from '../../src/chunk/chunk.ts'
import { chunkDocuments } from '../../src/chunk/chunk-documents.ts'
import { chunk, chunkText } from '../../src/chunk/chunkers.ts'
import { markdown } from '../../src/chunk/markdown.ts'
import { AshlarError, isAshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { prose } from '../../src/testing/chunker-contract.ts'
import { characters } from '../../src/text/characters.ts'
import { sentences } from '../../src/text/sentence.ts'
import { words } from '../../src/text/word-counter.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { chunkSemantic } from '../../src/vector/chunk-semantic.ts'
import { semanticFormat } from '../../src/vector/semantic-format.ts'
import { hashedEmbedder } from '../model/hashed-embedder.ts'
import { topicEmbedder } from './topic-embedder.ts'

const topics = ['stone', 'bread', 'river']

/** Three topics of six sentences each, in one paragraph. */
const text = topics
  .flatMap((topic) =>
    [
      `A ${topic} is here.`,
      `That ${topic} was old and worn.`,
      `One more ${topic} stood beside it.`,
      `Nobody saw the ${topic} at night.`,
      `By day each ${topic} was seen by all.`,
      `Such was the ${topic} of the town.`,
    ].join(' '),
  )
  .join(' ')

function texts(chunks: readonly Chunk[]): string[] {
  return chunks.map((piece) => piece.text)
}

function sentencesIn(piece: string): number {
  return [...sentences(piece)].length
}

async function refusal(run: Promise<unknown>): Promise<string> {
  const error: unknown = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isAshlarError(error) ? error.code : String(error)
}

describe('semantic chunks', () => {
  for (const similarity of ['relative', 'cosine'] as const) {
    test(`${similarity}: end where the topic changes`, async () => {
      const chunks = await chunkSemantic(text, { embedder: topicEmbedder(topics), similarity })
      expect(chunks).toHaveLength(3)
      for (const [index, topic] of topics.entries()) {
        expect(chunks[index]?.text.startsWith(`A ${topic} is here.`)).toBe(true)
        expect(chunks[index]?.text.endsWith(`the ${topic} of the town.`)).toBe(true)
      }
      expect(chunks.map(({ start, end }) => text.slice(start, end))).toEqual(texts(chunks))
    })

    test(`${similarity}: a higher threshold gives more and smaller chunks`, async () => {
      const long = prose(20_000)
      const counts: number[] = []
      for (const threshold of [-1, 0.2, 0.4, 0.6, 0.75, 0.9, 1.1]) {
        const options = { embedder: hashedEmbedder(), similarity, threshold, maxSentences: 10_000, size: 100_000, overlap: 0 }
        counts.push((await chunkSemantic(long, options)).length)
      }
      expect(counts).toEqual(counts.toSorted((left, right) => left - right))
      expect(counts[0]).toBe(1)
      expect(counts.at(-1)).toBeGreaterThan(20)
      expect(new Set(counts).size).toBeGreaterThan(3)
    })

    test(`${similarity}: cuts are the same for every scale of an embedder's vectors`, async () => {
      const embedder = hashedEmbedder()
      const longer: Embedder = {
        ...embedder,
        embed: async (given, options) => {
          const { vectors, usage } = await embedder.embed(given, options)
          return { vectors: vectors.map((vector, at) => vector.map((value) => value * (at + 1))), usage }
        },
      }
      const long = prose(8000)
      const expected = texts(await chunkSemantic(long, { embedder, similarity, threshold: 0.8 }))
      expect(texts(await chunkSemantic(long, { embedder: longer, similarity, threshold: 0.8 }))).toEqual(expected)
    })
  }

  test('a threshold means the same when every cosine is nearer to 1', async () => {
    const embedder = hashedEmbedder()
    /** As some models have it: a direction that all texts share, and that says nothing. */
    const compressed: Embedder = {
      ...embedder,
      embed: async (given, options) => {
        const { vectors, usage } = await embedder.embed(given, options)
        return { vectors: vectors.map((vector) => Float32Array.from([...vector, 2])), usage }
      },
      identity: { ...embedder.identity, model: 'test/compressed', dimensions: 65 },
    }
    const long = prose(20_000)
    const cut = async (given: Embedder): Promise<number> => (await chunkSemantic(long, { embedder: given, size: 100_000 })).length
    const [plainly, nearer] = [await cut(embedder), await cut(compressed)]
    expect(plainly).toBeGreaterThan(10)
    expect(Math.abs(nearer - plainly)).toBeLessThan(plainly / 4)
    const raw = { threshold: 0.75, similarity: 'cosine', size: 100_000 } as const
    const most = (await chunkSemantic(long, { embedder, ...raw })).length
    expect((await chunkSemantic(long, { embedder: compressed, ...raw })).length).toBeLessThan(most / 10)
  })

  test('as shipped, the median chunk has at least two sentences; by plain cosines it has one', async () => {
    const long = prose(40_000)
    const median = (chunks: readonly Chunk[]): number =>
      chunks.map((piece) => sentencesIn(piece.text)).toSorted((left, right) => left - right)[chunks.length >> 1] as number
    const embedder = hashedEmbedder()
    expect(median(await chunkSemantic(long, { embedder, overlap: 0 }))).toBeGreaterThanOrEqual(2)
    expect(median(await chunkSemantic(long, { embedder, overlap: 0, similarity: 'cosine' }))).toBe(1)
  })
})

describe('breadth', () => {
  test('decides how long a topic is', async () => {
    /** A stone among rivers in each part but the second, which is about bread: short topics inside long ones. */
    const part = (topic: string): string => `A ${topic} is here. That ${topic} is old. One ${topic} fell. `
    const short = (topic: string): string => `${part(topic)}${part('stone')}`.repeat(6)
    const long = `${short('river')}${short('bread')}${short('river')}`
    const cut = async (breadth: number): Promise<Chunk[]> =>
      chunkSemantic(long, { embedder: topicEmbedder(topics), breadth, size: 10_000, maxSentences: 1000, overlap: 0 })
    expect((await cut(2)).length).toBeGreaterThan(20)
    const broad = await cut(18)
    expect(broad).toHaveLength(3)
    expect(broad.map(({ text: piece }) => ['river', 'bread'].filter((topic) => piece.includes(topic)))).toEqual([
      ['river'],
      ['bread'],
      ['river'],
    ])
  })
})

describe('numbers of sentences', () => {
  test('no chunk has more than the most, and a long run is cut where it is least similar', async () => {
    const same = Array.from({ length: 40 }, (_, at) => `The stone ${'x'.repeat(at % 4)} is ${at === 16 ? 'a river' : 'here'}.`)
    for (const maxSentences of [1, 2, 3, 7, 20]) {
      const chunks = await chunkSemantic(same.join(' '), { embedder: topicEmbedder(topics), threshold: -9, maxSentences })
      for (const piece of chunks) expect(sentencesIn(piece.text)).toBeLessThanOrEqual(maxSentences)
    }
    const options = {
      embedder: topicEmbedder(topics),
      threshold: -9,
      maxSentences: 20,
      similarity: 'cosine',
      size: 9000,
    } as const
    const [first] = await chunkSemantic(same.join(' '), options)
    expect(sentencesIn(first?.text ?? '')).toBe(17)
  })

  test('no change of topic makes a chunk with fewer than the least', async () => {
    const long = prose(10_000)
    for (const minSentences of [2, 3, 5]) {
      const options = {
        embedder: hashedEmbedder(),
        threshold: 2,
        similarity: 'cosine',
        minSentences,
        overlap: 0,
        size: 5000,
      } as const
      const counts = (await chunkSemantic(long, options)).map((piece) => sentencesIn(piece.text))
      expect(Math.min(...counts)).toBe(minSentences)
    }
  })

  test('the defaults are 1 and 50', async () => {
    const many = Array.from({ length: 120 }, () => 'A stone.').join(' ')
    const options = { embedder: topicEmbedder(topics), size: 100_000, overlap: 0 }
    const counts = (await chunkSemantic(many, options)).map((piece) => sentencesIn(piece.text))
    expect(counts).toEqual([50, 50, 20])
    expect(await chunkSemantic('A stone. A river. A stone. A river.', { ...options, similarity: 'cosine' })).toHaveLength(4)
  })

  test('what makes no sense is refused', async () => {
    const embedder = topicEmbedder(topics)
    for (const wrong of [
      { minSentences: 0 },
      { minSentences: 1.5 },
      { maxSentences: 0 },
      { minSentences: 4, maxSentences: 3 },
      { threshold: Number.NaN },
      { breadth: 0 },
      { breadth: 2.5 },
      { similarity: 'other' as 'cosine' },
    ])
      expect(await refusal(chunkSemantic(text, { embedder, ...wrong })), JSON.stringify(wrong)).toBe('INVALID_OPTION')
    expect(await refusal(chunkSemantic(text, { embedder, size: 0 }))).toBe('INVALID_SIZE')
    expect(embedder.calls).toEqual([])
  })
})

describe('size', () => {
  test('is never exceeded, by any counter', async () => {
    const long = prose(6000)
    for (const counter of [characters, words]) {
      for (const size of [1, 7, 40, 400]) {
        const chunks = await chunkSemantic(long, { embedder: hashedEmbedder(), size, counter, threshold: -9 })
        for (const piece of chunks) expect(counter(piece.text)).toBeLessThanOrEqual(size)
      }
    }
  })

  test('cuts a long topic at its least similar sentence', async () => {
    const long =
      'A stone is here. The stone was old. A stone stood there. A river ran by a river. The river was wide. A river ran on.'
    const options = { embedder: topicEmbedder(topics), threshold: -9, size: 100, overlap: 0 }
    expect(texts(await chunkSemantic(long, options))).toEqual([
      'A stone is here. The stone was old. A stone stood there.',
      'A river ran by a river. The river was wide. A river ran on.',
    ])
  })

  test('overlap is repeated inside a topic and not over its end', async () => {
    const chunks = await chunkSemantic(text, { embedder: topicEmbedder(topics), size: 120, overlap: 50 })
    expect(chunks.some(({ lead }) => lead > 0)).toBe(true)
    for (const piece of chunks) expect(topics.filter((topic) => piece.text.includes(topic))).toHaveLength(1)
  })

  test('paragraphs still end chunks rather than sentences', async () => {
    const paragraphs = ['A stone is here. A stone was there.', 'That stone is old. No stone is new.', 'The last stone.'].join(
      '\n\n',
    )
    const options = { embedder: topicEmbedder(topics), threshold: -9, size: 60, overlap: 0 }
    expect(texts(await chunkSemantic(paragraphs, options))).toEqual(
      [...chunkText(paragraphs, options)].map((piece) => piece.text),
    )
  })
})

describe('structure', () => {
  const document = `# Masonry

A stone is cut. A stone is laid. A stone is joined.

- a river
- some bread

A stone is set. A stone is bound.

\`\`\`
river. Bread. river.
\`\`\`

## Baking

Bread is made. Bread is baked. Bread is eaten.
`

  test('lists and fences stay whole, and headings stay with their text', async () => {
    const options = {
      embedder: topicEmbedder(topics),
      format: markdown,
      similarity: 'cosine',
      threshold: 0.99,
      overlap: 0,
    } as const
    const chunks = await chunkSemantic(document, options)
    expect(chunks.some((piece) => piece.text === '- a river\n- some bread')).toBe(true)
    expect(chunks.some((piece) => piece.text === '```\nriver. Bread. river.\n```')).toBe(true)
    expect(chunks[0]?.text).toBe('# Masonry\n\nA stone is cut.')
    expect(chunks.find((piece) => piece.text.startsWith('## Baking'))?.text).toBe('## Baking\n\nBread is made.')
    expect(chunks.at(-1)?.outline).toEqual(['Masonry', 'Baking'])
  })

  test('a format made for a text serves everything that takes formats', async () => {
    const format = await semanticFormat(document, { embedder: topicEmbedder(topics), format: markdown })
    expect(format.id).toBe('semantic-markdown')
    const options = { size: 200, overlap: 0 }
    const direct = await chunkSemantic(document, { embedder: topicEmbedder(topics), format: markdown, ...options })
    expect([...chunk(document, { format, ...options })]).toEqual(direct)
    const [first] = chunkDocuments([{ text: document }], { format, ...options })
    expect(first?.metadata.chunker).toBe('semantic-markdown')
    const tree = buildTree(document, { format, child: 60, parent: 200, section: 400, least: 0 })
    for (const { start, end, text: piece } of tree.children) expect(document.slice(start, end)).toBe(piece)
    expect((await semanticFormat(text, { embedder: topicEmbedder(topics) })).id).toBe('semantic')
  })

  test('and refuses another text', async () => {
    const format = await semanticFormat(document, { embedder: topicEmbedder(topics) })
    expect(() => [...chunk('Another text.', { format })]).toThrow('was made for one text')
  })
})

describe('the embedder', () => {
  test('is called once for a document, with its sentences', async () => {
    const embedder = topicEmbedder(topics)
    await chunkSemantic(text, { embedder })
    expect(embedder.calls).toHaveLength(1)
    expect(embedder.calls[0]).toHaveLength(18)
    expect(embedder.calls[0]?.[1]).toBe('That stone was old and worn.')
  })

  test('gets no more texts in a call than it takes', async () => {
    const embedder = topicEmbedder(topics, { maxBatch: 5 })
    await chunkSemantic(text, { embedder })
    expect(embedder.calls.map((call) => call.length)).toEqual([5, 5, 5, 3])
  })

  test('is not called for what the cache holds, nor twice for equal sentences', async () => {
    await using cache = memoryCache()
    const embedder = topicEmbedder(topics)
    const before = await chunkSemantic(text, { embedder, cache })
    expect(await chunkSemantic(text, { embedder, cache })).toEqual(before)
    await chunkSemantic(`${text} One new sentence. One new sentence.`, { embedder, cache })
    expect(embedder.calls.slice(1)).toEqual([['One new sentence.']])
  })

  test('never gets a text over its limit: of a long sentence both ends are embedded', async () => {
    const long = `river ${'and so on '.repeat(500)}stone`
    const counted = topicEmbedder(topics, { maxTokens: 20, counter: words })
    const blind = topicEmbedder(topics, { maxTokens: 90, documentPrefix: 'passage: ' })
    for (const embedder of [counted, blind, topicEmbedder(topics)]) {
      const chunks = await chunkSemantic(`A stone. That ${long}. A river. A river.`, {
        embedder,
        similarity: 'cosine',
        size: 9000,
      })
      expect(texts(chunks).map((piece) => piece.slice(0, 8))).toEqual(['A stone.', 'That riv', 'A river.'])
      const sent = embedder.calls.flat()
      for (const piece of sent) expect(piece.length).toBeLessThanOrEqual(1000)
      if (embedder === counted) expect(Math.max(...sent.map((piece) => words(piece)))).toBeLessThanOrEqual(20)
      if (embedder === blind)
        expect(Math.max(...sent.map((piece) => Buffer.byteLength(`passage: ${piece}`)))).toBeLessThanOrEqual(90)
    }
  })

  test('fails for the caller to see', async () => {
    const failing: Embedder = {
      ...topicEmbedder(topics),
      embed: async () => {
        throw new AshlarError('MODEL_FAILED', 'No such model', { details: { status: 404, retryable: false } })
      },
    }
    expect(await refusal(chunkSemantic(text, { embedder: failing }))).toBe('MODEL_FAILED')
  })

  test('is not waited for after an abort', async () => {
    const waiting: Embedder = { ...topicEmbedder(topics), embed: () => new Promise(() => {}) }
    const controller = new AbortController()
    const cut = chunkSemantic(text, { embedder: waiting, signal: controller.signal })
    controller.abort(new Error('enough'))
    expect(await refusal(cut)).toBe('Error: enough')
    const embedder = topicEmbedder(topics)
    expect(await refusal(chunkSemantic('', { embedder, signal: controller.signal }))).toBe('Error: enough')
    expect(embedder.calls).toEqual([])
  })
})

describe('texts without much to compare', () => {
  test('need no embedder: nothing, white space, one sentence', async () => {
    for (const [given, chunks] of [
      ['', []],
      [' \n\t ', []],
      ['One sentence', ['One sentence']],
      ['  One sentence.  \n', ['One sentence.']],
    ] as const) {
      const embedder = topicEmbedder(topics)
      expect(texts(await chunkSemantic(given, { embedder }))).toEqual(chunks)
      expect(embedder.calls).toEqual([])
    }
  })

  test('are cut by size alone where no sentence has a vector', async () => {
    const given = '!!! ??? ... 123. 456. --- ;;; 7. '.repeat(40)
    for (const similarity of ['relative', 'cosine'] as const) {
      const options = { embedder: topicEmbedder(topics), similarity, maxSentences: 10_000, size: 90, overlap: 0 }
      const chunks = await chunkSemantic(given, options)
      expect(chunks.length).toBeGreaterThan(10)
      for (const piece of chunks) expect(piece.text.length).toBeLessThanOrEqual(90)
    }
  })

  test('a sentence without a vector stays with the one before', async () => {
    const given = 'A stone. A stone. Nothing. A stone. A river. A river.'
    const chunks = await chunkSemantic(given, { embedder: topicEmbedder(topics), similarity: 'cosine' })
    expect(texts(chunks)).toEqual(['A stone. A stone. Nothing. A stone.', 'A river. A river.'])
  })

  test('a megabyte without a stop is cut at little cost', async () => {
    for (const given of ['stone '.repeat(175_000), 'x'.repeat(1_000_000), '。'.repeat(1_000_000)]) {
      const embedder = topicEmbedder(topics)
      const chunks = await chunkSemantic(given, { embedder, overlap: 0 })
      expect(chunks.reduce((sum, piece) => sum + piece.text.length, 0)).toBeGreaterThan(800_000)
      expect(embedder.calls.flat().reduce((sum, piece) => sum + piece.length, 0)).toBeLessThan(10_000)
    }
  })
})
