/** A statement on its way. Awaiting it gives rows as arrays once `values` was called. */
export interface PostgresQuery extends PromiseLike<unknown> {
  values(): PromiseLike<readonly (readonly unknown[])[]>
  cancel(): unknown
}

/** A connection inside a transaction. */
export interface PostgresTransaction {
  unsafe(statement: string, parameters?: (string | null)[], options?: { prepare?: boolean }): PostgresQuery
}

/** As much of the driver `postgres` as is used: what `postgres(url)` returns satisfies it. */
export interface PostgresClient extends PostgresTransaction {
  begin(options: string, work: (transaction: PostgresTransaction) => Promise<unknown>): Promise<unknown>
  end(options?: { timeout?: number }): Promise<void>
}

/** A value that a statement has a `$n` for. All are sent as text, so that nothing depends on how a client was set up. */
export type PostgresParameter = string | null
