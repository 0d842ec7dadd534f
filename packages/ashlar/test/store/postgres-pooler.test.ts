import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { letterDocument, letterIdentity, letterVector } from './letter-vectors.ts'
import { openTestDatabase, type TestDatabase } from './postgres-database.ts'
import { postgresOrphans } from './postgres-orphans.ts'
import { startTransactionPooler } from './transaction-pooler.ts'

const database = await openTestDatabase()

afterAll(async () => database?.[Symbol.asyncDispose]())

describe.skipIf(database?.server === undefined)('a PostgreSQL store behind a pooler in transaction mode', () => {
  const there = database as TestDatabase

  test('keeps workspaces apart while they take turns on the same connections', { timeout: 60_000 }, async () => {
    await using pooler = await startTransactionPooler(there.url, 3)
    const url = new URL(there.url)
    url.port = String(pooler.port)
    const pool = new pg.Pool({ connectionString: url.href, max: 8 })
    pool.on('error', () => {})
    const tenants = Array.from({ length: 6 }, (_, at) => `tenant ${at}`)
    const text = (tenant: string, turn: number): string => `The wall of ${tenant}, turn ${turn}.\n\nStone and slate.`
    await Promise.all(
      tenants.map(async (workspace) => {
        await using store = await postgresStore(pool, { workspace })
        for (let turn = 0; turn < 8; turn++) {
          await store.put([
            letterDocument('same id', text(workspace, turn)),
            letterDocument(`only ${turn}`, text(workspace, turn)),
          ])
          const [record] = await store.get(['same id'])
          expect(record?.tree.text).toBe(text(workspace, turn))
          expect((await store.list()).items).toHaveLength(turn + 2)
          const terms = analyse('tenant').terms.map((term) => ({ term, weight: 1 }))
          const found = await store.nominate({
            vector: { identity: letterIdentity, values: letterVector('stone'), limit: 500 },
            terms: { terms, limits: { child: 500, parent: 500, section: 500, document: 500 } },
          })
          const { children } = await store.children(found.children)
          expect(children).toHaveLength(found.children.length)
          for (const child of children) {
            expect(child.workspace).toBe(workspace)
            if (child.parent.text.includes('tenant')) expect(child.parent.text).toContain(workspace)
          }
          if (turn % 3 === 2)
            await store
              .remove([`only ${turn - 1}`])
              .then(() => store.put([letterDocument(`only ${turn - 1}`, text(workspace, 0))]))
        }
      }),
    )
    expect(pooler.handovers).toBeGreaterThan(50)
    await pool.end()
    expect(await postgresOrphans(there.adminUrl, 'ashlar')).toEqual([])
  })
})
