import { afterAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { tables } from '../../src/store/postgres/schema.ts'
import { findTraces, secretDocument } from './erasure-sample.ts'
import { openTestDatabase, rowsOf, type TestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()
afterAll(async () => database?.[Symbol.asyncDispose]())

describe.skipIf(database === undefined)('erasure', () => {
  const there = database as TestDatabase

  /** Every row of every table, as its bytes. */
  async function bytesOf(schema: string): Promise<Buffer> {
    const admin = there.connect(there.adminUrl, { max: 1 })
    const values: Buffer[] = []
    for (const table of tables) {
      for (const row of await rowsOf(admin, `select * from ${schema}.${table}`)) {
        for (const value of row) {
          if (Buffer.isBuffer(value)) values.push(value)
          else values.push(Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))
          values.push(Buffer.alloc(1))
        }
      }
    }
    return Buffer.concat(values)
  }

  test('after remove no window of the erased text is in any row', async () => {
    const schema = 'erasure'
    await using store = await postgresStore(there.connect(), { workspace: 'w', fields: { owner: 'string' } }, { schema })
    for (let at = 0; at < 12; at++) await store.put([secretDocument(at)])
    await store.maintain()
    for (const at of [2, 5]) await store.put([secretDocument(at, 1)])
    for (const at of [2, 7, 5]) {
      expect(findTraces(await bytesOf(schema), at)).toHaveLength(10)
      const [receipt] = await store.remove([secretDocument(at).tree.document])
      expect(receipt).toMatchObject({ found: true, erased: true })
      expect(findTraces(await bytesOf(schema), at)).toEqual([])
    }
    await store.remove([secretDocument(3).tree.document], { purge: false })
    expect(findTraces(await bytesOf(schema), 3).length).toBeGreaterThan(0)
    await store.maintain({ purge: true })
    expect(findTraces(await bytesOf(schema), 3)).toEqual([])
    expect((await store.list()).items).toHaveLength(8)
  }, 120_000)
})
