import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStore } from 'ashlar/postgres'
import { sqliteStore } from 'ashlar/sqlite'
import { memoryStore, type Store } from 'ashlar/stores'
import { startPostgres } from '../../scripts/postgres.ts'

/** A kind of store, and how to open a new one of it for one workspace. */
export interface StoreKind {
  readonly name: string
  open(workspace: string): Promise<Store>
  /** Ends what all of its stores shared and deletes what they wrote. */
  end(): Promise<void>
}

/** Every store there is. PostgreSQL is started for the purpose. */
export async function storeKinds(): Promise<readonly StoreKind[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-lexical-'))
  const server = await startPostgres()
  return [
    { name: 'memory', open: (workspace) => Promise.resolve(memoryStore({ workspace })), end: () => Promise.resolve() },
    {
      name: 'sqlite',
      open: (workspace) => sqliteStore(join(folder, 'lexical.sqlite'), { workspace }, { survives: 'process' }),
      end: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    },
    { name: 'postgres', open: (workspace) => postgresStore(server.url, { workspace }), end: () => server.stop() },
  ]
}
