import type { PostgresConnection, PostgresPool, PostgresStatement } from '../../src/store/postgres/postgres-client.ts'
import type { Store } from '../../src/store/store.ts'
import type { WatchedStore } from './kill-trial.ts'
import type { Say } from './write-history.ts'

/** A pool that says when a transaction that writes begins, is about to commit, and is over. */
export function watchTransactions(pool: PostgresPool, say: Say): PostgresPool {
  return {
    connect: async () => watched(await pool.connect(), say),
    end: () => pool.end(),
  }
}

function watched(connection: PostgresConnection, say: Say): PostgresConnection {
  let isWriting = false
  return {
    async query(statement: PostgresStatement) {
      const { text } = statement
      if (text.startsWith('begin')) isWriting = !text.includes('read only')
      if (isWriting && text.startsWith('begin')) say({ is: 'open' })
      if (isWriting && /\bcommit$/.test(text)) say({ is: 'committing' })
      const result = await connection.query(statement)
      if (isWriting && /\b(commit|rollback)$/.test(text)) say({ is: 'over' })
      return result
    },
    on: (event, listener) => connection.on(event, listener),
    off: (event, listener) => connection.off(event, listener),
    release: (destroy) => connection.release(destroy),
  }
}

/** Opens a store on a pool whose transactions are told to whoever wants to know at the time. */
export async function openWatched(pool: PostgresPool, open: (pool: PostgresPool) => Promise<Store>): Promise<WatchedStore> {
  let say: Say = () => {}
  const store = await open(watchTransactions(pool, (line) => say(line)))
  return {
    store,
    tell: (next) => {
      say = next
    },
  }
}
