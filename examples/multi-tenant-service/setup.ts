/**
 * Run once by somebody who may make roles, and again after an update of Ashlar: makes the tables, the roles that own, write and read
 * them, and the login that the service uses. It can write rows, make nothing, and not pass by row-level security.
 *
 *   ADMIN_DATABASE_URL=postgres://admin@localhost/app SERVICE_PASSWORD=… node setup.ts
 */
import { postgresStore, rolesSql } from 'ashlar/postgres'
import pg from 'pg'

const { ADMIN_DATABASE_URL, SERVICE_PASSWORD, ROLES = 'ashlar' } = process.env
if (ADMIN_DATABASE_URL === undefined || SERVICE_PASSWORD === undefined)
  throw new Error('Set ADMIN_DATABASE_URL and SERVICE_PASSWORD; see README.')

const pool = new pg.Pool({ connectionString: ADMIN_DATABASE_URL, max: 2 })
try {
  await pool.query('create extension if not exists vector')
  // Opening a store makes and updates the tables.
  const store = await postgresStore(pool, { workspace: 'setup' })
  await store.close()
  const roles = { owner: `${ROLES}_owner`, writer: `${ROLES}_writer`, reader: `${ROLES}_reader` }
  await pool.query(rolesSql(roles))
  const login = pg.escapeIdentifier(`${ROLES}_service`)
  const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [`${ROLES}_service`])
  const password = `login nosuperuser nobypassrls password ${pg.escapeLiteral(SERVICE_PASSWORD)}`
  await pool.query(`${rowCount === 0 ? 'create' : 'alter'} role ${login} ${password}`)
  await pool.query(`grant ${pg.escapeIdentifier(roles.writer)} to ${login}`)
  console.log(`The service logs in as ${ROLES}_service.`)
} finally {
  await pool.end()
}
