import { idHash } from './id-hash.ts'
import { type PostgresConnection, type PostgresValue, runStatement } from './postgres-client.ts'
import type { Session } from './session.ts'

/** The index that one embedding has of its own. */
export interface VectorIndex {
  readonly embedding: number
  readonly dimensions: number
}

/** What pgvector can index of half precision. */
const mostIndexedDimensions = 4_000

/**
 * How an index is built. With pgvector's own 64 candidates, questions that a workspace has no answer to, whose nearest are far away, lost up to all of
 * their neighbours; see docs/postgres.md for what was measured.
 */
const build = { links: 16, candidates: 200 } as const

/** How many candidates a search holds at least. */
const leastCandidates = 400

const indexName = /^child_vector_near_(\d+)_(\d+)$/

/** How the index of an embedding is called. */
function vectorIndexName({ embedding, dimensions }: VectorIndex): string {
  return `child_vector_near_${embedding}_${dimensions}`
}

/** How the server searches an index for so many. */
export function searchSettings(limit: number): Readonly<Record<string, number | string>> {
  return {
    'hnsw.iterative_scan': 'strict_order',
    'hnsw.ef_search': Math.min(1_000, Math.max(leastCandidates, 2 * limit)),
    'hnsw.max_scan_tuples': 100_000,
  }
}

/**
 * Searches the index of one embedding. It goes on until it has as many as were asked for, whatever the filter leaves out; where it gives
 * up before, everything is compared.
 *
 * The numbers of the embedding and its dimensions stand in the statement itself: with a parameter the planner could not tell that the
 * index is the one for it.
 *
 * @param rows which of `child_vector` there are to be found; `$1` are the workspaces, `$2` is the vector.
 */
export async function vectorIndexSearch(
  session: Session,
  { embedding, dimensions }: VectorIndex,
  rows: { readonly condition: string; readonly isFiltered: boolean },
  parameters: readonly PostgresValue[],
  limit: number,
): Promise<readonly { child: number; cosine: number }[]> {
  const limited = `$${parameters.length + 1}::bigint`
  const search = (distance: string): Promise<readonly (readonly unknown[])[]> =>
    session.rows(
      `select child, -distance from (
         select child, ${distance} as distance from ${session.schema}.child_vector
         where ${session.isRead} and embedding = ${embedding} and ${rows.condition}
         order by ${distance} limit ${limited}
       ) as nearest order by distance, child`,
      [...parameters, String(limit)],
    )
  // Beside many other workspaces the planner expects too few rows of this one, and would rather compare and sort them all. With a filter
  // that may be right.
  await session.set({ ...searchSettings(limit), enable_sort: rows.isFiltered ? 'on' : 'off' })
  const vector = `(vector::halfvec(${dimensions}))`
  const found = await search(`${vector} <#> $2::halfvec(${dimensions})`)
  await session.set({ enable_sort: 'on' })
  const nearest = found.length >= limit ? found : await search('vector <#> $2::halfvec')
  return nearest.map(([child, cosine]) => ({ child: Number(child), cosine: Number(cosine) }))
}

/** The embeddings of the workspaces read that have an index which is ready. */
export async function vectorIndexes(session: Session): Promise<ReadonlyMap<number, VectorIndex>> {
  const rows = await session.rows(
    `select relname from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = $1::regclass and indisvalid and relname like 'child\\_vector\\_near\\_%'`,
    [`${session.schema}.child_vector`],
  )
  const indexes = rows.flatMap(([name]) => {
    const [, embedding, dimensions] = indexName.exec(name as string) ?? []
    return embedding === undefined ? [] : [{ embedding: Number(embedding), dimensions: Number(dimensions) }]
  })
  return new Map(indexes.map((index) => [index.embedding, index]))
}

/**
 * Builds the index of one embedding beside running reads and writes, unless it is there or there are as many as may be.
 *
 * A build that was broken off leaves an index that is not used; it is dropped and built again. The index is marked as the workspace's:
 * when the embedding is forgotten, nothing else tells whose it was.
 */
export async function buildVectorIndex(
  connection: PostgresConnection,
  schema: string,
  index: VectorIndex,
  { workspace, most }: { readonly workspace: string; readonly most: number },
): Promise<void> {
  const { embedding, dimensions } = index
  if (dimensions > mostIndexedDimensions) return
  const name = vectorIndexName(index)
  const state = await runStatement(
    connection,
    `select (select count(*) from pg_class where relnamespace = '${schema}'::regnamespace and relname like 'child\\_vector\\_near\\_%'),
              (select indisvalid from pg_index where indexrelid = to_regclass('${schema}.${name}'))`,
  )
  const [count, valid] = state.rows[0] ?? []
  if (valid === false) await runStatement(connection, `drop index concurrently if exists ${schema}.${name}`)
  if (valid !== true) {
    if (Number(count) - (valid === false ? 1 : 0) >= most) return
    await runStatement(
      connection,
      `create index concurrently if not exists ${name} on ${schema}.child_vector
       using hnsw ((vector::halfvec(${dimensions})) halfvec_ip_ops)
       with (m = ${build.links}, ef_construction = ${build.candidates}) where embedding = ${embedding}`,
    )
  }
  await runStatement(connection, `comment on index ${schema}.${name} is '${markOf(workspace)}'`)
}

/** Drops the indexes of a workspace's embeddings that are no longer there. They hold no rows that are read, but every write looks at them. */
export async function dropForgottenIndexes(
  connection: PostgresConnection,
  schema: string,
  workspace: string,
  embeddings: ReadonlySet<number>,
): Promise<void> {
  const { rows } = await runStatement(
    connection,
    `select relname from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = '${schema}.child_vector'::regclass and obj_description(indexrelid, 'pg_class') = '${markOf(workspace)}'`,
  )
  for (const [name] of rows) {
    const [, embedding] = indexName.exec(name as string) ?? []
    if (embedding !== undefined && !embeddings.has(Number(embedding)))
      await runStatement(connection, `drop index concurrently if exists ${schema}.${name as string}`)
  }
}

/** The workspace in a form that can stand in a statement. */
function markOf(workspace: string): string {
  return `ashlar workspace ${Buffer.from(idHash(workspace)).toString('hex')}`
}
