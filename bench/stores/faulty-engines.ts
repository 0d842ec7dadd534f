import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from 'ashlar/stores'
import { type HistoryJob, type JobProcess, startJob } from '../../packages/ashlar/test/store/history-job.ts'
import { makeDatabase, openPool } from '../../packages/ashlar/test/store/postgres-database.ts'
import { postgresOrphans } from '../../packages/ashlar/test/store/postgres-orphans.ts'
import { sqliteOrphans } from '../../packages/ashlar/test/store/sqlite-orphans.ts'
import { type PostgresServer, startPostgres } from '../../scripts/postgres.ts'
import { openHistoryStore } from './open-history-store.ts'

/** A place for stores of one engine that can be harmed, and how it is looked at. */
export interface FaultyEngine extends AsyncDisposable {
  readonly engine: HistoryJob['engine']
  /** The file or the address of the database. */
  readonly place: string
  /** For logs. */
  readonly folder: string
  readonly open: () => Promise<Store>
  readonly start: (job: HistoryJob) => JobProcess
  readonly orphans: () => Promise<readonly string[]>
  /** There where the engine has one. */
  readonly server?: PostgresServer
  /** How many deadlocks the engine had to break; there where it can have any. */
  readonly deadlocks?: () => Promise<number>
}

const start = startJob.bind(undefined, fileURLToPath(new URL('../store-writer-case.ts', import.meta.url)))

/** A SQLite file. */
export function faultySqlite(): FaultyEngine {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-faults-'))
  const place = join(folder, 'store.db')
  return {
    engine: 'sqlite',
    place,
    folder,
    start,
    open: () => openHistoryStore({ engine: 'sqlite', place }),
    orphans: async () => sqliteOrphans(place),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A server of our own that waits for the disk as one in earnest does, and a role that row-level security holds for. */
export async function faultyPostgres(): Promise<FaultyEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-faults-'))
  const server = await startPostgres({ settings: { fsync: 'on', full_page_writes: 'on' } })
  const database = await makeDatabase(server.url, server)
  return {
    engine: 'postgres',
    place: database.url,
    folder,
    server,
    start,
    open: () => openHistoryStore({ engine: 'postgres', place: database.url }),
    orphans: () => postgresOrphans(database.adminUrl, 'ashlar'),
    deadlocks: async () => {
      const pool = openPool(database.adminUrl, 1)
      const { rows } = await pool.query('select deadlocks from pg_stat_database where datname = current_database()')
      await pool.end()
      return Number(rows[0]?.deadlocks)
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
