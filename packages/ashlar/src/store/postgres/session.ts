import { textArrayLiteral } from './array-parameter.ts'
import { type PostgresConnection, type PostgresValue, runStatements, type StatementResult } from './postgres-client.ts'

/** What every transaction of an engine has in common. */
export interface SessionOptions {
  readonly schema: string
  /** The one that is written, then those that are only read. */
  readonly workspaces: readonly string[]
  /** Only in tests: leaves the workspace out of every condition, to see what the second wall holds. */
  readonly withoutPredicate?: boolean
}

type Row = readonly unknown[]
type Settings = Readonly<Record<string, number | string>>

/**
 * One transaction: statements with parameters, the conditions on the workspace, giving up.
 *
 * Nothing is kept on the connection beyond the transaction, so a pooler may hand it to somebody else after each.
 */
export class Session {
  readonly schema: string
  readonly workspaces: readonly string[]
  /**
   * Holds for rows of all workspaces that are read; its parameter is `$1`, from {@link readParameter}. Where there is one, it is compared as
   * such: a list costs twice as much for every row.
   */
  readonly isRead: string
  /** Says the same once more, in the form that `document_order` has: see the schema. */
  readonly isReadInOrder: string
  /** Holds for rows of the workspace that is written; its parameter is `$1`. */
  readonly isWritten: string
  readonly #connection: PostgresConnection
  readonly #signal: AbortSignal | undefined
  /** What is sent before the first statement, until it is sent. */
  #beginning: string | undefined
  /** Settings that were changed. */
  readonly #settings = new Map<string, number | string>()

  constructor(connection: PostgresConnection, options: SessionOptions, signal: AbortSignal | undefined) {
    this.#connection = connection
    this.#signal = signal
    this.schema = options.schema
    this.workspaces = options.workspaces
    const given = this.workspaces.length === 1 ? '$1::text' : '$1::text[]'
    const read = this.workspaces.length === 1 ? given : `any(${given})`
    const isOpen = options.withoutPredicate === true
    this.isRead = isOpen ? `${given} is not null` : `workspace = ${read}`
    this.isReadInOrder = isOpen ? `${given} is not null` : `(workspace || '') = ${read}`
    this.isWritten = isOpen ? '$1::text is not null' : 'workspace = $1::text'
  }

  get workspace(): string {
    return this.workspaces[0] as string
  }

  get readParameter(): string {
    return this.workspaces.length === 1 ? this.workspace : textArrayLiteral(this.workspaces)
  }

  /** The same as a text that can stand in a statement: the names are hexadecimal digits there and cannot be read as anything else. */
  get readLiteral(): string {
    return textLiteral(this.readParameter)
  }

  /** Whether nothing has been sent yet. */
  get isWaiting(): boolean {
    return this.#beginning !== undefined
  }

  /**
   * Begins with the first statement, and tells the second wall which workspaces this transaction is for; the server forgets it when the
   * transaction ends. Statements without parameters can go in one round trip.
   */
  begin(mode: string): void {
    const set = (name: string, value: string): string => `set_config('${name}', ${textLiteral(value)}, true)`
    this.#beginning = `begin ${mode}; select ${set('ashlar.workspace', this.workspace)}, ${set('ashlar.workspaces', textArrayLiteral(this.workspaces))}`
  }

  /** Begins with settings and these statements, which have no parameters, in one round trip, and gives the rows of each statement. */
  async opening(statements: readonly string[], settings: Settings = {}): Promise<readonly (readonly Row[])[]> {
    const results = await this.#run([this.#takeBeginning(), ...this.#changes(settings), ...statements].join('; '))
    return results.slice(-statements.length)
  }

  /** Runs statements without parameters in one round trip, and gives the rows of each. */
  async together(statements: readonly string[]): Promise<readonly (readonly Row[])[]> {
    return this.isWaiting ? this.opening(statements) : this.#run(statements.join('; '))
  }

  /** Resolves when the server has said that everything is stored. From here on nothing can be given up. */
  async commit(): Promise<void> {
    if (this.isWaiting) return
    const [{ command } = { command: 'nothing' }] = await runStatements(this.#connection, 'commit')
    if (command !== 'COMMIT') throw new Error(`The server answered the commit with ${command}`)
  }

  async rollback(): Promise<void> {
    if (this.isWaiting) return
    await runStatements(this.#connection, 'rollback')
  }

  /** Runs a statement and gives its rows as arrays. Parameters are sent as text, lists in binary form. */
  async rows(statement: string, parameters: readonly PostgresValue[]): Promise<readonly Row[]> {
    if (this.isWaiting) await this.#run(this.#takeBeginning())
    return (await this.#run(statement, parameters)).at(-1) ?? []
  }

  /** Changes settings of the server until the transaction ends. */
  async set(settings: Settings): Promise<void> {
    const changes = this.#changes(settings)
    if (changes.length === 0) return
    await this.#run([...(this.isWaiting ? [this.#takeBeginning()] : []), ...changes].join('; '))
  }

  /** Statements for those settings that are not so already. */
  #changes(settings: Settings): string[] {
    const changed = Object.entries(settings).filter(([name, value]) => this.#settings.get(name) !== value)
    for (const [name, value] of changed) this.#settings.set(name, value)
    return changed.map(([name, value]) => `set local ${name} = ${value}`)
  }

  #takeBeginning(): string {
    const beginning = this.#beginning as string
    this.#beginning = undefined
    return beginning
  }

  async #run(statement: string, parameters?: readonly PostgresValue[]): Promise<readonly (readonly Row[])[]> {
    const signal = this.#signal
    if (signal === undefined) return rowsOf(await runStatements(this.#connection, statement, parameters))
    signal.throwIfAborted()
    // Who gives up does not wait for the server; the connection is closed and the server undoes what was done on it.
    const { promise: given, reject } = Promise.withResolvers<never>()
    const giveUp = (): void => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return rowsOf(await Promise.race([runStatements(this.#connection, statement, parameters), given]))
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

function rowsOf(results: readonly StatementResult[]): readonly (readonly Row[])[] {
  return results.map(({ rows }) => rows)
}

/** A text that can stand in a statement: its bytes are hexadecimal digits there and cannot be read as anything else. */
export function textLiteral(text: string): string {
  return `convert_from('\\x${Buffer.from(text).toString('hex')}'::bytea, 'UTF8')`
}
