import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { search, searchMany } from '../../src/search/search.ts'
import type { SearchResult } from '../../src/search/search-result.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store, StoredDocument, StoreScope } from '../../src/store/store.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { embedLate } from '../../src/vector/embed-late.ts'
import { lateIdentity } from '../../src/vector/late-options.ts'
import { openTestDatabase } from '../store/postgres-database.ts'
import { contextEmbedder } from '../vector/context-embedder.ts'

const database = await openTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'ashlar-search-'))

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.[Symbol.asyncDispose]()
})

const embedder = contextEmbedder()
const scope: StoreScope = { workspace: 'same', fields: { year: 'number' } }
const trades = ['mason', 'slater', 'glazier', 'plumber']

async function documents(): Promise<StoredDocument[]> {
  return Promise.all(
    trades.map(async (trade, at) => {
      const text = Array.from(
        { length: 25 },
        (_, day) =>
          `On day ${day} the ${trade} wrote ERR_${trade.toUpperCase()}_${day} into the book of house ${(day * 7) % 11}.`,
      ).join('\n\n')
      const tree = buildTree(text, { document: `${trade}.txt`, title: trade, child: 120, parent: 400 })
      const parts = []
      for await (const window of embedLate(tree, { embedder })) parts.push(window)
      const embedding = {
        identity: lateIdentity({ embedder }),
        vectors: parts.flatMap(({ vectors }) => vectors),
        contentKeys: parts.flatMap(({ key, vectors }) => vectors.map((_, place) => `${key}/${place}`)),
        windows: parts.map(({ key, first, after, blob, pieces }) => ({ key, first, after, blob, pieces })),
      }
      return { tree, metadata: { year: 2020 + at }, embeddings: [embedding] }
    }),
  )
}

const queries = ['What did the slater write in house 3?', 'ERR_GLAZIER_17', 'plumber "day 7 the plumber"', 'book of days']

/** Everything but the keys, which are an engine's own. */
function comparable({ hits, ...result }: SearchResult): unknown {
  return {
    ...result,
    hits: hits.map(({ parent: { key: _, ...parent }, section: { key: __, ...section }, ...hit }) => ({
      ...hit,
      parent,
      section,
    })),
  }
}

async function answers(store: Store): Promise<unknown[]> {
  await using _ = store
  await store.put(await documents())
  const all = []
  for (const expand of ['child', 'parent', 'segment'] as const)
    all.push(...(await searchMany(store, queries, { embedding: { embedder }, expand, limit: 5 })))
  all.push(await search(store, queries[0] as string, { where: { year: { gte: 2021, lt: 2023 } }, explain: true }))
  all.push(await search(store, queries[3] as string, { maxTokens: 60, minScore: 0.1, embedding: { embedder } }))
  return all.map(comparable)
}

test('every store gives the same hits in the same order, with the same scores, places and reasons', async () => {
  const memory = await answers(memoryStore(scope))
  expect(await answers(await sqliteStore(join(folder, 'same.db'), scope))).toEqual(memory)
  if (database !== undefined) expect(await answers(await postgresStore(database.url, scope, { connections: 2 }))).toEqual(memory)
})
