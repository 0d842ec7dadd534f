import { AshlarError } from '../../error/ashlar-error.ts'
import { type PostgresPool, runStatement, withConnection } from './postgres-client.ts'
import { foundationSql, type Migration, migrationSql, migrations } from './schema.ts'

/** Held while migrations run, so that of several processes that start at once one runs them. */
const migrationLock = '4919131752989213765'

/**
 * Brings the tables to this version, or says why it cannot. Does nothing but look where they are there already.
 *
 * @throws AshlarError `STORE_FAILED` where the tables are of a later version, or are missing and may not be made.
 */
export async function migrate(
  pool: PostgresPool,
  schema: string,
  allowed: boolean,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const needed = steps.length
  const version = await versionOf(pool, schema)
  if (version === needed) return
  if (version > needed) throw tooNew(schema, version, needed)
  if (!allowed) {
    const state = version === 0 ? 'has no tables of Ashlar' : `has tables of version ${version}`
    throw new AshlarError(
      'STORE_FAILED',
      `The schema ${schema} ${state}, this library needs version ${needed}, and migrations are switched off. Let the owner run what ${printed(version)} prints, or open one store with the owner's role and migrations on.`,
      { details: { schema, version, needed } },
    )
  }
  try {
    await withConnection(pool, async (connection) => {
      await runStatement(connection, `begin; select pg_advisory_xact_lock(${migrationLock})`)
      await runStatement(connection, `set local client_min_messages = warning; ${foundationSql(schema)}`)
      const { rows } = await runStatement(connection, `select coalesce(max(version), 0) from ${schema}.migration`)
      const from = Number(rows[0]?.[0])
      if (from > needed) throw tooNew(schema, from, needed)
      for (let next = from + 1; next <= needed; next++) await runStatement(connection, migrationSql(schema, next, steps))
      await runStatement(connection, 'commit')
    })
  } catch (cause) {
    if (cause instanceof AshlarError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new AshlarError(
      'STORE_FAILED',
      `The tables in the schema ${schema} could not be brought to version ${needed}: ${message}. Where this role may not make tables, let the owner run what ${printed(version)} prints.`,
      { details: { schema, version, needed }, cause },
    )
  }
}

async function versionOf(pool: PostgresPool, schema: string): Promise<number> {
  return withConnection(pool, async (connection) => {
    const there = await runStatement(connection, `select to_regclass('${schema}.migration') is not null`)
    if (there.rows[0]?.[0] !== true) return 0
    const { rows } = await runStatement(connection, `select coalesce(max(version), 0) from ${schema}.migration`)
    return Number(rows[0]?.[0])
  })
}

/** The call that prints what is missing. */
function printed(version: number): string {
  return version === 0 ? 'schemaSql()' : `schemaSql({ from: ${version} })`
}

function tooNew(schema: string, version: number, needed: number): AshlarError {
  return new AshlarError(
    'STORE_FAILED',
    `The schema ${schema} has tables of version ${version}, and this library knows versions up to ${needed}. Use a later version of the library.`,
    { details: { schema, version, needed } },
  )
}
