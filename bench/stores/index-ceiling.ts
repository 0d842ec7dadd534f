import { postgresStore } from 'ashlar/postgres'
import type { StoredDocument } from 'ashlar/stores'
import type pg from 'pg'
import { sampleDocument, sampleIdentity, sampleVector } from '../../packages/ashlar/src/testing/store-samples.ts'
import { cpuOfProcess } from './process-cpu.ts'

/** What so many indexes of other workspaces cost a workspace that has none. CPU milliseconds of the server. */
export interface CeilingCost {
  readonly indexes: number
  /** Of one query. */
  readonly query: number
  /** Of one document with 20 vectors. */
  readonly put: number
  /** What `explain` says of planning a search alone, the median. */
  readonly planning: number
}

/**
 * Measures a small workspace in a schema with rising numbers of indexes of other workspaces: every plan looks at each of them, and so does
 * every vector that is written.
 */
export async function indexCeiling(pool: pg.Pool, counts: readonly number[], rounds: number): Promise<readonly CeilingCost[]> {
  const schema = 'ceiling'
  const dimensions = 256
  const identity = sampleIdentity('ceiling', dimensions)
  const text = Array.from({ length: 20 }, (_, at) => `line ${at} of a small document`).join('\n')
  const document = (id: string): StoredDocument => sampleDocument(id, text, [identity])
  await using store = await postgresStore(pool, { workspace: 'small' }, { schema })
  await store.put(Array.from({ length: 50 }, (_, at) => document(`document ${at}`)))
  // What is put goes elsewhere: the workspace that is searched must not grow from one count of indexes to the next.
  await using written = await postgresStore(pool, { workspace: 'written' }, { schema })
  const backend = Number((await pool.query('select pg_backend_pid() as pid')).rows[0]?.pid)
  const values = sampleVector('line of a document', identity)
  const costOf = async (work: (round: number) => Promise<unknown>): Promise<number> => {
    await work(-1)
    const before = cpuOfProcess(backend)
    for (let round = 0; round < rounds; round++) await work(round)
    return (cpuOfProcess(backend) - before) / rounds
  }
  const costs: CeilingCost[] = []
  let made = 0
  for (const indexes of counts) {
    for (; made < indexes; made++) {
      const other = 1_000_000_000 + made
      await pool.query(
        `create index child_vector_near_${other}_${dimensions} on ${schema}.child_vector
         using hnsw ((vector::halfvec(${dimensions})) halfvec_ip_ops) where embedding = ${other}`,
      )
    }
    const query = await costOf(() => store.nominate({ vector: { identity, values, limit: 10 } }))
    const put = await costOf((round) => written.put([document(`new ${indexes} ${round}`)]))
    costs.push({ indexes, query, put, planning: await planningTime(pool, schema, values) })
  }
  await pool.query(`drop schema ${schema} cascade`)
  return costs
}

async function planningTime(pool: pg.Pool, schema: string, values: Float32Array): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 21; round++) {
    const { rows } = await pool.query(
      `explain (summary, format json) select child from ${schema}.child_vector
       where workspace = any('{small}'::text[]) and embedding = any('{1}'::bigint[]) order by vector <#> '[${values.join()}]'::halfvec, child limit 10`,
    )
    const [plan] = (rows[0]?.['QUERY PLAN'] ?? []) as readonly { readonly 'Planning Time': number }[]
    times.push(plan?.['Planning Time'] ?? Number.NaN)
  }
  return times.sort((one, other) => one - other)[10] as number
}
