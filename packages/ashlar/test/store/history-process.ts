/** A process that does a job on a store: `node history-process.ts <job as JSON>`. */
import pg from 'pg'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { historyScope } from './history-document.ts'
import { doHistoryJob, type HistoryJob } from './history-job.ts'
import { watchTransactions } from './watch-transactions.ts'

await doHistoryJob(JSON.parse(process.argv[2] ?? '') as HistoryJob, ({ engine, place }, say) =>
  engine === 'sqlite' ? sqliteStore(place, historyScope) : postgresStore(watchTransactions(openPool(place), say), historyScope),
)

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true })
  pool.on('error', () => {})
  return pool
}
