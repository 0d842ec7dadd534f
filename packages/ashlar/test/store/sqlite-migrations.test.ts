import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { openWriter } from '../../src/store/sqlite/open-database.ts'
import { migrations, schemaSql } from '../../src/store/sqlite/schema.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { letterDocument } from './letter-vectors.ts'
import { sqliteOrphans } from './sqlite-orphans.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-migrations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scope = { workspace: 'w' }
const current = migrations.length
const next = 'CREATE TABLE addition (a INTEGER) STRICT; INSERT INTO addition SELECT key FROM document;'

async function makeStore(name: string): Promise<string> {
  const path = join(folder, name)
  await using store = await sqliteStore(path, scope)
  await store.put([letterDocument('wall', 'Stone on stone.'), letterDocument('roof', 'Slate on wood.')])
  return path
}

function look<Result>(path: string, read: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const versionOf = (path: string): unknown =>
  look(path, (database) => database.prepare('PRAGMA user_version').get()?.['user_version'])
const additions = (path: string): unknown =>
  look(path, (database) => database.prepare(`SELECT name FROM sqlite_schema WHERE name = 'addition'`).get())

async function migrateTo(path: string, ...steps: readonly string[]): Promise<void> {
  const all = [...migrations, ...steps]
  const connection = await openWriter({ path, synchronous: 'FULL', timeout: 5_000, migrations: all })
  connection.close()
}

function start(path: string, step: string): { readonly end: Promise<unknown>; kill(): void } {
  const file = new URL('./sqlite-migrating-process.ts', import.meta.url)
  const child = spawn(process.execPath, [file.pathname, path, step], { stdio: ['ignore', 'ignore', 'pipe'] })
  return { end: once(child, 'exit').then(([code, signal]: unknown[]) => code ?? signal), kill: () => child.kill('SIGKILL') }
}

/** As it was: nothing is lost, and this version of the library goes on with it. */
async function expectUntouched(path: string): Promise<void> {
  expect(versionOf(path)).toBe(current)
  expect(additions(path)).toBeUndefined()
  await using store = await sqliteStore(path, scope)
  expect((await store.get(['wall', 'roof'])).map((record) => record?.tree.text)).toEqual(['Stone on stone.', 'Slate on wood.'])
  expect(sqliteOrphans(path)).toEqual([])
}

describe('migrations of a SQLite file', () => {
  test('go forward one after the other, and leave the rows as they are', async () => {
    const path = await makeStore('forward.db')
    await migrateTo(path, next, 'ALTER TABLE addition ADD COLUMN b TEXT;')
    expect(versionOf(path)).toBe(current + 2)
    expect(look(path, (database) => database.prepare('SELECT count(*) AS n, count(b) AS b FROM addition').get())).toMatchObject({
      n: 2,
      b: 0,
    })
    expect(sqliteOrphans(path)).toEqual([])
  })

  test('that fail halfway leave the version before, with all that was in it', async () => {
    const path = await makeStore('failing.db')
    await expect(migrateTo(path, next, 'CREATE TABLE more (a); SELECT * FROM nowhere;')).rejects.toThrow('nowhere')
    await expectUntouched(path)
  })

  test('that are killed halfway leave the version before, with all that was in it', async () => {
    const path = await makeStore('killed.db')
    const endless = `${next} INSERT INTO addition WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;`
    const running = start(path, endless)
    // It writes as soon as its log grows.
    const until = performance.now() + 30_000
    while (!(existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 4_000_000) && performance.now() < until)
      await new Promise((done) => setTimeout(done, 10))
    running.kill()
    expect(await running.end).toBe('SIGKILL')
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(4_000_000)
    await expectUntouched(path)
  }, 60_000)

  test('run once when several processes open the file at the same time', async () => {
    const path = await makeStore('together.db')
    const processes = [0, 1, 2, 3].map(() => start(path, next))
    expect(await Promise.all(processes.map(({ end }) => end))).toEqual([0, 0, 0, 0])
    expect(versionOf(path)).toBe(current + 1)
    expect(look(path, (database) => database.prepare('SELECT count(*) AS n FROM addition').get()?.['n'])).toBe(2)
  }, 60_000)

  test('of a newer library are refused with what to do, also by a store that was open before', async () => {
    const path = await makeStore('newer.db')
    await using open = await sqliteStore(path, scope)
    expect((await open.list()).items).toHaveLength(2)
    await migrateTo(path, next)
    const refusal = {
      code: 'DAMAGED_STORE',
      message: expect.stringMatching(/version 2 of the schema.*open it with the one that wrote it, or a newer one/),
      details: { path, version: current + 1 },
    }
    await expect(sqliteStore(path, scope)).rejects.toMatchObject(refusal)
    await expect(open.list()).rejects.toMatchObject(refusal)
    await expect(open.put([letterDocument('new', 'Lime.')])).rejects.toMatchObject(refusal)
  })

  test('can be read and run by hand', async () => {
    const path = join(folder, 'by-hand.db')
    look(path, (database) => database.exec(schemaSql()))
    await using store = await sqliteStore(path, scope)
    await store.put([letterDocument('wall', 'Stone on stone.')])
    // A file of this version needs nothing but its marks.
    expect(schemaSql(current).trim().split('\n')).toHaveLength(2)
  })
})
