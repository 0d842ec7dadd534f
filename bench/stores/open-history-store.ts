import { postgresStore } from 'ashlar/postgres'
import { sqliteStore } from 'ashlar/sqlite'
import type { Store } from 'ashlar/stores'
import pg from 'pg'
import { historyScope } from '../../packages/ashlar/test/store/history-document.ts'
import type { HistoryJob } from '../../packages/ashlar/test/store/history-job.ts'
import { watchTransactions } from '../../packages/ashlar/test/store/watch-transactions.ts'
import type { Say } from '../../packages/ashlar/test/store/write-history.ts'

/** Opens the built library's store for a history; `say` hears of the transactions of PostgreSQL. */
export function openHistoryStore({ engine, place }: Pick<HistoryJob, 'engine' | 'place'>, say?: Say): Promise<Store> {
  if (engine === 'sqlite') return sqliteStore(place, historyScope)
  if (say === undefined) return postgresStore(place, historyScope)
  const pool = new pg.Pool({ connectionString: place, allowExitOnIdle: true })
  pool.on('error', () => {})
  return postgresStore(watchTransactions(pool, say), historyScope)
}
