import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Filter } from '../../src/store/filter.ts'
import { type AdoptOptions, adoptChunks } from '../../src/store/flat/adopt-chunks.ts'
import type { FlatChunk, FlatChunks } from '../../src/store/flat/flat-chunk.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { postgresChunks } from '../../src/store/postgres/postgres-chunks.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteChunks } from '../../src/store/sqlite/sqlite-chunks.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { ChildRecord, DocumentRecord, Store } from '../../src/store/store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { letterDocument, letterIdentity, letterVector } from './letter-vectors.ts'
import { openTestDatabase, rowsOf, type TestDatabase } from './postgres-database.ts'

const fields = { 'ashlar.kind': 'string', year: 'number' } as const
const scope = { workspace: 'old', fields }
const isStandard = { op: 'equal', field: 'ashlar.kind', value: 'standard' } as const

/** 500 documents of 20 rows: each repeats a little of the one before, and holds a word of its own. */
const documents = 500
const perDocument = 20
const wordOf = (row: number): string =>
  `w${[...row.toString(20)].map((digit) => 'abcdefghijklmnopqrst'[Number.parseInt(digit, 20)]).join('')}q`
const textOf = (row: number): string =>
  `${row % perDocument === 0 ? '' : `and so on ${wordOf(row - 1)}; `}Row ${wordOf(row)} of the old table is about stone number ${row % 97}.`

interface OldRow {
  readonly id: number
  readonly document: string
  readonly order: number
  readonly text: string
  readonly vector: readonly number[]
}

/** In no order at all, as a table that has been written to for years. */
const oldRows: readonly OldRow[] = Array.from({ length: documents * perDocument }, (_, at) => {
  const row = (at * 7_919) % (documents * perDocument)
  return {
    id: at + 1,
    document: `doc-${Math.floor(row / perDocument)}`,
    order: row % perDocument,
    text: textOf(row),
    vector: [...letterVector(textOf(row))],
  }
})

async function allDocuments(store: Store): Promise<readonly DocumentRecord[]> {
  const found: DocumentRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await store.list({ limit: 500, where: isStandard, ...(after === undefined ? {} : { after }) })
    for (const record of await store.get(page.items.map(({ id }) => id))) found.push(record as DocumentRecord)
    if (page.next === undefined) return found
    after = page.next
  }
}

/** Every row is there with exactly its text, in the order of its document, and is found by its own word. */
async function expectEveryRow(store: Store): Promise<void> {
  const byId = new Map(oldRows.map((row) => [String(row.id), row]))
  let seen = 0
  for (const { id, tree, notes, format, metadata } of await allDocuments(store)) {
    expect(format).toBe('standard')
    expect(metadata['ashlar.kind']).toBe('standard')
    expect(tree.children.map(({ text }) => text).join('')).toBe(tree.text)
    for (const [index, child] of tree.children.entries()) {
      const row = byId.get(notes[index]?.provenance?.['row'] as string)
      expect(row).toMatchObject({ document: id, order: index, text: child.text })
      expect(tree.parents[index]?.text).toBe(child.text)
      seen++
    }
  }
  expect(seen).toBe(oldRows.length)
}

/** Every single row is found by its own word, a hundred words at a time. */
async function expectAllFound(store: Store): Promise<void> {
  for (let from = 0; from < oldRows.length; from += 100) {
    const rows = oldRows.slice(from, from + 100)
    const words = rows.map((row) => wordOf(Number(row.document.slice(4)) * perDocument + row.order))
    const terms = analyse(words.join(' ')).terms.map((term) => ({ term, weight: 1 }))
    const limits = { child: 1_000, parent: 0, section: 0, document: 0 }
    const { children } = await store.nominate({ terms: { terms, limits }, where: isStandard })
    const records = await store.children(children)
    const found = new Set(records.children.map(({ note }) => note?.provenance?.['row']))
    expect(rows.filter(({ id }) => !found.has(String(id)))).toEqual([])
  }
}

/** A row is among the first that its own word and its vector find. */
async function expectFound(store: Store, rows: Iterable<OldRow>): Promise<void> {
  for (const row of rows) {
    const place = Number(row.document.slice(4)) * perDocument + row.order
    const { children } = await store.nominate({
      vector: { identity: letterIdentity, values: letterVector(row.text), limit: 3 },
      terms: {
        terms: analyse(wordOf(place)).terms.map((term) => ({ term, weight: 1 })),
        limits: { child: 3, parent: 0, section: 0, document: 0 },
      },
      where: isStandard,
    })
    const records = await store.children(children, { vectors: letterIdentity })
    const found = records.children.find(({ note }) => note?.provenance?.['row'] === String(row.id))
    expect(found).toMatchObject({ kind: 'standard', document: { id: row.document }, parent: { text: row.text } })
    const length = Math.hypot(...row.vector)
    const distance = row.vector.reduce((sum, value, at) => sum + Math.abs(value / length - (found?.vector?.[at] ?? 9)), 0)
    expect(distance).toBeLessThan(0.02)
  }
}

/** The children that hold a word. */
async function lookUp(store: Store, word: string, where?: Filter): Promise<readonly ChildRecord[]> {
  const terms = [{ term: analyse(word).terms[0] as string, weight: 1 }]
  const limits = { child: 100, parent: 0, section: 0, document: 0 }
  const { children } = await store.nominate({ terms: { terms, limits }, ...(where === undefined ? {} : { where }) })
  return (await store.children(children)).children
}

/** A new tree beside the old rows. */
async function expectBeside(store: Store): Promise<void> {
  await store.put([letterDocument('new', 'A new tree beside the old rows: slate on wood, and waq again.', { year: 2026 })])
  const hits = await lookUp(store, 'waq')
  expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(['standard', 'child']))
  const standard = hits.find(({ document, index }) => document.id === 'doc-0' && index === 0)
  // A standard hit returns itself: what is matched and what is read are one.
  expect(standard).toMatchObject({ kind: 'standard', start: 0, end: textOf(0).length, lead: 0, parent: { text: textOf(0) } })
  const old = await lookUp(store, 'waq', isStandard)
  expect(old.length).toBeGreaterThan(0)
  expect(old.every(({ kind }) => kind === 'standard')).toBe(true)
  const recent = await lookUp(store, 'waq', { op: 'not', filter: isStandard })
  expect(new Set(recent.map(({ document }) => document.id))).toEqual(new Set(['new']))
}

const whole = {
  rows: { read: oldRows.length, taken: oldRows.length, refused: 0 },
  documents: { written: documents, unchanged: 0, refused: 0 },
  refused: [],
}
const again = { ...whole, documents: { written: 0, unchanged: documents, refused: 0 } }
const options: AdoptOptions = { embedding: letterIdentity }

const database = await openTestDatabase()
afterAll(async () => database?.[Symbol.asyncDispose]())

describe.skipIf(database === undefined)('a flat table in PostgreSQL', () => {
  const there = database as TestDatabase
  const columns = {
    text: 'content',
    document: 'document_id',
    order: 'chunk_index',
    kind: 'chunk_type',
    vector: 'embedding',
    questions: 'hypothetical_questions',
    keywords: 'keywords',
    metadata: { year: 'year', page: 'page' },
  }
  const pool = there?.connect()

  beforeAll(async () => {
    await pool.query(`
      create table chunks (id serial primary key, document_id text, chunk_index integer not null, content text, embedding vector(26),
        hypothetical_questions text[], keywords text, year integer, page integer);
      create table untouched (id serial primary key, chunk integer references chunks (id))`)
    await pool.query(
      `insert into chunks (id, document_id, chunk_index, content, embedding, hypothetical_questions, keywords, year, page)
       select id, document, place, text, vector::vector, array['What is ' || id || '?'], 'stone' || chr(10) || 'old', 2020, place
       from unnest($1::int[], $2::text[], $3::int[], $4::text[], $5::text[]) as given (id, document, place, text, vector)`,
      [
        oldRows.map(({ id }) => id),
        oldRows.map(({ document }) => document),
        oldRows.map(({ order }) => order),
        oldRows.map(({ text }) => text),
        oldRows.map(({ vector }) => `[${vector.join()}]`),
      ],
    )
    // The change of the schema that the specification asks for: rows that exist are standard ones.
    await pool.query(`
      alter table chunks add column parent_chunk_id integer references chunks (id);
      alter table chunks add column chunk_type varchar(20) default 'standard'`)
  }, 60_000)

  test('is adopted in place: every row is searchable as standard beside new trees, the table is as it was', async () => {
    const before = await rowsOf(pool, `select md5(string_agg(chunks::text, '|' order by id)) from chunks`)
    await using store = await postgresStore(pool, scope)
    const progress: number[] = []
    const report = await adoptChunks(store, postgresChunks(pool, { columns }), {
      ...options,
      onProgress: ({ rows }) => progress.push(rows),
    })
    expect(report).toEqual(whole)
    expect(progress.at(-1)).toBe(oldRows.length)
    expect(progress.length).toBeGreaterThan(3)
    await expectEveryRow(store)
    await expectAllFound(store)
    await expectFound(
      store,
      oldRows.filter(({ id }) => id % 100 === 0),
    )
    const [first] = await store.get(['doc-0'])
    expect(first?.metadata).toEqual({ 'ashlar.kind': 'standard', year: 2020 })
    expect(first?.notes[3]).toMatchObject({ keywords: ['stone', 'old'], provenance: { metadata: { page: 3 } } })
    expect(first?.notes[3]?.questions).toEqual([`What is ${first?.notes[3]?.provenance?.['row']}?`])
    expect(await adoptChunks(store, postgresChunks(pool, { columns, page: 333 }), options)).toEqual(again)
    await expectBeside(store)
    expect(await rowsOf(pool, `select md5(string_agg(chunks::text, '|' order by id)) from chunks`)).toEqual(before)
  }, 120_000)

  test('is taken up again where it was left, and what has changed since is taken', async () => {
    await using store = await postgresStore(pool, { ...scope, workspace: 'again' })
    const stop = new AbortController()
    let after: string | undefined
    const interrupted = adoptChunks(store, postgresChunks(pool, { columns }), {
      ...options,
      signal: stop.signal,
      onProgress(progress) {
        after = progress.after
        if (progress.rows > 3_000) stop.abort(new Error('enough'))
      },
    })
    await expect(interrupted).rejects.toThrow('enough')
    const rest = await adoptChunks(store, postgresChunks(pool, { columns }), { ...options, after: after as string })
    expect(rest.rows.read).toBeLessThan(7_000)
    expect(rest.documents.unchanged).toBe(0)
    await expectEveryRow(store)
    await pool.query(`insert into chunks (document_id, chunk_index, content, embedding, year, page, id)
      select document_id, 20, 'One more row.', embedding, 2020, 20, 20001 from chunks where document_id = 'doc-7' limit 1`)
    const changed = await adoptChunks(store, postgresChunks(pool, { columns }), options)
    await pool.query('delete from chunks where id = 20001')
    expect(changed.documents).toEqual({ written: 1, unchanged: documents - 1, refused: 0 })
    expect((await store.get(['doc-7']))[0]?.tree.children).toHaveLength(perDocument + 1)
  }, 120_000)

  test('is read with nothing but its id and text too, by a role that may only read', async () => {
    await pool.query('create schema "Old ""one"""; create table "Old ""one"""."my chunks" (id int, text text)')
    await pool.query(`insert into "Old ""one"""."my chunks" values (1, 'Stone on stone.'), (2, 'Slate on wood.')`)
    await using store = memoryStore(scope)
    const source = postgresChunks(there.url, { schema: 'Old "one"', table: 'my chunks' })
    expect((await adoptChunks(store, source)).documents.written).toBe(2)
    expect((await store.list()).items.map(({ id }) => id)).toEqual(['chunk/1', 'chunk/2'])
    expect((await adoptChunks(store, source)).documents.unchanged).toBe(2)
  })
})

describe('a flat table in a SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-adopt-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'old.db')
  const columns = { document: 'document_id', order: 'chunk_index', kind: 'chunk_type', vector: 'embedding', metadata: 'metadata' }

  beforeAll(() => {
    const old = new DatabaseSync(path)
    old.exec(`CREATE TABLE chunks (id INTEGER PRIMARY KEY, document_id TEXT, chunk_index INTEGER, text TEXT, embedding BLOB, metadata TEXT,
      chunk_type TEXT DEFAULT 'standard', parent_chunk_id INTEGER REFERENCES chunks (id)); BEGIN`)
    const insert = old.prepare(
      'INSERT INTO chunks (id, document_id, chunk_index, text, embedding, metadata) VALUES (?, ?, ?, ?, ?, ?)',
    )
    for (const { id, document, order, text, vector } of oldRows) {
      const bytes = new Uint8Array(Float32Array.from(vector).buffer)
      insert.run(id, document, order, text, bytes, JSON.stringify({ year: 2020, page: order, nested: { a: [order] } }))
    }
    old.exec('COMMIT')
    old.close()
  })

  test('is adopted into a store: every row is searchable as standard beside new trees', async () => {
    await using store = await sqliteStore(join(folder, 'store.db'), scope)
    expect(await adoptChunks(store, sqliteChunks(path, { columns }), options)).toEqual(whole)
    await expectEveryRow(store)
    await expectAllFound(store)
    await expectFound(
      store,
      oldRows.filter(({ id }) => id % 100 === 0),
    )
    expect((await store.get(['doc-0']))[0]?.metadata).toEqual({ 'ashlar.kind': 'standard', year: 2020 })
    const { after } = { after: 'doc-9' }
    const rest = await adoptChunks(store, sqliteChunks(path, { columns, page: 7 }), { ...options, after })
    expect(rest.documents).toEqual({ written: 0, unchanged: 10, refused: 0 })
    await expectBeside(store)
  }, 120_000)
})

describe('what cannot be taken', () => {
  const sourceOf = (...rows: readonly FlatChunk[]): FlatChunks => ({
    async *pages() {
      for (const row of rows) yield [row]
    },
  })

  test('is reported row by row, and the rest is taken', async () => {
    await using store = memoryStore(scope)
    await store.put([letterDocument('fresh', 'Cut anew.')])
    const vector = letterVector('stone')
    const report = await adoptChunks(
      store,
      sourceOf(
        { row: '1', document: 'a', text: 'Stone on stone.', vector },
        { row: '2', document: 'a', text: '', vector },
        { row: '3', document: 'a', text: undefined, vector },
        { row: '4', document: 'a', text: 'a\u0000b', vector },
        { row: '5', document: 'a', text: 'A parent.', kind: 'parent', vector },
        { row: '6', document: 'a', text: 'No vector.' },
        { row: '7', document: 'a', text: 'Short vector.', vector: vector.slice(1) },
        { row: '8', document: 'a', text: 'No number.', vector: vector.map(() => Number.NaN) },
        { row: '9', document: 'a', text: 'Slate on wood.', kind: 'standard', vector },
        { row: '10', document: 'b', text: '' },
        { row: '11', document: 'fresh', text: 'Older.', vector },
        { row: '12', document: 'x'.repeat(2_000), text: 'A long name.', vector },
        { row: '13', text: 'By itself.', vector },
        { row: '14', text: 'By itself.', vector },
      ),
      options,
    )
    expect(report.refused.map(({ row, reason }) => `${row} ${reason}`)).toEqual([
      '2 text',
      '3 text',
      '4 text',
      '5 kind',
      '6 vector',
      '7 vector',
      '8 vector',
      '10 text',
      '12 document',
      '11 exists',
    ])
    expect(report.rows).toEqual({ read: 14, taken: 4, refused: 10 })
    expect(report.documents).toEqual({ written: 3, unchanged: 0, refused: 3 })
    expect((await store.get(['a', 'fresh'])).map((record) => record?.tree.text)).toEqual([
      'Stone on stone.Slate on wood.',
      'Cut anew.',
    ])
  })

  test('is not a document in two parts: the second would replace the first', async () => {
    await using store = memoryStore(scope)
    const rows = [{ document: 'a' }, { document: 'b' }, { document: 'a' }].map((row, at) => ({
      ...row,
      row: `${at}`,
      text: 'Stone.',
    }))
    await expect(adoptChunks(store, sourceOf(...rows))).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  test('is not a vector of another embedding than the workspace has', async () => {
    await using store = memoryStore(scope)
    await store.put([letterDocument('new', 'Cut anew.')])
    const source = sourceOf({ row: '1', document: 'a', text: 'Stone.', vector: letterVector('stone') })
    const embedding = { ...letterIdentity, model: 'test/other' }
    await expect(adoptChunks(store, source, { embedding })).rejects.toMatchObject({ code: 'EMBEDDING_MISMATCH' })
    // Without vectors the rows are found by their words.
    expect((await adoptChunks(store, source)).rows.taken).toBe(1)
    expect((await lookUp(store, 'stone')).map(({ kind }) => kind)).toEqual(['standard'])
  })
})
