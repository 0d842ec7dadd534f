import { AshlarError, isAshlarError } from '../../error/ashlar-error.ts'
import { checkScope } from '../check-scope.ts'
import { PostingsCache } from '../postings/postings-cache.ts'
import type { Store, StoreScope } from '../store.ts'
import { TreeStore } from '../tree-store.ts'
import { migrate } from './migrate.ts'
import { openPool } from './open-pool.ts'
import type { PostgresPool } from './postgres-client.ts'
import { PostgresEngine } from './postgres-engine.ts'
import { defaultSchema, plainName } from './schema.ts'

/** How {@link postgresStore} works with its database. */
export interface PostgresStoreOptions {
  /** The schema that has the tables. @default `ashlar` */
  readonly schema?: string
  /**
   * Makes and updates the tables when the store is opened. Turn it off where a role of its own does that with `schemaSql`. @default true
   */
  readonly migrate?: boolean
  /**
   * From how many vectors on `maintain`, run by the owner of the tables, builds an index of its own for a workspace. Below,
   * and where there is none, a search compares with every vector of the workspace. `Infinity`: never. @default 50000
   */
  readonly indexFrom?: number
  /**
   * How many workspaces have an index of their own at most. Every plan and every written vector looks at all of them; those beyond are
   * searched exactly. @default 100
   */
  readonly mostIndexes?: number
  /** Connections at most, where the store is opened by a URL. @default 10 */
  readonly connections?: number
}

/** Segments never change, so all stores on one pool share what they decoded. */
const caches = new WeakMap<PostgresPool, Map<string, PostingsCache>>()

/**
 * A {@link Store} in PostgreSQL (15 or later) with pgvector (0.8 or later).
 *
 * Takes a URL, or a `Pool` of the driver `pg`: one pool can serve the stores of many workspaces, and stays open when they are closed.
 * Nothing is kept on a connection beyond a transaction, so a pooler may stand between. Every statement names its workspaces, and row-level security holds beside that, unless the role is a superuser or may bypass it:
 * `rolesSql` prints roles that cannot.
 *
 * @throws AshlarError `MISSING_PACKAGE`, `INVALID_WORKSPACE`, `INVALID_OPTION`, `STORE_FAILED`.
 */
export async function postgresStore(
  database: string | PostgresPool,
  scope: StoreScope,
  options: PostgresStoreOptions = {},
): Promise<Store> {
  const checked = checkScope(scope)
  const schema = plainName(options.schema ?? defaultSchema, 'schema')
  const { indexFrom = 50_000, mostIndexes = 100, connections = 10 } = options
  if (!(indexFrom >= 0)) throw new AshlarError('INVALID_OPTION', `indexFrom must be no less than 0; got ${indexFrom}`)
  if (!(Number.isInteger(mostIndexes) && mostIndexes >= 0))
    throw new AshlarError('INVALID_OPTION', `mostIndexes must be a whole number of at least 0; got ${mostIndexes}`)
  if (!(Number.isInteger(connections) && connections >= 1))
    throw new AshlarError('INVALID_OPTION', `connections must be a whole number of at least 1; got ${connections}`)
  const ownsPool = typeof database === 'string'
  const pool = ownsPool ? await openPool(database, connections, 'postgresStore') : database
  try {
    await migrate(pool, schema, options.migrate ?? true)
    const engine = new PostgresEngine({ pool, scope: checked, schema, indexFrom, mostIndexes, ownsPool })
    return new TreeStore({ scope: checked, engine, cache: cacheOf(pool, schema) })
  } catch (error) {
    if (ownsPool) await pool.end()
    if (isAshlarError(error)) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new AshlarError('STORE_FAILED', `The database cannot be opened: ${message}`, { cause: error })
  }
}

function cacheOf(pool: PostgresPool, schema: string): PostingsCache {
  const known = caches.get(pool) ?? new Map<string, PostingsCache>()
  caches.set(pool, known)
  const cache = known.get(schema) ?? new PostingsCache()
  known.set(schema, cache)
  return cache
}
