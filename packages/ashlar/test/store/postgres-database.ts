import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../../../scripts/postgres.ts'
import { rolesSql } from '../../src/store/postgres/schema.ts'

/** A database for one test file. */
export interface TestDatabase extends AsyncDisposable {
  /** Of somebody who may make schemas in it and is subject to row-level security. */
  readonly url: string
  /** Of the superuser, for making roles and for looking behind the walls. */
  readonly adminUrl: string
  /** There where the server is our own, to be killed and started again. */
  readonly server: PostgresServer | undefined
  /** Opens a pool that is closed with the database. */
  connect(url?: string, options?: { readonly max?: number }): pg.Pool
  /** Runs what `rolesSql` prints and gives the URL of somebody with each role. */
  makeRoles(schema: string): Promise<Readonly<Record<'owner' | 'writer' | 'reader', string>>>
}

/**
 * Gives a test file a database of its own on a real server: that of `ASHLAR_POSTGRES_URL` (a superuser's), or one started for it.
 *
 * Where there is neither, tests are skipped and say so; in CI that is an error.
 */
export async function openTestDatabase(): Promise<TestDatabase | undefined> {
  const given = process.env['ASHLAR_POSTGRES_URL']
  let server: PostgresServer | undefined
  if (given === undefined) {
    try {
      server = await startPostgres()
    } catch (error) {
      if (process.env['CI'] !== undefined) throw error
      console.warn(`SKIPPED: tests of PostgreSQL. ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
  return makeDatabase(given ?? (server as PostgresServer).url, server)
}

/** Makes a database on a server that is there; where the server comes along, it is stopped with the database. */
export async function makeDatabase(serverUrl: string, server: PostgresServer | undefined): Promise<TestDatabase> {
  const name = `ashlar_test_${randomBytes(6).toString('hex')}`
  const pools: pg.Pool[] = []
  const roles: string[] = []
  const admin = openPool(serverUrl, 1)
  const makeRole = async (options: string): Promise<string> => {
    const role = `${name}_${roles.length}`
    roles.push(role)
    await admin.query(`create role ${role} login password '${name}' nosuperuser nobypassrls ${options}`)
    return urlOf(serverUrl, name, role)
  }
  const url = await makeRole('')
  await admin.query(`create database ${name} owner ${roles[0]}`)
  const adminUrl = urlOf(serverUrl, name)
  const asAdmin = openPool(adminUrl, 1)
  await asAdmin.query('create extension if not exists vector')
  await asAdmin.end()
  return {
    url,
    adminUrl,
    server,
    connect(to = url, { max = 10 } = {}) {
      const pool = openPool(to, max)
      pools.push(pool)
      return pool
    },
    async makeRoles(schema) {
      const names = { owner: `${name}_owner`, writer: `${name}_writer`, reader: `${name}_reader` }
      roles.push(...Object.values(names))
      const somebody = openPool(adminUrl, 1)
      await somebody.query(rolesSql({ ...names, schema }))
      await somebody.end()
      const login = (role: string): Promise<string> => makeRole(`in role ${role}`)
      return { owner: await login(names.owner), writer: await login(names.writer), reader: await login(names.reader) }
    },
    async [Symbol.asyncDispose]() {
      for (const pool of pools) await pool.end()
      if (server === undefined) {
        await admin.query(`drop database if exists ${name} with (force)`)
        for (const role of roles) await admin.query(`drop role if exists ${role}`)
      }
      await admin.end()
      await server?.stop()
    },
  }
}

function urlOf(server: string, database: string, role?: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  if (role !== undefined) {
    url.username = role
    url.password = database
  }
  return url.href
}

/** A pool whose idle connections may end with their server, as they do when a test stops it. */
export function openPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => {})
  return pool
}

/** Rows as arrays. */
export async function rowsOf(pool: pg.Pool | pg.PoolClient, text: string): Promise<unknown[][]> {
  return (await pool.query({ text, rowMode: 'array' })).rows
}
