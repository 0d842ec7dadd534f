import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { Ingest } from '../../src/ingest/ingest.ts'
import { ingestDocuments } from '../../src/ingest/ingest-documents.ts'
import type { IngestEvent } from '../../src/ingest/ingest-event.ts'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { folderSource } from '../../src/ingest/node/folder-source.ts'
import { workerReader } from '../../src/ingest/node/worker-reader.ts'
import { planIngest } from '../../src/ingest/plan-ingest.ts'
import { runIngest } from '../../src/ingest/run-ingest.ts'
import type { Generator } from '../../src/model/generator.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { sqliteCache } from '../../src/model/sqlite-cache.ts'
import { noUsage } from '../../src/model/usage.ts'
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
      expect(embedder.taken()).toEqual([])
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

      await rename(join(docs, 'file3.md'), join(docs, 'both.md'))
      await writeFile(join(docs, 'both.md'), `# File 3\n\n${prose(3).replace('Part 3 2.', 'Part 3 2, revised.')}\n`)
      await rm(join(docs, 'copy.md'))
      const fifth = await runIngest(source, ingest)
      expect(fifth.counts).toMatchObject({ new: 1, gone: 2 })
      expect(embedder.taken().length).toBeLessThanOrEqual(tokens ? 2 : 3)

      const again = await (engines['memory'] as (base: string) => Promise<Store>)(base)
      const fresh: Ingest = { store: again, embedder: letterEmbedder({ tokens }) }
      await runIngest(source, fresh)
      expect(await contents(store, ingest)).toEqual(await contents(again, fresh))
      await store.close()
      await again.close()
    })
  })
})

test('a plan says what a run does then, and writes nothing', async () => {
  const { docs } = await newFolder()
  const store = memoryStore(scope)
  for (const tokens of [false, true]) {
    const embedder = letterEmbedder({ tokens })
    const ingest: Ingest = { store, embedder, price: { input: 1 } }
    const source = folderSource(docs, { root: `plan${tokens}`, prefix: `${tokens}/` })
    if (tokens) await store.embedding({ ...embedder.identity, model: 'other' }, 'add').catch(() => {})
    const own: Ingest = tokens ? { ...ingest, store: memoryStore(scope) } : ingest
    const plan = await planIngest(source, own)
    expect(plan.counts).toMatchObject({ new: 5, failed: 0 })
    expect(plan.examples.new.map(({ id }) => id)).toEqual(
      ['file1.md', 'file2.md', 'file3.md', 'file4.md', 'guide/walls.txt'].map((id) => `${tokens}/${id}`),
    )
    expect(embedder.taken()).toEqual([])
    expect((await own.store.list()).items).toEqual([])
    const receipt = await runIngest(source, own)
    expect(plan.embedding).toMatchObject({
      children: receipt.children.all,
      toEmbed: receipt.children.embedded,
      windows: receipt.windows,
    })
    expect(plan.bytes).toBe(receipt.bytes)
    expect(receipt.money).toBeCloseTo(receipt.usage.inputTokens / 1e6, 10)
    expect(plan.cost).toBeGreaterThan(0)
    const after = await planIngest(source, own, { estimate: false })
    expect([after.counts.unchanged, after.embedding, after.cost]).toEqual([5, undefined, undefined])
  }
})

test('one bad file stops nothing, and what was stored of it stays', async () => {
  const { docs } = await newFolder()
  const store = memoryStore(scope)
  const embedder = letterEmbedder()
  await runIngest(folderSource(docs), { store, embedder })
  await writeFile(join(docs, 'file1.md'), new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 1, 2, 3]))
  await writeFile(join(docs, 'file2.md'), 'Poison and more.')
  await writeFile(join(docs, 'good.md'), 'Something new.')
  const failing = {
    ...embedder,
    embed: async (texts: readonly string[], options: Parameters<typeof embedder.embed>[1]) => {
      if (texts.some((text) => text.includes('Poison')))
        throw new AshlarError('TEXT_TOO_LONG', 'too long', {
          details: { index: texts.findIndex((text) => text.includes('Poison')) },
        })
      return embedder.embed(texts, options)
    },
  }
  const receipt = await runIngest(folderSource(docs), { store, embedder: failing })
  expect(receipt.counts).toEqual({ new: 1, moved: 0, changed: 0, unchanged: 3, gone: 0, failed: 2 })
  expect(receipt.failures.map(({ id, code }) => [id, code]).sort()).toEqual([
    ['file1.md', expect.stringMatching(/FILE$/)],
    ['file2.md', 'TEXT_TOO_LONG'],
  ])
  const [first, second, good] = await store.get(['file1.md', 'file2.md', 'good.md'])
  expect([first?.tree.text.startsWith('# File 1'), second?.tree.text.startsWith('# File 2'), good?.tree.text]).toEqual([
    true,
    true,
    'Something new.',
  ])
})

test.each([false, true])('what was paid for is not paid for again after a stop (windows: %s)', async (tokens) => {
  const { base, docs } = await newFolder()
  for (let file = 0; file < 30; file++) await writeFile(join(docs, `more${file}.txt`), prose(100 + file))
  const embedder = letterEmbedder({ tokens, maxBatch: 8 })
  await using journal = sqliteCache(join(base, 'journal.db'))
  await using store = await sqliteStore(join(base, 'store.db'), scope)
  const stop = new AbortController()
  const reason = new Error('enough')
  const stopping = {
    ...embedder,
    embed: async (texts: readonly string[], options: Parameters<typeof embedder.embed>[1]) => {
      if (embedder.calls.length >= 12) stop.abort(reason)
      return embedder.embed(texts, options)
    },
  }
  const source = folderSource(docs)
  await expect(runIngest(source, { store, embedder: stopping, journal }, { signal: stop.signal })).rejects.toBe(reason)
  const paid = embedder.taken()
  const receipt = await runIngest(source, { store, embedder, journal })
  const rest = embedder.taken()
  expect(receipt.counts.failed).toBe(0)
  // The calls that were under way are made again.
  expect(rest.filter((text) => paid.includes(text)).length).toBeLessThanOrEqual(4 * 8)
  expect(paid.length + rest.length).toBeGreaterThan(60)
  expect((await runIngest(source, { store, embedder, journal })).counts).toMatchObject({ unchanged: 35 })
  expect(embedder.taken()).toEqual([])
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(base, 'journal.db'), { readOnly: true })
  expect(Number(database.prepare('SELECT count(*) AS entries FROM entry').get()?.['entries'])).toBeLessThanOrEqual(4 * 8)
  database.close()
})

test('another embedder than the workspace uses is refused before anything is read', async () => {
  const { docs } = await newFolder()
  const store = memoryStore(scope)
  await runIngest(folderSource(docs), { store, embedder: letterEmbedder() })
  const other = letterEmbedder({ tokens: true })
  await expect(runIngest(folderSource(docs), { store, embedder: other })).rejects.toMatchObject({ code: 'EMBEDDING_MISMATCH' })
  expect(other.calls).toEqual([])
})

test('threads read and cut as this process does', async () => {
  const { base, docs } = await newFolder()
  await writeFile(join(docs, 'table.csv'), 'name,year\nwall,1200\nroof,1300\n')
  await using reader = workerReader({ threads: 2 })
  const one: Ingest = { store: memoryStore(scope), reader }
  const other: Ingest = { store: await sqliteStore(join(base, 'store.db'), scope) }
  await runIngest(folderSource(docs), one)
  await runIngest(folderSource(docs), other)
  expect(await contents(one.store, one)).toEqual(await contents(other.store, other))
  await other.store.close()
})

test('a model writes about children, and what it wrote about unchanged ones is kept', async () => {
  const { docs } = await newFolder()
  const store = memoryStore(scope)
  const embedder = letterEmbedder()
  let asked = 0
  const generator: Generator = {
    identity: { model: 'test/context', options: {} },
    maxTokens: undefined,
    promptCache: 'none',
    generate: async () => {
      asked++
      return {
        text: 'context: About walls, in general.',
        finish: 'stop',
        usage: { ...noUsage, inputTokens: 10, outputTokens: 5 },
      }
    },
  }
  const ingest: Ingest = { store, embedder, enrich: { generator, price: { input: 1, output: 1 } } }
  const source = folderSource(docs)
  const plan = await planIngest(source, ingest)
  const first = await runIngest(source, ingest)
  expect(plan.enrichment?.calls).toBe(asked)
  expect(first.children.all).toBe(asked)
  expect(embedder.taken().every((text) => text.includes('About walls'))).toBe(true)
  const [record] = await store.get(['file1.md'])
  expect(record?.notes).toHaveLength(record?.tree.children.length ?? -1)
  await writeFile(join(docs, 'file1.md'), `# File 1\n\n${prose(1).replace('Part 1 3.', 'Part 1 3, revised.')}\n`)
  await rename(join(docs, 'file2.md'), join(docs, 'renamed.md'))
  asked = 0
  await runIngest(source, ingest)
  expect(asked).toBeLessThanOrEqual(3)
  expect(embedder.taken().length).toBeLessThanOrEqual(3)
  expect((await store.get(['renamed.md']))[0]?.notes.length).toBeGreaterThan(0)
})

test('two runs at once leave what one leaves', async () => {
  const { base, docs } = await newFolder()
  const path = join(base, 'store.db')
  await using left = await sqliteStore(path, scope)
  await using right = await sqliteStore(path, scope)
  const embedder = letterEmbedder()
  await Promise.all([left, right].map((store) => runIngest(folderSource(docs), { store, embedder })))
  await rm(join(docs, 'file1.md'))
  await writeFile(join(docs, 'file2.md'), prose(50))
  await Promise.all([left, right].map((store) => runIngest(folderSource(docs), { store, embedder })))
  const alone: Ingest = { store: memoryStore(scope), embedder }
  await runIngest(folderSource(docs), alone)
  expect(await contents(left, { ...alone, store: left })).toEqual(await contents(alone.store, alone))
})

test('documents are added directly: text, slices, texts alone, bytes', async () => {
  const store = memoryStore(scope)
  const embedder = letterEmbedder()
  const ingest: Ingest = { store, embedder, journal: memoryCache() }
  const text = 'Stone on stone.\n\nSlate on wood. Lime and sand.'
  const documents = [
    { id: 'text', text: `# Walls\n\n${prose(3)}`, format: 'markdown' as const, title: 'Walls', metadata: { year: 1200 } },
    {
      id: 'slices',
      text,
      chunks: [
        { start: 0, end: 15 },
        { start: 17, end: 31 },
      ],
    },
    {
      id: 'chunker',
      text,
      chunks: (whole: string) =>
        [...whole.matchAll(/[^.]+\./g)].map(({ index, 0: part }) => ({ start: index, end: index + part.length })),
    },
    { id: 'texts', chunks: ['One chunk.', 'And another one.'] },
    { id: 'bytes', bytes: new TextEncoder().encode('<h1>Roofs</h1><p>Slate.</p>'), name: 'roofs.html' },
    { id: 'reserved', text: 'x', metadata: { 'ashlar.hash': 'mine' } },
  ]
  const receipt = await ingestDocuments(documents, ingest)
  expect(receipt.counts).toEqual({ new: 5, moved: 0, changed: 0, unchanged: 0, gone: 0, failed: 1 })
  expect(receipt.failures).toMatchObject([{ id: 'reserved', code: 'INVALID_DOCUMENT' }])
  const [slices, chunker, texts] = await store.get(['slices', 'chunker', 'texts'])
  expect(slices?.tree.children.map((child) => child.text)).toEqual(['Stone on stone.\n\n', 'Slate on wood. ', 'Lime and sand.'])
  expect(chunker?.tree.children.map((child) => child.text)).toEqual(['Stone on stone.', '\n\nSlate on wood.', ' Lime and sand.'])
  expect(texts?.tree.children.map((child) => child.text)).toEqual(['One chunk.', 'And another one.'])
  embedder.taken()
  expect((await ingestDocuments(documents.slice(0, 5), ingest)).counts).toMatchObject({ unchanged: 5 })
  expect(
    (await ingestDocuments([{ ...(documents[0] as { id: string; text: string }), metadata: { year: 1300 } }], ingest)).counts,
  ).toMatchObject({ changed: 1 })
  expect(embedder.taken()).toEqual([])
  expect((await store.get(['text']))[0]?.metadata['year']).toBe(1300)
})
