import { textArrayLiteral } from './array-parameter.ts'
import { type PostgresConnection, type PostgresValue, runStatement } from './postgres-client.ts'

/** What every transaction of an engine has in common. */
export interface SessionOptions {
  readonly schema: string
  /** The one that is written, then those that are only read. */
  readonly workspaces: readonly string[]
  /** Only in tests: leaves the workspace out of every condition, to see what the second wall holds. */
  readonly withoutPredicate?: boolean
}

type Row = readonly unknown[]

/**
 * One transaction: statements with parameters, the conditions on the workspace, giving up.
 *
 * Nothing is kept on the connection beyond the transaction, so a pooler may hand it to somebody else after each.
 */
export class Session {
  readonly schema: string
  readonly workspaces: readonly string[]
  /** Holds for rows of all workspaces that are read; its parameter is `$1`, from {@link readParameter}. */
  readonly isRead: string
  /** Holds for rows of the workspace that is written; its parameter is `$1`. */
  readonly isWritten: string
  readonly #connection: PostgresConnection
  readonly #signal: AbortSignal | undefined

  constructor(connection: PostgresConnection, options: SessionOptions, signal: AbortSignal | undefined) {
    this.#connection = connection
    this.#signal = signal
    this.schema = options.schema
    this.workspaces = options.workspaces
    this.isRead = options.withoutPredicate === true ? '$1::text[] is not null' : 'workspace = any($1::text[])'
    this.isWritten = options.withoutPredicate === true ? '$1::text is not null' : 'workspace = $1::text'
  }

  get workspace(): string {
    return this.workspaces[0] as string
  }

  get readParameter(): string {
    return textArrayLiteral(this.workspaces)
  }

  /**
   * Begins, and tells the second wall which workspaces this transaction is for; the server forgets it when the transaction ends.
   *
   * Statements without parameters can go in one round trip. The names go as hexadecimal digits, so none of them can be read as anything
   * else.
   */
  async begin(mode: string): Promise<void> {
    const set = (name: string, value: string): string =>
      `set_config('${name}', convert_from('\\x${Buffer.from(value).toString('hex')}'::bytea, 'UTF8'), true)`
    await this.#run(
      `begin ${mode}; select ${set('ashlar.workspace', this.workspace)}, ${set('ashlar.workspaces', this.readParameter)}`,
    )
  }

  /** Resolves when the server has said that everything is stored. From here on nothing can be given up. */
  async commit(): Promise<void> {
    const { command } = await runStatement(this.#connection, 'commit')
    if (command !== 'COMMIT') throw new Error(`The server answered the commit with ${command}`)
  }

  async rollback(): Promise<void> {
    await runStatement(this.#connection, 'rollback')
  }

  /** Runs a statement and gives its rows as arrays. Parameters are sent as text, lists in binary form. */
  async rows(statement: string, parameters: readonly PostgresValue[]): Promise<readonly Row[]> {
    return this.#run(statement, parameters)
  }

  /** Changes a setting of the server until the transaction ends. */
  async set(name: string, value: number | string): Promise<void> {
    await this.#run(`set local ${name} = ${value}`)
  }

  async #run(statement: string, parameters?: readonly PostgresValue[]): Promise<readonly Row[]> {
    const signal = this.#signal
    if (signal === undefined) return (await runStatement(this.#connection, statement, parameters)).rows
    signal.throwIfAborted()
    // Who gives up does not wait for the server; the connection is closed and the server undoes what was done on it.
    const { promise: given, reject } = Promise.withResolvers<never>()
    const giveUp = (): void => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return (await Promise.race([runStatement(this.#connection, statement, parameters), given])).rows
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}
