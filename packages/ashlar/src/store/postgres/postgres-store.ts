import { AshlarError } from '../../error/ashlar-error.ts'
import { optionalPackage } from '../../model/optional-package.ts'
import { checkScope } from '../check-scope.ts'
import { PostingsCache } from '../postings/postings-cache.ts'
import type { Store, StoreScope } from '../store.ts'
import { TreeStore } from '../tree-store.ts'
import { migrate } from './migrate.ts'
import type { PostgresClient } from './postgres-client.ts'
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
   * Keeps statements prepared on each connection, which saves a round trip each. Leave it off behind a pooler that hands connections over
   * between transactions and does not know about prepared statements. @default false
   */
  readonly prepare?: boolean
  /**
   * From how many vectors on `maintain`, run by the owner of the tables, builds an index of its own for a workspace; at most 100 have one.
   * Below, and where there is none, a search compares with every vector of the workspace. `Infinity`: never. @default 50000
   */
  readonly indexFrom?: number
  /** Connections at most, where the store is opened by a URL. @default 10 */
  readonly connections?: number
}

/** Segments never change, so all stores on one client share what they decoded. */
const caches = new WeakMap<PostgresClient, Map<string, PostingsCache>>()

/**
 * A {@link Store} in PostgreSQL (15 or later) with pgvector (0.8 or later).
 *
 * Takes a URL, or a client of the driver `postgres`: one client can serve the stores of many workspaces, and stays open when they are
 * closed. Every statement names its workspaces, and row-level security holds beside that, unless the role is a superuser or may bypass it:
 * `rolesSql` prints roles that cannot.
 *
 * @throws AshlarError `MISSING_PACKAGE`, `INVALID_WORKSPACE`, `INVALID_OPTION`, `STORE_FAILED`.
 */
export async function postgresStore(
  database: string | PostgresClient,
  scope: StoreScope,
  options: PostgresStoreOptions = {},
): Promise<Store> {
  const checked = checkScope(scope)
  const schema = plainName(options.schema ?? defaultSchema, 'schema')
  const { indexFrom = 50_000, connections = 10, prepare = false } = options
  if (!(indexFrom >= 0)) throw new AshlarError('INVALID_OPTION', `indexFrom must be no less than 0; got ${indexFrom}`)
  if (!(Number.isInteger(connections) && connections >= 1))
    throw new AshlarError('INVALID_OPTION', `connections must be a whole number of at least 1; got ${connections}`)
  const ownsClient = typeof database === 'string'
  const client = ownsClient ? await openClient(database, connections, prepare) : database
  try {
    await migrate(client, schema, options.migrate ?? true)
    const engine = new PostgresEngine({ client, scope: checked, schema, prepare, indexFrom, ownsClient })
    return new TreeStore({ scope: checked, engine, cache: cacheOf(client, schema) })
  } catch (error) {
    if (ownsClient) await client.end({ timeout: 5 })
    throw error
  }
}

async function openClient(url: string, connections: number, prepare: boolean): Promise<PostgresClient> {
  const { default: postgres } = await optionalPackage('postgres', () => import('postgres'), 'postgresStore')
  try {
    return postgres(url, { max: connections, prepare, fetch_types: false, onnotice: () => {} }) as unknown as PostgresClient
  } catch (cause) {
    throw new AshlarError('INVALID_OPTION', `The URL of the database cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function cacheOf(client: PostgresClient, schema: string): PostingsCache {
  const known = caches.get(client) ?? new Map<string, PostingsCache>()
  caches.set(client, known)
  const cache = known.get(schema) ?? new PostingsCache()
  known.set(schema, cache)
  return cache
}
