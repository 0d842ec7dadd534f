import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EngineReader } from '../../src/store/engine.ts'
import type { PostgresPool } from '../../src/store/postgres/postgres-client.ts'
import { PostgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { rolesSql, schemaSql, tables } from '../../src/store/postgres/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { TreeStore } from '../../src/store/tree-store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { letterDocument, letterIdentity, letterVector } from './letter-vectors.ts'
import { openTestDatabase, rowsOf, type TestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()

afterAll(async () => database?.[Symbol.asyncDispose]())

const fields = { kind: 'string' } as const
const ours = 'Stone on stone, and mortar between.\n\nSlate on wood for the roof.'
const theirs = 'A secret of somebody else: slate and stone and wood.'

describe('what the schema prints', () => {
  test('names every table with both walls', () => {
    const text = schemaSql({ schema: 'elsewhere' })
    for (const table of tables) {
      expect(text).toContain(`create table elsewhere.${table} (`)
      expect(text).toContain(`alter table elsewhere.${table} enable row level security, force row level security;`)
    }
    expect(text).not.toContain('ashlar.document')
  })

  test('takes plain names only', () => {
    for (const schema of ['', 'a b', 'a;b', '"a"', 'A', '1a', 'a'.repeat(49), 'a--']) {
      expect(() => schemaSql({ schema })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
      expect(() => rolesSql({ writer: schema })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    }
  })
})

describe.skipIf(database === undefined)('row-level security', () => {
  const there = database as TestDatabase
  const schema = 'walls'
  const roles = {} as Record<'owner' | 'writer' | 'reader', ReturnType<TestDatabase['connect']>>
  const foreign = { documents: [] as number[], parents: [] as number[], children: [] as number[], segments: [] as number[] }
  let foreignEmbedding = 0

  function engineWithoutPredicate(workspace: string, pool: PostgresPool = roles.writer): PostgresEngine {
    return new PostgresEngine({
      pool,
      scope: { workspace, alsoRead: [], fields },
      schema,
      indexFrom: Number.POSITIVE_INFINITY,
      mostIndexes: 100,
      ownsPool: false,
      withoutPredicate: true,
    })
  }

  function storeWithoutPredicate(workspace: string): Store {
    const engine = engineWithoutPredicate(workspace)
    return new TreeStore({ scope: { workspace, alsoRead: [], fields }, engine })
  }

  beforeAll(async () => {
    const owner = there.connect(there.url, { max: 1 })
    await owner.query(schemaSql({ schema }))
    const urls = await there.makeRoles(schema)
    for (const role of ['owner', 'writer', 'reader'] as const) roles[role] = there.connect(urls[role], { max: 3 })
    const note = (document: ReturnType<typeof letterDocument>) => ({
      ...document,
      notes: [{ child: document.tree.children[0]?.id as string, context: 'Written for a reader.' }],
    })
    for (const [workspace, id, text] of [
      ['us', 'house', ours],
      ['them', 'house', theirs],
      ['them', 'secret', theirs],
    ] as const) {
      await using store = await postgresStore(roles.writer, { workspace, fields }, { schema, migrate: false })
      await store.put([note(letterDocument(id, text, { kind: 'manual' }))])
    }
    const admin = there.connect(there.adminUrl, { max: 1 })
    const keys = async (column: string, table: string): Promise<number[]> =>
      (await rowsOf(admin, `select ${column} from ${schema}.${table} where workspace = 'them'`)).map(([key]) => Number(key))
    foreign.documents = await keys('key', 'document')
    foreign.parents = await keys('key', 'parent')
    foreign.children = await keys('child', 'child_vector')
    foreign.segments = await keys('id', 'segment')
    foreignEmbedding = (await keys('key', 'embedding'))[0] as number
    for (const found of Object.values(foreign)) expect(found.length).toBeGreaterThan(0)
  })

  test('holds when every condition on the workspace is left out: a store sees its own rows alone', async () => {
    await using store = storeWithoutPredicate('us')
    expect((await store.list()).items.map(({ id, workspace }) => ({ id, workspace }))).toEqual([{ id: 'house', workspace: 'us' }])
    expect(await store.get(['secret'])).toEqual([undefined])
    expect((await store.get(['house']))[0]?.tree.text).toBe(ours)
    const found = await store.nominate({
      vector: { identity: letterIdentity, values: letterVector(theirs), limit: 100 },
      terms: {
        terms: analyse(theirs).terms.map((term) => ({ term, weight: 1 })),
        limits: { child: 100, parent: 100, section: 100, document: 100 },
      },
    })
    expect(found.children.length).toBeGreaterThan(0)
    expect(found.children.filter(({ key }) => foreign.children.includes(key))).toEqual([])
    const { children } = await store.children(foreign.children.map((key) => ({ key, parent: foreign.parents[0] as number })))
    expect(children).toEqual([])
  })

  test('is what holds there: a superuser, whom it does not bind, sees everything through the same statements', async () => {
    const admin = there.connect(there.adminUrl, { max: 1 })
    const rows = await engineWithoutPredicate('us', admin).read((reader) => reader.documentsByKey(foreign.documents))
    expect(rows.map(({ workspace }) => workspace)).toEqual(['them', 'them'])
  })

  test('answers every lookup by a foreign key with nothing', async () => {
    const lookups: Record<Exclude<keyof EngineReader, 'pages'>, (reader: EngineReader) => Promise<Iterable<unknown>>> = {
      documentsById: (reader) => reader.documentsById(['secret']),
      documentsByKey: (reader) => reader.documentsByKey(foreign.documents),
      families: (reader) => reader.families(foreign.parents),
      listDocuments: (reader) => reader.listDocuments(undefined, { id: 'i', workspace: '' }, 100),
      documentsWhere: (reader) => reader.documentsWhere({ op: 'document', ids: ['secret'] }),
      parents: (reader) => reader.parents(foreign.parents),
      parentsOf: (reader) => reader.parentsOf(foreign.documents),
      notes: (reader) => reader.notes(foreign.children),
      vectors: (reader) => reader.vectors(foreignEmbedding, foreign.children),
      contentKeys: (reader) => reader.contentKeys(foreignEmbedding, foreign.children),
      windows: (reader) => reader.windows([{ embedding: foreignEmbedding, document: foreign.documents[0] as number, key: 'k' }]),
      evidence: async (reader) => {
        const windows = [{ embedding: foreignEmbedding, document: foreign.documents[0] as number, key: 'k' }]
        const vectors = new Map([[foreignEmbedding, foreign.children]])
        return Object.values(await reader.evidence({ parents: foreign.parents, vectors, windows })).flat()
      },
      nearest: (reader) => reader.nearest([foreignEmbedding], letterVector(theirs), 100, undefined),
      segments: async (reader) => (await reader.segments()).filter(({ id }) => foreign.segments.includes(id)),
      tombstones: (reader) => reader.tombstones(foreign.segments),
      indexState: async (reader) => {
        const { embeddings, segments } = await reader.indexState()
        return [
          ...embeddings.filter(({ key }) => key === foreignEmbedding),
          ...segments.filter(({ id }) => foreign.segments.includes(id)),
        ]
      },
      embeddings: async (reader) => (await reader.embeddings()).filter(({ key }) => key === foreignEmbedding),
    }
    await engineWithoutPredicate('us').read(async (reader) => {
      for (const [name, lookup] of Object.entries(lookups)) expect([...(await lookup(reader))], name).toEqual([])
      expect(await reader.pages([{ segment: foreign.segments[0] as number, page: 0 }])).toEqual([undefined])
    })
  })

  test('lets no write through to another workspace', async () => {
    const engine = engineWithoutPredicate('us')
    const gone = {
      documents: foreign.documents,
      parents: foreign.parents,
      children: foreign.children,
      notes: foreign.children,
      windows: [],
      segments: foreign.segments,
    }
    const nothing = { documents: [], parents: [], vectors: [], windows: [], notes: [], segments: [], tombstones: [] }
    await engine.write((writer) => writer.write({ ...nothing, gone }))
    await engine.write((writer) => writer.forgetEmbedding(foreignEmbedding))
    await using store = await postgresStore(roles.writer, { workspace: 'them', fields }, { schema, migrate: false })
    expect((await store.get(['house', 'secret'])).map((record) => record?.tree.text)).toEqual([theirs, theirs])
    expect(await store.embeddings()).toMatchObject([{ active: true, children: foreign.children.length }])
  })

  test('shows nothing outside a transaction that names its workspaces, to the owner neither', async () => {
    for (const client of [roles.writer, roles.reader, roles.owner]) {
      for (const table of tables) expect(await rowsOf(client, `select * from ${schema}.${table}`)).toEqual([])
      const one = await client.connect()
      await one.query(`begin; select set_config('ashlar.workspaces', '{us}', true)`)
      expect(await rowsOf(one, `select distinct workspace from ${schema}.document`)).toEqual([['us']])
      await one.query('commit')
      one.release()
      // What was set for a transaction is forgotten by the connection.
      expect(await rowsOf(client, `select * from ${schema}.document`)).toEqual([])
    }
  })

  test('refuses rows written under the name of another workspace', async () => {
    const inUs = async (statement: string): Promise<number | null> => {
      const one = await roles.writer.connect()
      try {
        await one.query(`begin; select set_config('ashlar.workspace', 'us', true), set_config('ashlar.workspaces', '{us}', true)`)
        return (await one.query(statement)).rowCount
      } finally {
        await one.query('rollback')
        one.release()
      }
    }
    await expect(inUs(`insert into ${schema}.segment (workspace, id) values ('them', 99)`)).rejects.toMatchObject({
      code: '42501',
    })
    await expect(inUs(`update ${schema}.document set workspace = 'them'`)).rejects.toMatchObject({ code: '42501' })
    expect(await inUs(`delete from ${schema}.document where workspace = 'them'`)).toBe(0)
    expect(await inUs(`update ${schema}.document set title = '' where workspace = 'them'`)).toBe(0)
  })

  test('gives each role no more than it needs', async () => {
    const denied = { code: '42501' }
    for (const client of [roles.writer, roles.reader]) {
      await expect(client.query(`alter table ${schema}.document disable row level security`)).rejects.toMatchObject(denied)
      await expect(client.query(`drop policy document_read on ${schema}.document`)).rejects.toMatchObject(denied)
      await expect(client.query(`drop table ${schema}.note`)).rejects.toMatchObject(denied)
      await expect(client.query(`create table ${schema}.mine (a int)`)).rejects.toMatchObject(denied)
      await expect(client.query(`insert into ${schema}.migration (version) values (99)`)).rejects.toMatchObject(denied)
      await expect(client.query(`truncate ${schema}.document`)).rejects.toMatchObject(denied)
      await expect(client.query('set row_security = off; select * from walls.document')).rejects.toMatchObject(denied)
    }
    for (const table of tables) {
      await expect(roles.reader.query(`delete from ${schema}.${table}`)).rejects.toMatchObject(denied)
    }
    await using readOnly = await postgresStore(roles.reader, { workspace: 'us', fields }, { schema, migrate: false })
    expect((await readOnly.get(['house']))[0]?.tree.text).toBe(ours)
    await expect(readOnly.put([letterDocument('new', ours)])).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })
})

describe.skipIf(database === undefined)('migrations', () => {
  const there = database as TestDatabase

  test('run once when many stores are opened at the same time', async () => {
    const client = there.connect()
    const open = () => postgresStore(client, { workspace: 'w' }, { schema: 'together' })
    const stores = await Promise.all(Array.from({ length: 8 }, open))
    expect(await rowsOf(client, 'select version from together.migration')).toEqual([[1]])
    for (const store of stores) await store.close()
  })

  test('are refused where they are switched off, and where the tables are newer', async () => {
    const client = there.connect()
    const open = (schema: string, migrate: boolean) => postgresStore(client, { workspace: 'w' }, { schema, migrate })
    await expect(open('absent', false)).rejects.toMatchObject({ code: 'STORE_FAILED', details: { version: 0, needed: 1 } })
    await (await open('newer', true)).close()
    await client.query('insert into newer.migration (version) values (7)')
    await expect(open('newer', true)).rejects.toMatchObject({ code: 'STORE_FAILED', details: { version: 7 } })
  })

  test('by the library and by schemaSql make the same tables', async () => {
    const client = there.connect(there.url, { max: 1 })
    await client.query(schemaSql({ schema: 'by_hand' }))
    await (await postgresStore(client, { workspace: 'w' }, { schema: 'by_code' })).close()
    const shape = async (schema: string): Promise<unknown> => {
      const columns = await rowsOf(
        client,
        `select table_name, column_name, data_type, udt_name, collation_name, is_nullable from information_schema.columns
         where table_schema = '${schema}' order by 1, 2`,
      )
      const indexes = await rowsOf(
        client,
        `select replace(indexdef, '${schema}', 'schema') from pg_indexes where schemaname = '${schema}' order by 1`,
      )
      return { columns, indexes }
    }
    expect(await shape('by_hand')).toEqual(await shape('by_code'))
  })

  test('say what to do where the role may not make tables', async () => {
    const urls = await there.makeRoles('together')
    await expect(postgresStore(urls.reader, { workspace: 'w' }, { schema: 'forbidden' })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('schemaSql()'),
    })
  })
})
