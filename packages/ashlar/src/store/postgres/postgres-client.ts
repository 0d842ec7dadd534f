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

/** Runs one statement. Without values it may be several, separated by semicolons. */
export async function runStatement(
  connection: PostgresConnection,
  text: string,
  values?: readonly PostgresValue[],
): Promise<{ readonly rows: readonly (readonly unknown[])[]; readonly command: string }> {
  return connection.query({ text, ...(values === undefined ? {} : { values: [...values] }), rowMode: 'array', types })
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
