import { readChildren } from '../../src/store/parent-children.ts'
import { openPool, rowsOf } from './postgres-database.ts'

/** Rows that belong to nothing, and counts that are wrong, as sentences. Looks behind the walls, so it needs the superuser. */
export async function postgresOrphans(adminUrl: string, schema: string): Promise<string[]> {
  const pool = openPool(adminUrl, 1)
  try {
    const found: string[] = []
    const count = async (what: string, query: string): Promise<void> => {
      const rows = await rowsOf(pool, query)
      if (rows.length > 0) found.push(`${rows.length} ${what}`)
    }
    const without = (table: string, column: string, owner: string, key: string): string =>
      `select 1 from ${schema}.${table} one where not exists
       (select from ${schema}.${owner} two where two.workspace = one.workspace and two.${key} = one.${column})`
    for (const table of ['parent', 'child_vector', 'token_window', 'note'])
      await count(`rows of ${table} without their document`, without(table, 'document', 'document', 'key'))
    for (const table of ['segment_page', 'tombstone'])
      await count(`rows of ${table} without their segment`, without(table, 'segment', 'segment', 'id'))
    for (const table of ['child_vector', 'token_window', 'vector_count'])
      await count(`rows of ${table} without their embedding`, without(table, 'embedding', 'embedding', 'key'))
    await count(
      'embeddings with another number of vectors than is counted',
      `select 1 from ${schema}.embedding one
       where (select coalesce(sum(change), 0) from ${schema}.vector_count two where two.embedding = one.key)
          <> (select count(*) from ${schema}.child_vector three where three.embedding = one.key)`,
    )
    const parents = await rowsOf(pool, `select children from ${schema}.parent`)
    const children = new Set(parents.flatMap(([packed]) => readChildren(packed as Uint8Array).map(({ key }) => key)))
    for (const table of ['child_vector', 'note']) {
      const rows = await rowsOf(pool, `select child from ${schema}.${table}`)
      const lost = rows.filter(([child]) => !children.has(Number(child))).length
      if (lost > 0) found.push(`${lost} rows of ${table} without their child`)
    }
    return found
  } finally {
    await pool.end()
  }
}
