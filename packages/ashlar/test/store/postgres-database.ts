import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { type PostgresServer, startPostgres } from '../../../../scripts/postgres.ts'

type Client = ReturnType<typeof postgres>

/** A database for one test file. */
export interface TestDatabase extends AsyncDisposable {
  /** Of somebody who may make schemas in it and is subject to row-level security. */
  readonly url: string
  /** Of the superuser, for making roles and for looking behind the walls. */
  readonly adminUrl: string
  /** There where the server is our own, to be killed and started again. */
  readonly server: PostgresServer | undefined
  /** Opens a client that is closed with the database. */
  connect(url?: string, options?: { readonly max?: number }): Client
  /** Makes a role that can log in and is a member of another, and gives its URL. Roles are dropped with the database. */
  login(memberOf: string): Promise<string>
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

async function makeDatabase(serverUrl: string, server: PostgresServer | undefined): Promise<TestDatabase> {
  const name = `ashlar_test_${randomBytes(6).toString('hex')}`
  const clients: Client[] = []
  const roles: string[] = []
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} })
  const makeRole = async (options: string): Promise<string> => {
    const role = `${name}_${roles.length + 1}`
    roles.push(role)
    await admin.unsafe(`create role ${role} login password '${name}' nosuperuser nobypassrls ${options}`)
    return urlOf(serverUrl, name, role)
  }
  const url = await makeRole('')
  await admin.unsafe(`create database ${name} owner ${roles[0]}`)
  const adminUrl = urlOf(serverUrl, name)
  const asAdmin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  await asAdmin.unsafe('create extension if not exists vector')
  await asAdmin.end()
  return {
    url,
    adminUrl,
    server,
    connect(to = url, { max = 10 } = {}) {
      const client = postgres(to, { max, onnotice: () => {}, fetch_types: false })
      clients.push(client)
      return client
    },
    login: (memberOf) => makeRole(`in role ${memberOf}`),
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.end({ timeout: 1 })
      if (server === undefined) {
        await admin.unsafe(`drop database if exists ${name} with (force)`)
        for (const role of roles) await admin.unsafe(`drop role if exists ${role}`)
      }
      await admin.end({ timeout: 1 })
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
