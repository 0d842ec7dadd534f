import { AshlarError } from '../../error/ashlar-error.ts'
import { optionalPackage } from '../../model/optional-package.ts'
import type { PostgresPool } from './postgres-client.ts'

/** Opens a pool of the driver `pg` for whoever was given a URL. */
export async function openPool(url: string, connections: number, what: string): Promise<PostgresPool> {
  const { default: pg } = await optionalPackage('pg', () => import('pg'), what)
  if (!URL.canParse(url)) throw new AshlarError('INVALID_OPTION', 'The database is named by a URL: postgres://user@host/database')
  const pool = new pg.Pool({ connectionString: url, max: connections })
  // A connection that breaks while nobody uses it is replaced; an event that nobody hears would end the process.
  pool.on('error', () => {})
  return pool
}
