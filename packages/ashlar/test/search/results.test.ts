import { describe, expect, expectTypeOf, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import type { Reranker } from '../../src/model/reranker.ts'
import { noUsage } from '../../src/model/usage.ts'
import { search, searchMany } from '../../src/search/search.ts'
import { compileWhere, type MetadataOf, type Where } from '../../src/search/where.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { reserved } from '../../src/store/reserved-metadata.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'
import { packPositions } from '../../src/text/packed-positions.ts'
import { placeOf } from '../../src/text/position-map.ts'
import { words as wordCounter } from '../../src/text/word-counter.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { standardTree } from '../../src/tree/standard-tree.ts'
import type { Tree } from '../../src/tree/tree.ts'
import { embedLate } from '../../src/vector/embed-late.ts'
import { lateIdentity } from '../../src/vector/late-options.ts'
import { contextEmbedder } from '../vector/context-embedder.ts'

/** A guide of three sections, several paragraphs each. */
const guide = `# Walls

A dry stone wall stands without mortar. Its stones are laid in two faces that lean towards each other, and the room between them is
filled with small stones called hearting.

Through stones tie the two faces together. They are laid at half the height of the wall, one every metre, and reach from one face to
the other.

The wall ends in a row of cope stones set on edge. Their weight holds the faces together and keeps the rain out of the hearting.

# Roofs

Slates are hung from the eaves to the ridge in courses that get smaller. Each slate overlaps the two below it, so that no nail is ever
exposed to the rain.

The function parseSlateOrder_v2 reads an order such as SLT-2041/B and returns the courses. It fails with ERR_NO_EAVES when the lowest
course is missing.

# Windows

Crown glass is blown and spun into a disc. The pane with the bull's eye in the middle was the cheapest, and is what people now pay for.
`

const guideTree = buildTree(guide, {
  document: 'guide.md',
  title: 'The guide',
  format: markdown,
  child: 150,
  parent: 400,
  least: 0,
})

async function openStore(documents: readonly StoredDocument[], fields = {}): Promise<Store> {
  const store = memoryStore({ workspace: 'house', fields })
  await store.put(documents)
  return store
}

async function lately(tree: Tree, embedder: Embedder): Promise<StoredDocument> {
  const parts = []
  for await (const window of embedLate(tree, { embedder })) parts.push(window)
  return {
    tree,
    embeddings: [
      {
        identity: lateIdentity({ embedder }),
        vectors: parts.flatMap(({ vectors }) => vectors),
        contentKeys: parts.flatMap(({ key, vectors }) => vectors.map((_, at) => `${key}/${at}`)),
        windows: parts.map(({ key, first, after, blob, pieces }) => ({ key, first, after, blob, pieces })),
      },
    ],
  }
}

describe('passages', () => {
  const question = 'What ties the two faces of the wall together?'

  test('are children, their parents, or neighbours joined; exact slices of the document that never overlap', async () => {
    await using store = await openStore([{ tree: guideTree }])
    for (const expand of ['child', 'parent', 'segment'] as const) {
      const { hits, counts } = await search(store, question, { expand, limit: 100 })
      for (const hit of hits) {
        expect(guide.slice(hit.start, hit.end)).toBe(hit.text)
        expect(hit.child.text).toBe(guide.slice(hit.child.start, hit.child.end))
        expect(hit.child.start).toBeGreaterThanOrEqual(hit.start)
        expect(hit.child.end).toBeLessThanOrEqual(hit.end)
        expect(hit.children[0]).toMatchObject({ id: hit.id, score: hit.score })
        if (expand === 'parent') expect(hit.text).toBe(hit.parent.text)
        if (expand === 'child') expect(hit.children).toHaveLength(1)
      }
      const spans = hits.toSorted((left, right) => left.start - right.start)
      for (const [at, { start }] of spans.slice(1).entries()) expect(start).toBeGreaterThanOrEqual(spans[at]!.end)
      // Every child that was scored is in one of them.
      expect(hits.reduce((sum, { children }) => sum + children.length, 0)).toBe(counts.scored)
      expect(counts.merged).toBe(counts.scored - hits.length)
      expect(hits[0]!.text).toContain('Through stones')
    }
  })

  test('are counted after they were joined, and ranked by their best child', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const [alone, parents] = await Promise.all([
      search(store, question, { limit: 2 }),
      search(store, question, { limit: 2, expand: 'parent' }),
    ])
    expect(parents.hits).toHaveLength(2)
    expect(new Set(parents.hits.map(({ parent }) => parent.id)).size).toBe(2)
    expect(parents.hits[0]).toMatchObject({ id: alone.hits[0]!.id, score: alone.hits[0]!.score })
  })

  test('a segment takes in a child between two others', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const { hits } = await search(store, 'stones faces wall hearting rain', { limit: 100, expand: 'segment' })
    const first = hits[0]!
    expect(first.children.length).toBeGreaterThan(1)
    const indices = first.children.map(({ index }) => index).toSorted((left, right) => left - right)
    expect(indices).toEqual(indices.map((_, at) => indices[0]! + at))
  })

  test('a standard chunk is returned itself', async () => {
    const tree = standardTree(['Cope stones end the wall.', 'Slates end at the ridge.'], { document: 'flat' })
    await using store = await openStore([{ tree }])
    const { hits } = await search(store, 'cope stones', { expand: 'parent' })
    expect(hits[0]).toMatchObject({ kind: 'standard', text: 'Cope stones end the wall.' })
  })

  test('the same text in several documents is one hit that says where else it stands', async () => {
    const documents = ['first.md', 'second.md', 'third.md'].map((document) => ({
      tree: buildTree(guide, { document, format: markdown, child: 150, parent: 400, least: 0 }),
    }))
    await using store = await openStore(documents)
    const { hits, counts } = await search(store, question, { limit: 3 })
    expect(new Set(hits.map(({ text }) => text)).size).toBe(3)
    // Equals come in the order of ids.
    expect(hits[0]!.document.id).toBe('first.md')
    expect(hits[0]!.alsoAt.map(({ document }) => document)).toEqual(['second.md', 'third.md'])
    for (const { start, end } of hits[0]!.alsoAt) expect(guide.slice(start, end)).toBe(hits[0]!.text)
    expect(counts.duplicates).toBeGreaterThanOrEqual(6)
    const kept = await search(store, question, { limit: 3, duplicates: 'keep' })
    expect(new Set(kept.hits.map(({ text }) => text)).size).toBe(1)
  })

  test('fit into a budget of tokens, a long one as its best child', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const wide = await search(store, question, { expand: 'parent', limit: 100 })
    const { hits, counts } = await search(store, question, {
      expand: 'parent',
      limit: 100,
      maxTokens: 40,
      counter: wordCounter,
    })
    expect(counts.tokens).toBe(hits.reduce((sum, { text }) => sum + wordCounter(text), 0))
    expect(counts.tokens).toBeLessThanOrEqual(40)
    expect(hits.map(({ tokens }) => tokens)).toEqual(hits.map(({ text }) => wordCounter(text)))
    expect(hits[0]!.id).toBe(wide.hits[0]!.id)
    expect(hits[0]!.text).toBe(hits[0]!.child.text)
    expect(counts.outOfBudget).toBeGreaterThan(0)
    expect((await search(store, question, { maxTokens: 1 })).hits).toEqual([])
  })
})

describe('a hit', () => {
  test('says what matched, where it stands and how it is cited', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const { hits } = await search(store, 'slate overlapping nails', { limit: 1 })
    const [hit] = hits
    const matched = hit!.matches.map(({ start, end }) => guide.slice(start, end))
    expect(matched).toContain('slate')
    expect(matched).toContain('overlaps')
    expect(matched).toContain('nail')
    expect(matched).not.toContain('that')
    const last = hit!.start + hit!.text.trimEnd().length - 1
    expect(hit!.place).toEqual(placeOf(undefined, guide, hit!.start))
    expect(hit!.placeEnd).toEqual(placeOf(undefined, guide, last))
    for (const expand of ['parent', 'segment'] as const) {
      for (const wider of (await search(store, 'slate wall stone', { expand })).hits) {
        expect(wider.place, expand).toEqual(placeOf(undefined, guide, wider.start))
        expect(wider.placeEnd, expand).toEqual(placeOf(undefined, guide, wider.start + wider.text.trimEnd().length - 1))
      }
    }
    expect(hit!.citation).toMatch(/^guide\.md, lines? \d+(-\d+)? \(The guide > Roofs\)$/)
    expect(hit!.ranks).toMatchObject({ child: 1 })
    const bare = await search(store, 'slate overlapping nails', { limit: 1, places: false })
    expect(bare.hits[0]).not.toHaveProperty('place')
    expect(bare.hits[0]!.citation).toBe(`guide.md, characters ${hit!.start}-${hit!.end} (The guide > Roofs)`)
  })

  test('knows its page where the loader kept the pages', async () => {
    const half = guide.indexOf('# Roofs')
    const positions = packPositions({ kind: 'pages', starts: [0, half] })
    await using store = await openStore([{ tree: guideTree, metadata: { [reserved.positions]: positions } }])
    const { hits } = await search(store, 'slates in courses', { limit: 1 })
    expect(hits[0]!.place).toEqual({ kind: 'page', page: 2 })
    expect(hits[0]!.citation).toBe('guide.md, page 2 (The guide > Roofs)')
  })

  test('matches in scripts without spaces', async () => {
    const text = '石垣は石を積んで作る。屋根は瓦で葺く。'
    await using store = await openStore([{ tree: buildTree(text, { document: 'ja' }) }])
    const { hits } = await search(store, '石垣')
    expect(hits[0]!.matches.map(({ start, end }) => text.slice(start, end))).toContain('石垣')
  })

  test('is plain data', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const result = await search(store, 'slates', { explain: true })
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })
})

describe('scores', () => {
  test('minScore leaves weak hits out, and relevance rises with the score', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const all = await search(store, 'cope stones on edge', { limit: 100 })
    const middle = all.hits[1]!.score
    const { hits, counts, best } = await search(store, 'cope stones on edge', { limit: 100, minScore: middle })
    expect(hits.map(({ id }) => id)).toEqual(all.hits.filter(({ score }) => score >= middle).map(({ id }) => id))
    expect(counts.belowMinScore).toBe(all.hits.length - hits.length)
    expect(best.score).toBe(all.hits[0]!.score)
    for (const [at, { score, relevance }] of all.hits.entries()) {
      expect(relevance).toBeGreaterThan(0)
      expect(relevance).toBeLessThan(1)
      const next = all.hits[at + 1]
      if (next !== undefined && next.score < score) expect(next.relevance).toBeLessThan(relevance)
    }
  })

  test('say when nothing here is about the question', async () => {
    await using store = await openStore([{ tree: guideTree }])
    expect((await search(store, 'What holds the faces of a dry stone wall together?')).nothing).toBe(false)
    const foreign = await search(store, 'Which bank lent money to the airline in the quarter after the merger?')
    expect(foreign.nothing).toBe(true)
    expect(foreign.best.score).toBeLessThan(0.17)
  })
})

describe('phrases and identifiers', () => {
  test.each([
    ['"the rain out of the hearting"', 'the rain out of the hearting'],
    ['what about “no nail is ever   exposed”?', 'no nail is ever'],
    ['parseSlateOrder_v2', 'parseSlateOrder_v2'],
    ['SLT-2041/B', 'SLT-2041/B'],
    ['err_no_eaves', 'ERR_NO_EAVES'],
    ['where is `ERR_NO_EAVES` from', 'ERR_NO_EAVES'],
  ])('%s is found literally, and first', async (query, expected) => {
    const decoys = buildTree(
      Array.from(
        { length: 40 },
        (_, at) => `Rain ${at}: parse slate order v 2, SLT 2041 B, err no eaves, hearting of the nail.`,
      ).join('\n\n'),
      { document: 'decoys' },
    )
    await using store = await openStore([{ tree: guideTree }, { tree: decoys }])
    const { hits, nothing } = await search(store, query)
    expect(hits[0]).toMatchObject({ exact: true, document: { id: 'guide.md' } })
    expect(hits[0]!.parent.text.replace(/\s+/g, ' ')).toContain(expected)
    const spans = hits[0]!.matches.map(({ start, end }) => guide.slice(start, end).replace(/\s+/g, ' '))
    expect(spans.some((span) => span.includes(expected.split(' ')[0] as string))).toBe(true)
    expect(nothing).toBe(false)
    expect(hits.findLast(({ exact }) => exact)?.document.id).toBe('guide.md')
  })

  test('half a word is not the word', async () => {
    await using store = await openStore([{ tree: buildTree('Category theory.', { document: 'a' }) }])
    expect((await search(store, '"cat"')).hits.some(({ exact }) => exact)).toBe(false)
  })

  test('a filter holds for them too', async () => {
    await using store = await openStore([{ tree: guideTree, metadata: { year: 2019 } }], { year: 'number' })
    expect((await search(store, 'parseSlateOrder_v2', { where: { year: { gte: 2020 } } })).hits).toEqual([])
    expect((await search(store, 'parseSlateOrder_v2', { where: { year: 2019 } })).hits[0]).toMatchObject({ exact: true })
  })
})

describe('filters as people write them', () => {
  const fields = { year: 'number', topic: 'string', tags: 'strings', draft: 'boolean' } as const
  type Data = MetadataOf<typeof fields>

  test.each<[Where<Data>, object]>([
    [{ year: 2020 }, { op: 'equal', field: 'year', value: 2020 }],
    [{ year: { gte: 2020, lt: 2024 } }, { op: 'range', field: 'year', gte: 2020, lt: 2024 }],
    [
      { topic: { prefix: 'wa' }, tags: 'stone' },
      {
        op: 'and',
        filters: [
          { op: 'prefix', field: 'topic', value: 'wa' },
          { op: 'equal', field: 'tags', value: 'stone' },
        ],
      },
    ],
    [
      [{ draft: false }, { year: { in: [1, 2] } }],
      {
        op: 'or',
        filters: [
          { op: 'equal', field: 'draft', value: false },
          { op: 'in', field: 'year', values: [1, 2] },
        ],
      },
    ],
    [{ year: { exists: false } }, { op: 'not', filter: { op: 'exists', field: 'year' } }],
    [{ topic: { not: 'roofs' } }, { op: 'not', filter: { op: 'equal', field: 'topic', value: 'roofs' } }],
    [{}, { op: 'and', filters: [] }],
  ])('%j', (where, filter) => {
    expect(compileWhere(where as Where, fields)).toEqual(filter)
  })

  test('a filter of the store is taken as it is, unless a field is called op', () => {
    const filter = { op: 'exists', field: 'year' } as const
    expect(compileWhere(filter, fields)).toBe(filter)
    expect(compileWhere({ op: 'sum' }, { op: 'string' })).toEqual({ op: 'equal', field: 'op', value: 'sum' })
  })

  test('what is none is refused', async () => {
    await using store = await openStore([], fields)
    const wrong = [{ year: { above: 3 } }, { year: [1] }, { year: {} }, 'year', null, { colour: 'red' }, { year: 'late' }, [3]]
    for (const where of wrong) {
      await expect(search(store, 'x', { where: where as Where })).rejects.toMatchObject({ code: 'INVALID_FILTER' })
    }
    let deep: Where = { topic: 'x' }
    for (let at = 0; at < 100; at++) deep = { topic: { not: (deep as { topic: string }).topic } } as Where
    await expect(search(store, 'x', { where: deep })).rejects.toMatchObject({ code: 'INVALID_FILTER' })
  })

  test('are checked by their types', () => {
    expectTypeOf<{ year: { gte: number } }>().toExtend<Where<Data>>()
    expectTypeOf<{ year: { gte: string } }>().not.toExtend<Where<Data>>()
    expectTypeOf<{ topic: number }>().not.toExtend<Where<Data>>()
    expectTypeOf<{ tags: string }>().toExtend<Where<Data>>()
    // @ts-expect-error: no such field
    const unknown: Where<Data> = { colour: 'red' }
    // @ts-expect-error: booleans have no order
    const ordered: Where<Data> = { draft: { gte: true } }
    expect([unknown, ordered]).toHaveLength(2)
  })
})

describe('models', () => {
  const failing = (embedder: Embedder): Embedder => ({
    ...embedder,
    embed: async () => {
      throw new AshlarError('MODEL_FAILED', 'The model is not well today.')
    },
  })

  test('an embedder that fails leaves the words, and that is said', async () => {
    const embedder = contextEmbedder()
    await using store = await openStore([await lately(guideTree, embedder)])
    const question = 'What are cope stones for?'
    const well = await search(store, question, { embedding: { embedder } })
    expect(well.degraded).toEqual([])
    expect(well.legs).toContain('tokens')
    const ill = await search(store, question, { embedding: { embedder: failing(embedder) } })
    expect(ill.degraded).toEqual([{ part: 'embedding', code: 'MODEL_FAILED', reason: 'The model is not well today.' }])
    expect(ill.legs).toEqual(['child', 'parent', 'section', 'context'])
    const { degraded, ...byWords } = await search(store, question)
    expect(degraded).toEqual([])
    expect(ill).toMatchObject(byWords)
    await expect(
      search(store, question, { embedding: { embedder: failing(embedder) }, whenModelFails: 'throw' }),
    ).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    const aborted = search(store, question, { embedding: { embedder: failing(embedder) }, signal: AbortSignal.abort('enough') })
    await expect(aborted).rejects.toBe('enough')
  })

  test('several searches share the calls of the embedder and find what each finds alone', async () => {
    const embedder = contextEmbedder()
    await using store = await openStore([await lately(guideTree, embedder)])
    const queries = ['cope stones', 'slates and nails', ' ', 'crown glass', 'cope stones']
    const calls: (readonly string[])[] = []
    const counted: Embedder = {
      ...embedder,
      embed: (texts, options) => {
        calls.push(texts)
        return embedder.embed(texts, options)
      },
    }
    const together = await searchMany(store, queries, { embedding: { embedder: counted } })
    expect(calls).toEqual([['cope stones', 'slates and nails', 'crown glass']])
    const alone = []
    for (const query of queries) alone.push(await search(store, query, { embedding: { embedder } }))
    expect(together).toEqual(alone)
    expect(await searchMany(store, [])).toEqual([])
  })

  test('a reranker changes the order of the best, reads what surrounds them, and may fail', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const read: string[] = []
    const reranker: Reranker = {
      identity: { model: 'test/reranker', options: {}, scale: 'logit', maxTokens: undefined },
      maxBatch: 8,
      rerank: async (_, texts) => {
        read.push(...texts)
        return { scores: texts.map((text) => (text.includes('Crown glass') ? 9 : -9)), usage: noUsage }
      },
    }
    const question = 'What do people pay for now, stones or slates?'
    const plain = await search(store, question, { limit: 3 })
    const hits = (await search(store, question, { limit: 3, rerank: { reranker, weight: 5, top: 20 } })).hits
    expect(hits[0]).toMatchObject({ reranked: 9 })
    expect(hits[0]!.text).toContain('glass')
    expect(read.every((text) => plain.hits.every(({ parent }) => !parent.text.startsWith(text) || parent.text === text))).toBe(
      true,
    )
    // The score stays what it is.
    expect(hits[0]!.score).toBe((await search(store, question, { limit: 100 })).hits.find(({ id }) => id === hits[0]!.id)!.score)
    const broken: Reranker = {
      ...reranker,
      rerank: async () => {
        throw new AshlarError('TEXT_TOO_LONG', 'Too long.')
      },
    }
    const degraded = await search(store, question, { limit: 3, rerank: { reranker: broken } })
    expect(degraded.hits).toEqual(plain.hits)
    expect(degraded.degraded).toEqual([{ part: 'rerank', code: 'TEXT_TOO_LONG', reason: expect.stringContaining('Too long') }])
  })
})

describe('an explanation', () => {
  const many = buildTree(
    Array.from(
      { length: 300 },
      (_, at) => `Entry ${at} of the ledger: ${at % 3 === 0 ? 'mortar' : 'timber'} for house ${at}.`,
    ).join('\n\n'),
    { document: 'ledger', child: 60, parent: 240 },
  )

  test('says how a result came about', async () => {
    await using store = await openStore([{ tree: guideTree }])
    const { explanation } = await search(store, 'cope "set on edge"', { explain: true })
    expect(explanation).toMatchObject({ phrases: ['set on edge'], children: guideTree.children.length, minScore: 0 })
    expect(explanation!.terms.map(({ term }) => term)).toContain('cope')
    expect(explanation!.nominated.child).toBeGreaterThan(0)
    expect((await search(store, 'cope')).explanation).toBeUndefined()
  })

  test('says why a child was not returned', async () => {
    await using store = await openStore(
      [
        { tree: many, metadata: { year: 1 } },
        { tree: guideTree, metadata: { year: 2 } },
      ],
      { year: 'number' },
    )
    const why = async (child: string, options: Parameters<typeof search>[2] = {}, document?: string) => {
      const explain = { child, ...(document === undefined ? {} : { document }) }
      return (await search(store, 'mortar for house 30', { ...options, explain })).explanation?.child
    }
    const { hits } = await search(store, 'mortar for house 30', { limit: 100 })
    const [first, second] = [hits[0]!.id, hits[1]!.id]
    expect(await why(first)).toMatchObject({ outcome: 'returned', rank: 1, score: hits[0]!.score })
    expect(await why(second, { limit: 1 })).toMatchObject({ outcome: 'below-limit', rank: 2 })
    expect(await why(second, { minScore: hits[0]!.score })).toMatchObject({ outcome: 'below-min-score' })
    expect(await why(second, { maxTokens: Math.ceil(hits[0]!.text.length / 4) })).toMatchObject({ outcome: 'out-of-budget' })
    expect(await why(first, { where: { year: 2 } }, 'ledger')).toMatchObject({ outcome: 'filtered' })
    expect(await why('no such id', {}, 'ledger')).toMatchObject({ outcome: 'absent' })
    expect(await why('no such id', {}, 'no such document')).toMatchObject({ outcome: 'absent' })
    expect(await why('no such id')).toMatchObject({ outcome: 'not-nominated' })
    const small = { nominate: { child: 20, parent: 1, section: 1, kept: 5 } }
    const cut = await why(hits[8]!.id, small)
    expect(cut).toMatchObject({ outcome: 'cut-at-first-stage' })
    expect(cut!.rank).toBeGreaterThan(5)
    const glass = guideTree.children.find(({ text }) => text.includes('Crown glass'))!
    const far = await why(glass.id, { nominate: { child: 5, parent: 1, section: 1 } }, 'guide.md')
    expect(far).toMatchObject({ outcome: 'not-nominated' })
    const timber = many.children.find(({ text }) => text.includes('timber for house 31'))!
    const near = await why(timber.id, { nominate: { child: 5, parent: 0, section: 0 } }, 'ledger')
    expect(near).toMatchObject({ outcome: 'not-nominated' })
    expect(near!.ranks!.child).toBeGreaterThan(5)
    expect(near!.sentence).toContain('number')
    const twins = await openStore([
      { tree: guideTree },
      { tree: buildTree(guide, { document: 'z.md', format: markdown, child: 150, parent: 400, least: 0 }) },
    ])
    const other = (await search(twins, 'cope stones', { duplicates: 'keep' })).hits[1]!
    const told = await search(twins, 'cope stones', { explain: { child: other.id } })
    expect(told.explanation!.child).toMatchObject({ outcome: 'duplicate' })
  })
})

test('options that are none are refused', async () => {
  await using store = await openStore([])
  const wrong = [
    { limit: 0 },
    { maxTokens: -1 },
    { minScore: Number.NaN },
    { expand: 'page' },
    { duplicates: 'drop' },
    { whenModelFails: 'x' },
  ]
  for (const options of wrong) {
    await expect(search(store, 'x', options as object)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  }
})
