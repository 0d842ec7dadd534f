import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openRandom } from '../../../../bench/inputs/random.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { historyScope } from './history-document.ts'
import { startJob } from './history-job.ts'
import { type KillOptions, type KillTrial, killClient, killServer } from './kill-trial.ts'
import { openTestDatabase, type TestDatabase } from './postgres-database.ts'
import { postgresOrphans } from './postgres-orphans.ts'
import { openWatched } from './watch-transactions.ts'

const database = await openTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'ashlar-crash-'))

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.[Symbol.asyncDispose]()
})

/** Few enough for every run; `npm run faults -- stores` kills a hundred times each. */
const kills = 4

describe.skipIf(database?.server === undefined)('PostgreSQL, killed while stores write', () => {
  const there = database as TestDatabase
  const open = (): Promise<Store> => postgresStore(there.url, historyScope)

  async function killOften(killOnce: (options: KillOptions) => Promise<KillTrial>): Promise<readonly KillTrial[]> {
    const random = openRandom(7)
    const trials: KillTrial[] = []
    for (let kill = 0; kill < kills; kill++) {
      const before = trials.at(-1)?.present ?? new Map()
      trials.push(await killOnce({ random, kill, before, open, orphans: () => postgresOrphans(there.adminUrl, 'ashlar') }))
    }
    return trials
  }

  test('keeps what was reported stored, whole, and nothing else, when a client dies', { timeout: 180_000 }, async () => {
    const script = join(import.meta.dirname, 'history-process.ts')
    const trials = await killOften((options) => {
      const job = { engine: 'postgres', place: there.url, log: join(folder, `${options.kill}.log`), seed: options.kill } as const
      return killClient({ ...options, job, start: (one) => startJob(script, one) })
    })
    expect(trials.flatMap(({ wrong, orphans }) => [...wrong, ...orphans])).toEqual([])
    expect(trials.some(({ reported }) => reported > 0)).toBe(true)
  })

  test('keeps it when the server dies, also for those who were connected', { timeout: 180_000 }, async () => {
    const server = there.server as NonNullable<TestDatabase['server']>
    await there.connect(there.url).query('drop schema if exists ashlar cascade')
    const stores = await Promise.all(
      [1, 2, 3].map(() => openWatched(there.connect(there.url, { max: 2 }), (pool) => postgresStore(pool, historyScope))),
    )
    const trials = await killOften((options) => killServer({ ...options, server, stores, seed: 1 }))
    expect(trials.flatMap(({ wrong, orphans }) => [...wrong, ...orphans])).toEqual([])
    expect(trials.every(({ reported }) => reported > 0)).toBe(true)
    await Promise.all(stores.map(({ store }) => store.close()))
  })
})
