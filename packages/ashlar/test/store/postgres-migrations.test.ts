import { afterAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type Migration, migrations, schemaSql } from '../../src/store/postgres/schema.ts'
import { letterDocument } from './letter-vectors.ts'
import { openTestDatabase, rowsOf, type TestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()
afterAll(async () => database?.[Symbol.asyncDispose]())

const current = migrations.length
const next: Migration = (schema) => `create table ${schema}.addition as select key from ${schema}.document;`

describe.skipIf(database === undefined)('migrations of PostgreSQL tables', () => {
  const there = database as TestDatabase
  const pool = there?.connect()

  async function makeStore(schema: string): Promise<void> {
    await using store = await postgresStore(pool, { workspace: 'w' }, { schema })
    await store.put([letterDocument('wall', 'Stone on stone.'), letterDocument('roof', 'Slate on wood.')])
  }

  const versions = async (schema: string): Promise<unknown[]> =>
    (await rowsOf(pool, `select version from ${schema}.migration order by 1`)).map(([version]) => version)

  async function expectUntouched(schema: string): Promise<void> {
    expect(await versions(schema)).toEqual([current])
    expect(await rowsOf(pool, `select to_regclass('${schema}.addition')`)).toEqual([[null]])
    await using store = await postgresStore(pool, { workspace: 'w' }, { schema })
    expect((await store.get(['wall', 'roof'])).map((record) => record?.tree.text)).toEqual(['Stone on stone.', 'Slate on wood.'])
  }

  test('go forward one after the other, and leave the rows as they are', async () => {
    await makeStore('forward')
    await migrate(pool, 'forward', true, [...migrations, next, (schema) => `alter table ${schema}.addition add column b text;`])
    expect(await versions('forward')).toEqual([current, current + 1, current + 2])
    const admin = there.connect(there.adminUrl, { max: 1 })
    expect(await rowsOf(admin, 'select count(*)::int from forward.document')).toEqual([[2]])
    expect(await rowsOf(admin, 'select count(b)::int from forward.addition')).toEqual([[0]])
  })

  test('that fail halfway leave the version before, with all that was in it', async () => {
    await makeStore('failing')
    const steps = [...migrations, next, () => 'select * from nowhere;']
    await expect(migrate(pool, 'failing', true, steps)).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(`schemaSql({ from: ${current} })`),
    })
    await expectUntouched('failing')
  })

  test('whose connection is cut halfway leave the version before, with all that was in it', async () => {
    await makeStore('killed')
    const running = migrate(pool, 'killed', true, [...migrations, next, () => `select pg_sleep(60), 'halfway';`])
    const failed = expect(running).rejects.toMatchObject({ code: 'STORE_FAILED' })
    const admin = there.connect(there.adminUrl, { max: 1 })
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where query like '%halfway%' and wait_event = 'PgSleep' and pid <> pg_backend_pid()`
    while ((await rowsOf(admin, kill)).length === 0) await new Promise((done) => setTimeout(done, 20))
    await failed
    await expectUntouched('killed')
  }, 60_000)

  test('run once when several open the tables at the same time', async () => {
    await makeStore('together')
    await Promise.all(Array.from({ length: 6 }, () => migrate(pool, 'together', true, [...migrations, next])))
    expect(await versions('together')).toEqual([current, current + 1])
  })

  test('of a newer library are refused with what to do', async () => {
    await makeStore('newer')
    await migrate(pool, 'newer', true, [...migrations, next])
    await expect(postgresStore(pool, { workspace: 'w' }, { schema: 'newer' })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('Use a later version of the library'),
      details: { version: current + 1, needed: current },
    })
  })

  test('can be printed from any version on', () => {
    expect(schemaSql({ from: current })).not.toContain('create table ashlar.document')
    expect(schemaSql({ from: 0 })).toBe(schemaSql())
    for (const from of [-1, 0.5, current + 1, Number.NaN])
      expect(() => schemaSql({ from })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
