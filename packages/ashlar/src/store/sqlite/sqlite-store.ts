import { AshlarError } from '../../error/ashlar-error.ts'
import { checkScope } from '../check-scope.ts'
import type { Store, StoreScope } from '../store.ts'
import { TreeStore } from '../tree-store.ts'
import { SqliteEngine } from './sqlite-engine.ts'

/** How {@link sqliteStore} keeps its file. */
export interface SqliteStoreOptions {
  /** How long to wait for other processes that write to the same file, in milliseconds. @default 30000 */
  readonly timeout?: number
  /**
   * What a write that has resolved survives: `power` waits for the disk with every transaction; `process` leaves that to the system, so
   * that the last writes may be lost, whole, when the power fails. Neither damages the file. @default 'power'
   */
  readonly survives?: 'power' | 'process'
  /** Most bytes of codes of vectors that are kept in memory: 60 for a vector of 256 dimensions. @default 268435456 */
  readonly codeBytes?: number
}

/**
 * A {@link Store} in one SQLite file, for one machine: several processes may read and write it at once, readers do not wait for writers.
 *
 * Vectors are searched in two stages, by their sign bits first and exactly second. What is removed is overwritten with zeros, in the file
 * and in its log. Needs Node 22.13 or newer. Close it when done; a file that was not closed is none the worse for it.
 *
 * @throws AshlarError `INVALID_OPTION` if the file is something other than a store, `DAMAGED_STORE` if a newer version wrote it,
 * `MISSING_PACKAGE` where the runtime has no `node:sqlite`.
 */
export async function sqliteStore(path: string, scope: StoreScope, options: SqliteStoreOptions = {}): Promise<Store> {
  const checked = checkScope(scope)
  const { timeout = 30_000, survives = 'power', codeBytes = 268_435_456 } = options
  if (typeof path !== 'string' || path === '' || path === ':memory:' || path.includes('\u0000'))
    throw new AshlarError('INVALID_OPTION', 'sqliteStore takes the path of a file; memoryStore keeps everything in memory.')
  if (survives !== 'power' && survives !== 'process')
    throw new AshlarError('INVALID_OPTION', `survives is 'power' or 'process'; got ${String(survives)}.`)
  for (const [name, value] of Object.entries({ timeout, codeBytes })) {
    if (!(value >= 0))
      throw new AshlarError('INVALID_OPTION', `${name} must be no less than 0; got ${value}.`, { details: { [name]: value } })
  }
  const synchronous = survives === 'power' ? 'FULL' : 'NORMAL'
  return new TreeStore({ scope: checked, engine: await SqliteEngine.open({ path, synchronous, timeout }, checked, codeBytes) })
}
