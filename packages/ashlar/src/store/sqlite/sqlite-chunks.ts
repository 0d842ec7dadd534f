import { AshlarError } from '../../error/ashlar-error.ts'
import type { FlatChunk, FlatChunks } from '../flat/flat-chunk.ts'
import { type FlatTable, flatColumns, quotedName, readFlatChunk } from '../flat/flat-columns.ts'

/** A flat table of chunks in a SQLite file, for `adoptChunks` to read. The file is opened for reading only and sees one moment. */
export function sqliteChunks(path: string, options: FlatTable = {}): FlatChunks {
  const { id, order, document, read, page } = flatColumns(options)
  const asText = (column: string): string => `CAST(${quotedName(column)} AS TEXT)`
  const columns = [...read].map(([name, column], at) => {
    const value = ['row', 'document', 'text', 'kind', 'title', 'context'].includes(name) ? asText(column) : quotedName(column)
    return `${value} AS c${at}`
  })
  const group = document === undefined ? undefined : asText(document)
  const sorted = [...(group === undefined ? [] : [`${group} IS NULL`, group]), quotedName(order), quotedName(id)].join(', ')
  const names = [...read.keys()]
  const from = `SELECT ${columns.join(', ')} FROM ${quotedName(options.table ?? 'chunks')}`
  return {
    async *pages({ after, signal }) {
      const sqlite = process.getBuiltinModule('node:sqlite')
      if (sqlite === undefined) throw new AshlarError('MISSING_PACKAGE', 'sqliteChunks needs node:sqlite.')
      const goesOn = after !== undefined && group !== undefined
      const where = goesOn ? ` WHERE ${group} > ? OR ${group} IS NULL` : ''
      const connection = new sqlite.DatabaseSync(path, { readOnly: true })
      try {
        const rows = connection.prepare(`${from}${where} ORDER BY ${sorted}`).iterate(...(goesOn ? [after] : []))
        let chunks: FlatChunk[] = []
        for (const row of rows) {
          chunks.push(readFlatChunk(new Map(names.map((name, at) => [name, row[`c${at}`]]))))
          if (chunks.length < page) continue
          yield chunks
          signal?.throwIfAborted()
          chunks = []
        }
        if (chunks.length > 0) yield chunks
      } finally {
        connection.close()
      }
    },
  }
}
