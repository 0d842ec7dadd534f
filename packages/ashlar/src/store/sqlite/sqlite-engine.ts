import { resolve } from 'node:path'
import { AshlarError } from '../../error/ashlar-error.ts'
import type { Engine, EngineReader, EngineWriter } from '../engine.ts'
import type { StoreScope, StoreSupports } from '../store.ts'
import { CodeCache } from './code-cache.ts'
import type { Connection } from './connection.ts'
import { checkVersion, type DatabaseOptions, openReader, openWriter, rollBack } from './open-database.ts'
import { isBusy, patiently } from './patiently.ts'
import { type NumberedWorkspace, type ReaderScope, SqliteReader } from './sqlite-reader.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { Turns } from './turns.ts'

/** Read transactions that one engine has open at once; more wait. */
const mostReaders = 8

/** Keys that are set aside at once. They are gone when the process ends, which costs nothing: there are 2^53. */
const keysAtOnce = 8_192

/** How long an erasure waits for readers that still see what it erased, in milliseconds. Later calls go on trying. */
const erasurePatience = 200

/** Writers of one file in this process, whichever engine they belong to: polling each other would cost more. */
const turnsOf = new Map<string, Turns>()

/** Keeps rows in one SQLite file: one writer at a time, readers beside it on connections of their own, each seeing one moment. */
export class SqliteEngine implements Engine {
  readonly supports: StoreSupports = { engine: 'sqlite', durable: true, shared: true, exactVectors: false }
  readonly #options: DatabaseOptions
  readonly #fields: ReaderScope['fields']
  readonly #codes: CodeCache
  readonly #turns: Turns
  readonly #writer: Connection
  readonly #idle: Connection[] = []
  readonly #waiting: ((connection: Connection) => void)[] = []
  #open = 0
  #workspaces: readonly NumberedWorkspace[]
  #keys = { next: 0, after: 0 }
  /** Deleted text may still be in the log. */
  #isErasing = false
  #isClosed = false

  /** Opens the file, and makes or migrates it where that is needed. */
  static async open(options: DatabaseOptions, scope: Readonly<Required<StoreScope>>, codeBytes: number): Promise<SqliteEngine> {
    return new SqliteEngine(options, scope, codeBytes, await openWriter(options))
  }

  private constructor(options: DatabaseOptions, scope: Readonly<Required<StoreScope>>, codeBytes: number, writer: Connection) {
    const file = resolve(options.path)
    this.#options = options
    this.#fields = scope.fields
    this.#codes = new CodeCache(codeBytes)
    this.#turns = turnsOf.get(file) ?? new Turns()
    turnsOf.set(file, this.#turns)
    this.#writer = writer
    this.#workspaces = [scope.workspace, ...scope.alsoRead].map((name) => ({ name, number: 0 }))
  }

  get hasTraces(): boolean {
    return this.#isErasing
  }

  async read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const connection = await this.#takeReader()
    try {
      await patiently(() => this.#begin(connection, 'BEGIN'), this.#options.timeout, signal)
      try {
        this.#numberWorkspaces(connection)
        return await work(new SqliteReader(connection, this.#scope()))
      } finally {
        connection.exec('COMMIT')
      }
    } finally {
      this.#giveReader(connection)
    }
  }

  async write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#turns.take(async () => {
      for (;;) {
        const missing = { keys: 0 }
        try {
          const result = await this.#attempt(work, missing, signal)
          if (this.#isErasing) await this.#truncateLog(erasurePatience)
          return result
        } catch (error) {
          // Keys are set aside in a transaction of their own: they stay taken when this one fails.
          if (missing.keys === 0) throw error
          await this.#setKeysAside(missing.keys, signal)
        }
      }
    })
  }

  async maintain(signal?: AbortSignal): Promise<void> {
    await this.#turns.take(async () => {
      await patiently(() => this.#writer.exec('PRAGMA incremental_vacuum; PRAGMA optimize'), this.#options.timeout, signal)
      await this.#truncateLog(erasurePatience)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#turns.take(async () => {
      while (this.#open > this.#idle.length) await new Promise((done) => setTimeout(done, 1))
      for (const connection of this.#idle.splice(0)) connection.close()
      await this.#truncateLog(0)
      this.#writer.close()
    })
  }

  async #attempt<Result>(
    work: (writer: EngineWriter) => Promise<Result>,
    missing: { keys: number },
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const connection = this.#writer
    if (this.#isClosed) throw new AshlarError('STORE_CLOSED', `The store in ${this.#options.path} is closed.`)
    // The lock is taken at once: a transaction that begins by reading can find itself behind another writer.
    await patiently(() => this.#begin(connection, 'BEGIN IMMEDIATE'), this.#options.timeout, signal)
    const before = this.#workspaces
    try {
      this.#addWorkspace()
      const writer = new SqliteWriter(connection, this.#scope(), (count) => {
        if (this.#keys.next + count > this.#keys.after) {
          missing.keys = count
          throw new Error('More keys have to be set aside.')
        }
        const first = this.#keys.next
        this.#keys.next += count
        return first
      })
      const result = await work(writer)
      signal?.throwIfAborted()
      connection.exec('COMMIT')
      this.#isErasing ||= writer.isErasing
      return result
    } catch (error) {
      this.#workspaces = before
      rollBack(connection)
      throw error
    }
  }

  #begin(connection: Connection, begin: string): void {
    connection.exec(begin)
    try {
      checkVersion(connection, this.#options)
    } catch (error) {
      rollBack(connection)
      throw error
    }
  }

  async #setKeysAside(count: number, signal: AbortSignal | undefined): Promise<void> {
    const taken = Math.max(keysAtOnce, 2 * count)
    const row = await patiently(
      () => this.#writer.get('UPDATE counter SET next = next + ? WHERE only = 1 RETURNING next', taken),
      this.#options.timeout,
      signal,
    )
    const after = row?.['next'] as number
    this.#keys = { next: after - taken, after }
  }

  #scope(): ReaderScope {
    return { workspaces: this.#workspaces, fields: this.#fields, codes: this.#codes }
  }

  /** Workspaces get their number when they are first written to, by this process or another, and keep it. */
  #numberWorkspaces(connection: Connection): void {
    if (this.#workspaces.every(({ number }) => number > 0)) return
    this.#workspaces = this.#workspaces.map(({ name, number }) => {
      if (number > 0) return { name, number }
      const row = connection.get('SELECT number FROM workspace WHERE name = ?', name)
      return { name, number: (row?.['number'] as number | undefined) ?? 0 }
    })
  }

  #addWorkspace(): void {
    this.#numberWorkspaces(this.#writer)
    const [own] = this.#workspaces
    if (own === undefined || own.number > 0) return
    this.#writer.run('INSERT INTO workspace (name) VALUES (?)', own.name)
    this.#numberWorkspaces(this.#writer)
  }

  async #takeReader(): Promise<Connection> {
    if (this.#isClosed) throw new AshlarError('STORE_CLOSED', `The store in ${this.#options.path} is closed.`)
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#open >= mostReaders) return new Promise((take) => this.#waiting.push(take))
    this.#open++
    try {
      return await openReader(this.#options)
    } catch (error) {
      this.#open--
      throw error
    }
  }

  #giveReader(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next(connection)
  }

  /** Moves the log into the file and empties it. It stays as it is while somebody still reads what it holds. */
  async #truncateLog(patience: number): Promise<void> {
    const until = performance.now() + patience
    for (;;) {
      if (this.#hasTruncatedLog()) {
        this.#isErasing = false
        return
      }
      if (performance.now() >= until) return
      await new Promise((done) => setTimeout(done, 5))
    }
  }

  #hasTruncatedLog(): boolean {
    try {
      return this.#writer.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy'] === 0
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }
}
