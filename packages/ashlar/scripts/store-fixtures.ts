/**
 * Writes a small store of each engine, as this version of the library makes it, to `test/store/fixtures`: tests of later versions open
 * them. Run it once before a version with a new schema is released (`node packages/ashlar/scripts/store-fixtures.ts`); fixtures of
 * released versions are never written again.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { startPostgres } from '../../../scripts/postgres.ts'
import { postgresStore } from '../src/store/postgres/postgres-store.ts'
import * as postgres from '../src/store/postgres/schema.ts'
import * as sqlite from '../src/store/sqlite/schema.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { fillFixture, fixtureScope } from '../test/store/fixture-sample.ts'

const folder = new URL('../test/store/fixtures/', import.meta.url)

async function writeSqlite(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'ashlar-fixture-'))
  try {
    const path = join(place, 'store.db')
    const store = await sqliteStore(path, fixtureScope)
    await fillFixture(store)
    await store.close()
    write(`sqlite-${sqlite.migrations.length}.db.gz`, readFileSync(path))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function writePostgres(): Promise<void> {
  const server = await startPostgres()
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  pool.on('error', () => {})
  try {
    const store = await postgresStore(pool, fixtureScope)
    await fillFixture(store)
    await store.close()
    const settings = `select set_config('ashlar.workspace', '${fixtureScope.workspace}', false), set_config('ashlar.workspaces', '{${fixtureScope.workspace}}', false);`
    const lines = [postgres.schemaSql(), settings]
    for (const table of postgres.tables) lines.push(...(await inserts(pool, table)))
    const [next] = (await pool.query('select last_value from ashlar.row_key')).rows as { last_value: string }[]
    lines.push(`select setval('ashlar.row_key', ${next?.last_value});`)
    write(`postgres-${postgres.migrations.length}.sql.gz`, Buffer.from(`${lines.join('\n')}\n`))
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** The rows of a table as statements, in a fixed order. */
async function inserts(pool: pg.Pool, table: string): Promise<string[]> {
  const found = await pool.query(
    `select column_name from information_schema.columns where table_schema = 'ashlar' and table_name = $1 order by ordinal_position`,
    [table],
  )
  const columns = found.rows.map((row: { column_name: string }) => row.column_name)
  const values = columns.map((column) => `quote_nullable(${column}::text)`).join(` || ', ' || `)
  const { rows } = await pool.query(
    `select 'insert into ashlar.${table} (${columns.join(', ')}) values (' || ${values} || ');' as line from ashlar.${table} order by line`,
  )
  return rows.map((row: { line: string }) => row.line)
}

function write(name: string, bytes: Uint8Array): void {
  const packed = gzipSync(bytes, { level: 9 })
  writeFileSync(new URL(name, folder), packed)
  process.stdout.write(`${name}: ${bytes.length} bytes, ${packed.length} packed\n`)
}

await writeSqlite()
await writePostgres()
