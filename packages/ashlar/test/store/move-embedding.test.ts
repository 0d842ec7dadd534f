import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryData, memoryStore } from '../../src/store/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { moveEmbedding } from './move-embedding.ts'
import { openTestDatabase, type TestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'ashlar-move-'))

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.[Symbol.asyncDispose]()
})

async function check(children: number, open: () => Promise<Store>): Promise<void> {
  const move = await moveEmbedding(children, open)
  expect(move.children).toBeGreaterThanOrEqual(children)
  expect([...move.failed, ...move.mixed]).toEqual([])
  expect(move.recall).toBeGreaterThanOrEqual(0.97)
  expect(move.refusedHalfway).toBe(true)
  expect(Object.values(move.searches).every((count) => count > 0)).toBe(true)
  expect(move.left).toEqual([{ model: 'contract/fresh', active: true, children: move.children }])
}

const timeout = 180_000

/** Where a commit is a matter of the disk, `npm run faults -- migration` moves as many as in memory. */
describe('children that move to another embedding while others search', () => {
  test('in memory', { timeout }, async () => {
    const data = memoryData()
    await check(20_000, async () => memoryStore({ workspace: 'one', data }))
  })

  test('in SQLite', { timeout }, async () => {
    await check(2_000, () => sqliteStore(join(folder, 'store.db'), { workspace: 'one' }))
  })

  test.skipIf(database === undefined)('in PostgreSQL', { timeout }, async () => {
    const pool = (database as TestDatabase).connect()
    await check(2_000, () => postgresStore(pool, { workspace: 'one' }))
  })
})
