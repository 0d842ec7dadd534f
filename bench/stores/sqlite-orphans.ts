import { DatabaseSync } from 'node:sqlite'

/** What the file of a SQLite store has that belongs to nothing, or does not add up; nothing where all is well. */
export function sqliteOrphans(path: string): readonly string[] {
  const database = new DatabaseSync(path)
  const all = (sql: string): readonly Record<string, unknown>[] => database.prepare(sql).all()
  try {
    return [
      ...all('PRAGMA foreign_key_check').map((row) => `${String(row['table'])} ${String(row['rowid'])} points nowhere`),
      ...all('PRAGMA integrity_check')
        .map((row) => String(row['integrity_check']))
        .filter((line) => line !== 'ok'),
      ...all(
        `SELECT key FROM embedding WHERE vectors <> (SELECT count(*) FROM vector WHERE vector.embedding = embedding.key)
           OR vectors <> (SELECT coalesce(sum(count), 0) FROM code_block WHERE code_block.embedding = embedding.key)`,
      ).map((row) => `embedding ${String(row['key'])} counts other vectors than it has`),
      ...all(`SELECT key FROM document WHERE children <> (SELECT count(*) FROM vector WHERE vector.document = document.key)`).map(
        (row) => `document ${String(row['key'])} has other children than vectors`,
      ),
    ]
  } finally {
    database.close()
  }
}
