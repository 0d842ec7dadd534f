import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

/** A row as SQLite gives it. */
export type SqlRow = Readonly<Record<string, SQLOutputValue>>

/** Statements that are kept prepared. The fixed ones are some forty; the rest is for shapes of filters. */
const mostStatements = 160

/** One connection to the file, with its statements prepared once. */
export class Connection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  all(sql: string, ...parameters: readonly SQLInputValue[]): readonly SqlRow[] {
    return this.#prepared(sql).all(...parameters)
  }

  get(sql: string, ...parameters: readonly SQLInputValue[]): SqlRow | undefined {
    return this.#prepared(sql).get(...parameters)
  }

  /** How many rows it changed. */
  run(sql: string, ...parameters: readonly SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...parameters).changes)
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      // Used last is kept longest.
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    if (this.#statements.size > mostStatements) {
      const [oldest] = this.#statements.keys()
      this.#statements.delete(oldest as string)
    }
    return statement
  }
}
