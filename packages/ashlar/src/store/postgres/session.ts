import { hexOf, textArray } from './array-literal.ts'
import type { PostgresParameter, PostgresQuery, PostgresTransaction } from './postgres-client.ts'

/** What every transaction of an engine has in common. */
export interface SessionOptions {
  readonly schema: string
  /** The one that is written, then those that are only read. */
  readonly workspaces: readonly string[]
  /** Whether statements are prepared by name and kept, which a pooler may not allow. */
  readonly prepare: boolean
  /** Only in tests: leaves the workspace out of every condition, to see what the second wall holds. */
  readonly withoutPredicate?: boolean
}

type Row = readonly unknown[]

/** One transaction: statements with parameters, the conditions on the workspace, cancelling. */
export class Session {
  readonly schema: string
  readonly workspaces: readonly string[]
  /** Holds for rows of all workspaces that are read; its parameter is `$1`, from {@link readParameter}. */
  readonly isRead: string
  /** Holds for rows of the workspace that is written; its parameter is `$1`. */
  readonly isWritten: string
  readonly #transaction: PostgresTransaction
  readonly #prepare: boolean
  readonly #signal: AbortSignal | undefined

  constructor(transaction: PostgresTransaction, options: SessionOptions, signal: AbortSignal | undefined) {
    this.#transaction = transaction
    this.#prepare = options.prepare
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
    return textArray(this.workspaces)
  }

  /**
   * Tells the second wall which workspaces this transaction is for; forgotten by the server when the transaction ends.
   *
   * Without parameters it takes one round trip and not two. The names go as hexadecimal digits, so none of them can be read as anything
   * else.
   */
  async enter(): Promise<void> {
    const set = (name: string, value: string): string =>
      `set_config('${name}', convert_from('\\x${hexOf(new TextEncoder().encode(value))}'::bytea, 'UTF8'), true)`
    await this.#run(
      this.#transaction.unsafe(
        `select ${set('ashlar.workspace', this.workspace)}, ${set('ashlar.workspaces', this.readParameter)}`,
      ),
    )
  }

  /** Runs a statement and gives its rows as arrays. */
  async rows(statement: string, parameters: readonly PostgresParameter[]): Promise<readonly Row[]> {
    return this.#run(this.#transaction.unsafe(statement, [...parameters], { prepare: this.#prepare }))
  }

  /** Changes a setting of the server until the transaction ends. */
  async set(name: string, value: number | string): Promise<void> {
    await this.#run(this.#transaction.unsafe(`set local ${name} = ${value}`))
  }

  async #run(query: PostgresQuery): Promise<readonly Row[]> {
    const signal = this.#signal
    if (signal === undefined) return query.values()
    signal.throwIfAborted()
    const cancel = (): void => void query.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await query.values()
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}
