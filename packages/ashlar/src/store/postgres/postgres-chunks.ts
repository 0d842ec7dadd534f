import type { FlatChunk, FlatChunks } from '../flat/flat-chunk.ts'
import { type FlatTable, flatColumns, quotedName, readFlatChunk } from '../flat/flat-columns.ts'
import { openPool } from './open-pool.ts'
import { type PostgresConnection, type PostgresPool, runStatement } from './postgres-client.ts'

/** Where the flat table is. */
export interface PostgresChunksOptions extends FlatTable {
  /** The table's schema. @default what the connection's search path says */
  readonly schema?: string
}

/**
 * A flat table of chunks in PostgreSQL, for `adoptChunks` to read: columns of any type, in one transaction that only reads and sees one
 * moment, sorted once by the server and fetched page by page.
 */
export function postgresChunks(database: string | PostgresPool, options: PostgresChunksOptions = {}): FlatChunks {
  const { id, order, document, read, page } = flatColumns(options)
  const table = [...(options.schema === undefined ? [] : [options.schema]), options.table ?? 'chunks'].map(quotedName).join('.')
  const names = [...read.keys()]
  // As JSON the server tells lists, numbers and times apart, whatever the driver knows about types.
  const columns = [...read].map(([name, column]) =>
    ['row', 'document', 'text', 'kind', 'title', 'vector', 'context'].includes(name)
      ? `${quotedName(column)}::text`
      : `to_jsonb(${quotedName(column)})::text`,
  )
  const group = document === undefined ? undefined : `${quotedName(document)}::text collate "C"`
  const sorted = [...(group === undefined ? [] : [`${group} nulls last`]), quotedName(order), quotedName(id)].join(', ')
  return {
    async *pages({ after, signal }) {
      const where =
        after === undefined || group === undefined
          ? ''
          : ` where ${group} > convert_from('\\x${Buffer.from(after).toString('hex')}'::bytea, 'UTF8') or ${quotedName(document as string)} is null`
      const pool = typeof database === 'string' ? await openPool(database, 1, 'postgresChunks') : database
      try {
        const connection = await pool.connect()
        const ignore = (): void => {}
        connection.on('error', ignore)
        let isDone = false
        try {
          await runStatement(
            connection,
            `begin isolation level repeatable read read only; declare ashlar_chunks no scroll cursor for select ${columns.join(', ')} from ${table}${where} order by ${sorted}`,
          )
          for (;;) {
            signal?.throwIfAborted()
            const rows = await fetchPage(connection, names, page)
            if (rows.length > 0) yield rows
            if (rows.length < page) break
          }
          await runStatement(connection, 'commit')
          isDone = true
        } finally {
          // A reader that stops halfway leaves a transaction open; closing the connection ends it.
          connection.release(!isDone)
          if (isDone) connection.off('error', ignore)
        }
      } finally {
        if (typeof database === 'string') await pool.end()
      }
    },
  }
}

async function fetchPage(connection: PostgresConnection, names: readonly string[], page: number): Promise<FlatChunk[]> {
  const { rows } = await runStatement(connection, `fetch ${page} from ashlar_chunks`)
  return rows.map((row) => readFlatChunk(new Map(names.map((name, at) => [name, columnValue(name, row[at])]))))
}

function columnValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return name.startsWith('metadata') || name === 'questions' || name === 'keywords' ? JSON.parse(value) : value
}
