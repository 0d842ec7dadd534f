/** What stands for a `$n`: a text, or bytes in the server's own binary form. */
export type PostgresValue = string | Buffer

/** A statement as the driver takes it. */
export interface PostgresStatement {
  readonly text: string
  readonly values?: PostgresValue[]
  readonly rowMode: 'array'
  readonly types: { getTypeParser(type: number, format?: string): (value: string) => unknown }
}

/** A connection that was taken from the pool. */
export interface PostgresConnection {
  query(statement: PostgresStatement): Promise<{ readonly rows: unknown[][]; readonly command: string }>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  release(destroy?: boolean): void
}

/** As much of the driver `pg` as is used: a `Pool` of it satisfies this. */
export interface PostgresPool {
  connect(): Promise<PostgresConnection>
  end(): Promise<void>
}

const bytesType = 17
const booleanType = 16

/**
 * What becomes of a value, whatever the driver was told elsewhere: bytes and truth values are read, the rest stays text.
 */
const types: PostgresStatement['types'] = {
  getTypeParser(type) {
    if (type === bytesType) return (text) => Buffer.from(text.slice(2), 'hex')
    if (type === booleanType) return (text) => text === 't'
    return (text) => text
  },
}

/** What the server answers to a statement. */
export interface StatementResult {
  readonly rows: readonly (readonly unknown[])[]
  readonly command: string
}

/** Runs one statement. */
export async function runStatement(
  connection: PostgresConnection,
  text: string,
  values?: readonly PostgresValue[],
): Promise<StatementResult> {
  return (await runStatements(connection, text, values)).at(-1) ?? { rows: [], command: '' }
}

/** Runs one statement or, without values, several that are separated by semicolons. Gives what the server answers to each. */
export async function runStatements(
  connection: PostgresConnection,
  text: string,
  values?: readonly PostgresValue[],
): Promise<readonly StatementResult[]> {
  const given = values === undefined ? {} : { values: [...values] }
  const answer: StatementResult | readonly StatementResult[] = await connection.query({ text, ...given, rowMode: 'array', types })
  // The driver gives a list where there were several.
  return Array.isArray(answer) ? (answer as readonly StatementResult[]) : [answer as StatementResult]
}

/** Takes a connection for as long as the work goes on. One that failed is not used again. */
export async function withConnection<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  // What happens to a connection is told by the statement that was on its way; an event that nobody hears would end the process.
  const ignore = (): void => {}
  connection.on('error', ignore)
  try {
    const result = await work(connection)
    connection.release()
    connection.off('error', ignore)
    return result
  } catch (error) {
    connection.release(true)
    throw error
  }
}
