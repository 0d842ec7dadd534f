import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { AshlarError } from '../error/ashlar-error.ts'
import type { Journal } from './journal.ts'

/** How {@link sqliteCache} keeps its file. */
export interface SqliteCacheOptions {
  /** Most bytes of values; what was used longest ago goes first. The file itself is a few percent larger. @default unlimited */
  readonly maxBytes?: number
  /** How long to wait for other processes that write to the same file, in milliseconds. @default 30000 */
  readonly timeout?: number
}

/** Marks the file as ours ('ashl'), so that no other database is taken for a cache. */
const application = 0x6173_686c
const version = 1

/** SQLite's own wait, during which nothing else of this process runs; beyond it, this process waits without standing still. */
const blockingWait = 50

/** Times of use are noted to this precision only: writing on every read would make readers wait for each other. */
const precision = 3_600_000

const schema = `
  CREATE TABLE entry (
    key   TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    used  INTEGER NOT NULL
  );
  CREATE INDEX entry_used ON entry (used);
  CREATE TABLE total (bytes INTEGER NOT NULL);
  INSERT INTO total VALUES (0);
  CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN UPDATE total SET bytes = bytes + length(new.value); END;
  CREATE TRIGGER entry_changed AFTER UPDATE OF value ON entry BEGIN
    UPDATE total SET bytes = bytes + length(new.value) - length(old.value);
  END;
  CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN UPDATE total SET bytes = bytes - length(old.value); END;
  PRAGMA application_id = ${application};
  PRAGMA user_version = ${version};
`

/**
 * A {@link Journal} in one SQLite file, which several processes may use at once.
 *
 * What was set survives the end of the process by any means: each `set` is one transaction. Needs Node 22.13 or newer. Dispose of
 * it when done; a file that was not closed is none the worse for it.
 *
 * @throws AshlarError `INVALID_OPTION` if the file is something other than a cache of this version.
 * @throws AshlarError `MISSING_PACKAGE` where the runtime has no `node:sqlite`.
 */
export function sqliteCache(path: string, options: SqliteCacheOptions = {}): Journal {
  const { maxBytes = Number.POSITIVE_INFINITY, timeout = 30_000 } = options
  for (const [name, value] of Object.entries({ maxBytes, timeout })) {
    if (!(value >= 0))
      throw new AshlarError('INVALID_OPTION', `${name} must be no less than 0; got ${value}`, { details: { [name]: value } })
  }
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (sqlite === undefined)
    throw new AshlarError('MISSING_PACKAGE', `sqliteCache needs node:sqlite, which Node has from version 22.13 on`, {
      details: { node: process.version },
    })
  return new SqliteCache(new sqlite.DatabaseSync(path), path, maxBytes, timeout)
}

class SqliteCache implements Journal {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #maxBytes: number
  readonly #timeout: number
  #statements: Statements | undefined
  #opening: Promise<Statements> | undefined
  #closed = false

  constructor(database: DatabaseSync, path: string, maxBytes: number, timeout: number) {
    this.#database = database
    this.#path = path
    this.#maxBytes = maxBytes
    this.#timeout = timeout
  }

  async get(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const { read } = await this.#open()
    const found = await this.#patiently(() => keys.map((key) => read.get(key) as { value: Uint8Array; used: number } | undefined))
    if (this.#maxBytes !== Number.POSITIVE_INFINITY) await this.#touch(keys.filter((_, at) => isStale(found[at])))
    return found.map((row) => row?.value)
  }

  async set(entries: readonly { readonly key: string; readonly value: Uint8Array }[]): Promise<void> {
    if (entries.length === 0) return
    const { write, evict, total } = await this.#open()
    const used = Date.now()
    await this.#transaction(() => {
      for (const { key, value } of entries) write.run(key, value, used)
      if (this.#maxBytes === Number.POSITIVE_INFINITY) return
      for (let over = bytesOver(total, this.#maxBytes); over > 0; over = bytesOver(total, this.#maxBytes)) {
        if (evict.run().changes === 0) break
      }
    })
  }

  async delete(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { remove } = await this.#open()
    await this.#transaction(() => {
      for (const key of keys) remove.run(key)
    })
  }

  async sweep(before: number): Promise<void> {
    const { sweep } = await this.#open()
    await this.#transaction(() => sweep.run(before))
    // What was deleted is in the log as well until that is begun anew; a reader elsewhere may keep it from being, for now.
    await this.#patiently(() => this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')).catch(() => {})
  }

  async #touch(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { touch } = await this.#open()
    const used = Date.now()
    await this.#transaction(() => {
      for (const key of keys) touch.run(used, key)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    await this.#opening?.catch(() => {})
    this.#closed = true
    this.#statements = undefined
    this.#database.close()
  }

  /** The statements; prepares the file on first use. */
  async #open(): Promise<Statements> {
    if (this.#closed)
      throw new AshlarError('INVALID_OPTION', `The cache ${this.#path} is closed`, { details: { path: this.#path } })
    if (this.#statements !== undefined) return this.#statements
    this.#opening ??= this.#prepare()
    try {
      this.#statements = await this.#opening
      return this.#statements
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  async #prepare(): Promise<Statements> {
    const database = this.#database
    database.exec(`PRAGMA busy_timeout = ${blockingWait}`)
    // In this mode readers and a writer do not wait for each other, and a commit outlives the process (not always the power).
    await this.#patiently(() => database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'))
    // What is forgotten is overwritten.
    database.exec('PRAGMA secure_delete = ON')
    await this.#transaction(() => {
      const found = { application: this.#pragma('application_id'), version: this.#pragma('user_version') }
      if (found.application === application && found.version === version) return
      const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
      if (!isEmpty)
        throw new AshlarError('INVALID_OPTION', `${this.#path} is not a cache of version ${version}: take another file`, {
          details: { path: this.#path, ...found },
        })
      database.exec(schema)
    })
    return {
      read: database.prepare('SELECT value, used FROM entry WHERE key = ?'),
      write: database.prepare(
        'INSERT INTO entry (key, value, used) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used',
      ),
      touch: database.prepare('UPDATE entry SET used = ? WHERE key = ?'),
      evict: database.prepare('DELETE FROM entry WHERE rowid = (SELECT rowid FROM entry ORDER BY used, rowid LIMIT 1)'),
      remove: database.prepare('DELETE FROM entry WHERE key = ?'),
      sweep: database.prepare('DELETE FROM entry WHERE used < ?'),
      total: database.prepare('SELECT bytes FROM total'),
    }
  }

  #pragma(name: string): unknown {
    return this.#database.prepare(`PRAGMA ${name}`).get()?.[name]
  }

  #transaction(work: () => void): Promise<void> {
    return this.#patiently(() => {
      // Taken at once: a transaction that begins by reading can find itself behind another writer.
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        work()
        this.#database.exec('COMMIT')
      } catch (error) {
        this.#rollBack()
        throw error
      }
    })
  }

  /** SQLite ends some failed transactions itself, and the first versions of node:sqlite cannot tell. */
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // There was none left to end; the error that led here is the one to report.
    }
  }

  /** Tries again while another process holds the file. */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    const until = performance.now() + this.#timeout
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20))
    }
  }
}

interface Statements {
  readonly read: StatementSync
  readonly write: StatementSync
  readonly touch: StatementSync
  readonly evict: StatementSync
  readonly remove: StatementSync
  readonly sweep: StatementSync
  readonly total: StatementSync
}

function bytesOver(total: StatementSync, maxBytes: number): number {
  return Number(total.get()?.['bytes'] ?? 0) - maxBytes
}

function isStale(row: { readonly used: number } | undefined): boolean {
  return row !== undefined && Date.now() - row.used > precision
}

/** SQLITE_BUSY and SQLITE_LOCKED, whatever their finer kind. */
function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown }).errcode
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6)
}
