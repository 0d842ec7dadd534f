import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import * as postgres from '../../src/store/postgres/schema.ts'
import * as sqlite from '../../src/store/sqlite/schema.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { fixtureDocument, fixtureDocuments, fixtureScope } from './fixture-sample.ts'
import { letterIdentity, letterVector } from './letter-vectors.ts'
import { openTestDatabase, type TestDatabase } from './postgres-database.ts'
import { postgresOrphans } from './postgres-orphans.ts'
import { sqliteOrphans } from './sqlite-orphans.ts'

const fixtures = new URL('./fixtures/', import.meta.url)
const names = readdirSync(fixtures)
const read = (name: string): Buffer => gunzipSync(readFileSync(new URL(name, fixtures)))

/** Opens what an older version has written: everything is there, found and can be changed. */
async function expectWhole(store: Store): Promise<void> {
  const ids = fixtureDocuments.map(({ tree }) => tree.document)
  expect((await store.list()).items.map(({ id }) => id).sort()).toEqual([...ids].sort())
  for (const [index, record] of (await store.get(ids)).entries()) {
    const { tree, metadata, notes } = fixtureDocuments[index] as (typeof fixtureDocuments)[number]
    expect(record).toMatchObject({ tree, metadata, notes })
  }
  // What is there already is not written again: keys, hashes and fingerprints are understood.
  expect((await store.put(fixtureDocuments)).map(({ changed }) => changed)).toEqual([false, false, false])
  const look = async (text: string): Promise<readonly string[]> => {
    const { children } = await store.nominate({
      vector: { identity: letterIdentity, values: letterVector(text), limit: 2 },
      terms: {
        terms: analyse(text).terms.map((term) => ({ term, weight: 1 })),
        limits: { child: 2, parent: 0, section: 0, document: 0 },
      },
    })
    const records = await store.children(children, { vectors: letterIdentity, windows: letterIdentity })
    return records.children.map(({ document }) => document.id)
  }
  expect(await look('lintel arch')).toContain('wall')
  expect(await look('石の上')).toContain('東京')
  const { items } = await store.list({ where: { op: 'in', field: 'tags', values: ['roof'] } })
  expect(items.map(({ id }) => id)).toEqual(['roof'])
  const [receipt] = await store.put([fixtureDocument('roof', true)])
  expect(receipt?.children.kept).toBeGreaterThan(0)
  expect(await look('an edit near the top')).toContain('roof')
  expect((await store.remove(['wall']))[0]).toMatchObject({ found: true, erased: true })
  await store.maintain({ purge: true })
  expect((await store.get(['roof']))[0]?.tree).toEqual(fixtureDocument('roof', true).tree)
  expect(await store.embeddings()).toMatchObject([{ active: true }])
}

test('every version of both schemas has its fixture', () => {
  const versions = (engine: string, count: number, end: string): string[] =>
    Array.from({ length: count }, (_, at) => `${engine}-${at + 1}.${end}.gz`)
  expect(names.sort()).toEqual(
    [...versions('postgres', postgres.migrations.length, 'sql'), ...versions('sqlite', sqlite.migrations.length, 'db')].sort(),
  )
})

describe('a SQLite file of an older version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-fixture-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(names.filter((name) => name.startsWith('sqlite')))('%s is opened, searched, edited and verified', async (name) => {
    const path = join(folder, name)
    writeFileSync(path, read(name))
    await using store = await sqliteStore(path, fixtureScope)
    await expectWhole(store)
    expect(sqliteOrphans(path)).toEqual([])
  })
})

const database = await openTestDatabase()
afterAll(async () => database?.[Symbol.asyncDispose]())

describe.skipIf(database === undefined)('PostgreSQL tables of an older version', () => {
  const there = database as TestDatabase

  test.each(names.filter((name) => name.startsWith('postgres')))('%s are opened, searched, edited and verified', async (name) => {
    const loader = there.connect(there.url, { max: 1 })
    await loader.query('drop schema if exists ashlar cascade')
    await loader.query(read(name).toString())
    await using store = await postgresStore(there.connect(), fixtureScope)
    await expectWhole(store)
    expect(await postgresOrphans(there.adminUrl, 'ashlar')).toEqual([])
  })
})
