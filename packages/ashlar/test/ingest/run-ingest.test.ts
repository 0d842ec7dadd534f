import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ingest } from '../../src/ingest/ingest.ts'
import type { IngestEvent } from '../../src/ingest/ingest-event.ts'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { folderSource } from '../../src/ingest/node/folder-source.ts'
import { runIngest } from '../../src/ingest/run-ingest.ts'
import { sqliteCache } from '../../src/model/sqlite-cache.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { reserved } from '../../src/store/reserved-metadata.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { openTestDatabase } from '../store/postgres-database.ts'
import { letterEmbedder } from './letter-embedder.ts'

const folder = await mkdtemp(join(tmpdir(), 'ashlar-ingest-'))
const scope = { workspace: 'w', fields: { ...ingestFields, year: 'number' as const } }
const database = await openTestDatabase()
const pool = database?.connect()
let cases = 0

afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const words = 'stone slate mortar wall roof arch keystone lime sand water plumb level course bond header stretcher'.split(' ')

/** A text of several paragraphs, the same for the same number. */
function prose(seed: number, paragraphs = 6): string {
  const paragraph = (index: number): string =>
    Array.from({ length: 40 }, (_, at) => words[(seed * 7 + index * 13 + at * (3 + (seed % 5))) % words.length]).join(' ')
  return Array.from({ length: paragraphs }, (_, index) => `Part ${seed} ${index}. ${paragraph(index)}.`).join('\n\n')
}

const engines: Readonly<Record<string, (base: string) => Promise<Store>>> = {
  memory: async () => memoryStore(scope),
  sqlite: (base) => sqliteStore(join(base, 'store.db'), scope),
  ...(pool === undefined ? {} : { postgres: () => postgresStore(pool, scope, { schema: `ingest${cases}` }) }),
}

async function newFolder(): Promise<{ base: string; docs: string }> {
  const base = join(folder, `case${++cases}`)
  const docs = join(base, 'docs')
  await mkdir(join(docs, 'guide'), { recursive: true })
  for (const seed of [1, 2, 3, 4]) await writeFile(join(docs, `file${seed}.md`), `# File ${seed}\n\n${prose(seed)}\n`)
  await writeFile(join(docs, 'guide', 'walls.txt'), prose(9))
  return { base, docs }
}

/** Everything that a store holds of documents, to compare two. */
async function contents(store: Store, ingest: Ingest): Promise<unknown> {
  const ids = (await store.list({ limit: 1000 })).items.map(({ id }) => id)
  const embedding = (await store.embeddings()).find(({ active }) => active)?.identity
  const records = await store.get(ids, embedding === undefined ? {} : { embedding })
  expect(ingest.store).toBe(store)
  return records.map((record) => {
    const { contentHash, metadata, tree, notes, embedding: kept } = record ?? {}
    const { [reserved.root]: _, ...rest } = metadata ?? {}
    return {
      contentHash: contentHash?.length,
      rest,
      tree,
      notes,
      keys: kept?.contentKeys,
      windows: kept?.windows.map(({ key }) => key),
    }
  })
}

describe.each(Object.keys(engines))('an ingest into %s', (engine) => {
  describe.each([false, true])('with windows: %s', (tokens) => {
    test('reads what is new, embeds what changed, follows renames, removes what is gone', async () => {
      const { base, docs } = await newFolder()
      const store = await (engines[engine] as (base: string) => Promise<Store>)(base)
      const embedder = letterEmbedder({ tokens })
      const ingest: Ingest = { store, embedder }
      const source = folderSource(docs)
      const first = await runIngest(source, ingest)
      expect(first.counts).toEqual({ new: 5, moved: 0, changed: 0, unchanged: 0, gone: 0, failed: 0 })
      expect(first.written).toBe(5)
      expect(first.children.embedded).toBe(first.children.all)
      expect(embedder.taken().length).toBe(tokens ? first.windows : first.children.all)
      const { items } = await store.list()
      expect(items.map(({ id }) => id)).toEqual(['file1.md', 'file2.md', 'file3.md', 'file4.md', 'guide/walls.txt'])
      expect(items[0]?.metadata).toMatchObject({ [reserved.source]: 'file:file1.md', [reserved.root]: source.root })

      const second = await runIngest(folderSource(docs), ingest)
      expect(second.counts).toEqual({ new: 0, moved: 0, changed: 0, unchanged: 5, gone: 0, failed: 0 })
      expect(second.written).toBe(0)

      await rename(join(docs, 'file2.md'), join(docs, 'guide', 'renamed.md'))
      await cp(join(docs, 'file3.md'), join(docs, 'copy.md'))
      await rm(join(docs, 'file4.md'))
      const events: IngestEvent[] = []
      const third = await runIngest(source, ingest, { onEvent: (event) => events.push(event) })
      expect(third.counts).toEqual({ new: 1, moved: 1, changed: 0, unchanged: 3, gone: 2, failed: 0 })
      expect(third.removed).toBe(2)
      expect(embedder.taken()).toHaveLength(first.windows > 0 ? first.windows - first.windows : 0)
      expect(events).toContainEqual({ type: 'found', id: 'guide/renamed.md', change: 'moved', from: 'file2.md' })
      expect(events.filter(({ type }) => type === 'removed').map((event) => 'id' in event && event.id)).toEqual([
        'file2.md',
        'file4.md',
      ])
      const last = events.at(-1)
      expect(last?.type === 'progress' && last.found.items === last.done.items && last.found.all).toBe(true)

      await writeFile(join(docs, 'file1.md'), `# File 1\n\n${prose(1).replace('Part 1 3.', 'Part 1 3, revised.')}\n`)
      const fourth = await runIngest(source, ingest)
      expect(fourth.counts).toMatchObject({ changed: 1, unchanged: 4 })
      expect(embedder.taken().length).toBeLessThanOrEqual(tokens ? 2 : 3)
      expect(fourth.children.embedded).toBeGreaterThan(0)

      const again = await (engines['memory'] as (base: string) => Promise<Store>)(base)
      const fresh: Ingest = { store: again, embedder: letterEmbedder({ tokens }) }
      await runIngest(source, fresh)
      expect(await contents(store, ingest)).toEqual(await contents(again, fresh))
      await store.close()
      await again.close()
    })
  })
})
