import { describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/model/embedder.ts'
import { contextGain, evidenceWeights } from '../../src/search/configuration.ts'
import { fuse } from '../../src/search/fuse.ts'
import { search } from '../../src/search/search.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { DocumentEmbedding, Store, StoredDocument } from '../../src/store/store.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import type { Tree } from '../../src/tree/tree.ts'
import { embedLate } from '../../src/vector/embed-late.ts'
import { lateIdentity } from '../../src/vector/late-options.ts'
import { contextEmbedder } from '../vector/context-embedder.ts'

const trades = ['mason', 'slater', 'glazier', 'plumber', 'joiner', 'thatcher', 'smith', 'potter']
const things = ['keystone', 'ridge', 'pane', 'cistern', 'lintel', 'sheaf', 'hinge', 'kiln']

/** Eight documents of some twenty paragraphs, each about one trade and full of the same other words. */
const trees: readonly Tree[] = trades.map((trade, at) => {
  const paragraphs = Array.from({ length: 20 }, (_, i) =>
    i === 11
      ? `In the winter of ${1700 + 10 * at} the ${trade} of the upper village dressed the ${things[at]} with care and pride.`
      : `The work of day ${i} began early at the house by the river. ${trade} and helper carried what was needed up the hill.`,
  )
  return buildTree(paragraphs.join('\n\n'), { document: `${trade}.txt`, title: trade })
})

async function openStore(documents: readonly StoredDocument[]): Promise<Store> {
  const store = memoryStore({ workspace: 'house' })
  await store.put(documents)
  return store
}

async function lately(tree: Tree, embedder: Embedder): Promise<StoredDocument> {
  const parts = []
  for await (const window of embedLate(tree, { embedder })) parts.push(window)
  const embedding: DocumentEmbedding = {
    identity: lateIdentity({ embedder }),
    vectors: parts.flatMap(({ vectors }) => vectors),
    contentKeys: parts.flatMap(({ key, vectors }) => vectors.map((_, at) => `${key}/${at}`)),
    windows: parts.map(({ key, first, after, blob, pieces }) => ({ key, first, after, blob, pieces })),
  }
  return { tree, embeddings: [embedding] }
}

async function plainly(tree: Tree, embedder: Embedder): Promise<StoredDocument> {
  const vectors: Float32Array[] = []
  for (const { text } of tree.children) vectors.push((await embedder.embed([text], { as: 'document' })).vectors[0]!)
  const embedding = { identity: embedder.identity, vectors, contentKeys: tree.children.map(({ id }) => id) }
  return { tree, embeddings: [embedding] }
}

const question = 'Who dressed the lintel in the winter?'

describe('search', () => {
  test('finds the child that answers, by words, by vectors and by tokens, and says what for', async () => {
    const embedder = contextEmbedder()
    await using words = await openStore(trees.map((tree) => ({ tree })))
    await using vectors = await openStore(await Promise.all(trees.map((tree) => plainly(tree, embedder))))
    await using late = await openStore(await Promise.all(trees.map((tree) => lately(tree, embedder))))
    const legs = ['child', 'context', 'parent', 'section']
    const keep = { duplicates: 'keep' } as const
    const [byWords, byVectors, byAll] = (
      await Promise.all([
        search(words, question, keep),
        search(vectors, question, { embedding: { embedder }, ...keep }),
        search(late, question, { embedding: { embedder }, ...keep }),
      ])
    ).map(({ hits }) => hits)
    for (const hits of [byWords!, byVectors!, byAll!]) {
      expect(hits).toHaveLength(10)
      expect(hits[0]).toMatchObject({ document: { id: 'joiner.txt' }, workspace: 'house' })
      expect(hits[0]!.text).toContain('lintel')
      for (const { score, scores } of hits)
        expect(score).toBeCloseTo(fuse(scores, evidenceWeights) + contextGain * scores.context, 12)
    }
    expect(Object.keys(byWords![0]!.scores).toSorted()).toEqual(legs)
    expect(Object.keys(byVectors![0]!.scores).toSorted()).toEqual([...legs, 'vector'])
    expect(Object.keys(byAll![0]!.scores).toSorted()).toEqual(
      [...legs, 'tokens', 'tokensAround', 'tokensNear', 'vector'].toSorted(),
    )
  })

  test('gives exact slices', async () => {
    await using store = await openStore(trees.map((tree) => ({ tree })))
    const { hits } = await search(store, question, { limit: 100 })
    for (const { document, start, end, text, parent, index, id } of hits) {
      const tree = trees.find((one) => one.document === document.id)!
      expect(tree.text.slice(start, end)).toBe(text)
      expect(parent.text).toBe(tree.text.slice(parent.start, parent.end))
      expect(tree.children[index]!.id).toBe(id)
    }
  })

  test('a hit has the same score in any company, but for how rare words are', async () => {
    const embedder = contextEmbedder()
    const documents = await Promise.all(trees.map((tree) => lately(tree, embedder)))
    await using all = await openStore(documents)
    const keep = { embedding: { embedder }, duplicates: 'keep' } as const
    const [{ hits: few }, { hits: many }] = await Promise.all([
      search(all, question, { ...keep, nominate: { vector: 5, child: 5, parent: 2, section: 1, kept: 8 } }),
      search(all, question, { ...keep, limit: 100 }),
    ])
    expect(few.length).toBeGreaterThan(3)
    // Only ranks are about the company.
    for (const { ranks, ...hit } of few) expect(many.find(({ id }) => id === hit.id)).toMatchObject(hit)
  })

  test('uses the words of whole documents where they count', async () => {
    await using store = await openStore(trees.map((tree) => ({ tree })))
    const [hit] = (await search(store, question, { documents: true })).hits
    expect(Object.keys(hit!.scores).toSorted()).toEqual(['child', 'context', 'document', 'parent', 'section'])
  })

  test('finds only what a filter lets through', async () => {
    await using store = await openStore(trees.map((tree) => ({ tree })))
    const { hits } = await search(store, question, { where: { op: 'document', ids: ['smith.txt', 'potter.txt'] } })
    expect(new Set(hits.map(({ document }) => document.id))).toEqual(new Set(['smith.txt', 'potter.txt']))
  })

  test('embeds with the one of several that the store uses, and refuses when none is', async () => {
    const [one, other] = [contextEmbedder(), contextEmbedder({ dimensions: 32 })]
    const another = { ...other, identity: { ...other.identity, model: 'test/other' } }
    await using store = await openStore(await Promise.all(trees.map((tree) => lately(tree, one))))
    const { hits } = await search(store, question, { embedding: [{ embedder: another }, { embedder: one }] })
    expect(hits[0]!.scores.tokens).toBeGreaterThan(0)
    expect(other.calls).toEqual([])
    await expect(search(store, question, { embedding: { embedder: another } })).rejects.toMatchObject({
      code: 'EMBEDDING_MISMATCH',
    })
  })

  test('an embedder where nothing is embedded, an empty store, a query of nothing', async () => {
    const embedder = contextEmbedder()
    await using words = await openStore(trees.map((tree) => ({ tree })))
    expect((await search(words, question, { embedding: { embedder } })).hits[0]!.text).toContain('lintel')
    expect(embedder.calls).toEqual([])
    await using empty = await openStore([])
    expect(await search(empty, question, { embedding: { embedder } })).toMatchObject({ hits: [], nothing: true })
    expect(await search(words, ' \n')).toMatchObject({ hits: [], nothing: true, best: { score: 0, relevance: 0 } })
    expect(await search(words, '?!')).toMatchObject({ hits: [], nothing: true })
  })

  test('refuses limits that are none, and stops when it is told to', async () => {
    await using store = await openStore([])
    for (const limit of [0, 1.5, Number.NaN]) {
      await expect(search(store, question, { limit })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    }
    await expect(search(store, question, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  })
})
