import { afterAll, describe, expect, test } from 'vitest'
import type { RowBatch } from '../../src/store/engine.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { PostgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { openTestDatabase, rowsOf, type TestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()

afterAll(async () => database?.[Symbol.asyncDispose]())

const dimensions = 16
const fields = { kind: 'string' } as const

/** Unit vectors that are the same in every run. */
function vectors(count: number, seed: number): Float32Array[] {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296 - 0.5
  }
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, next)
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  })
}

describe.skipIf(database === undefined)('the index of a large workspace', () => {
  const there = database as TestDatabase
  const schema = 'indexed'
  const workspaces = { large: 3_000, other: 300, small: 7 } as const
  const keys = new Map<string, { embedding: number; first: number }>()

  function open(workspace: string, alsoRead: readonly string[], indexFrom: number, mostIndexes = 100): PostgresEngine {
    return new PostgresEngine({ pool, scope: { workspace, alsoRead, fields }, schema, indexFrom, mostIndexes, ownsPool: false })
  }
  const pool = there?.connect()

  const indexes = (): Promise<unknown[][]> =>
    rowsOf(pool, `select indexdef from pg_indexes where schemaname = '${schema}' and indexdef like '%hnsw%' order by 1`)

  async function fill(workspace: keyof typeof workspaces): Promise<void> {
    const count = workspaces[workspace]
    await open(workspace, [], 1).write(async (writer) => {
      await writer.lock('embeddings')
      const embedding = await writer.takeKeys(count + 11)
      await writer.addEmbedding(embedding, { model: 'm', dimensions } as Parameters<typeof writer.addEmbedding>[1])
      await writer.useEmbedding(embedding)
      const document = (at: number): number => embedding + 1 + (at % 10)
      const first = embedding + 11
      keys.set(workspace, { embedding, first })
      const nothing = new Uint8Array(0)
      const batch: RowBatch = {
        // One in ten documents is of another kind.
        documents: Array.from({ length: 10 }, (_, at) => ({
          key: document(at),
          workspace,
          id: `document ${at}`,
          title: '',
          format: '',
          metadata: { kind: at === 0 ? 'rare' : 'usual' },
          length: 1,
          children: 1,
          contentHash: '',
          version: document(at),
          notes: 0,
          layout: nothing,
          fingerprints: nothing,
        })),
        vectors: vectors(count, count).map((vector, at) => ({
          embedding,
          child: first + at,
          document: document(at),
          contentKey: String(at),
          vector,
        })),
        parents: [],
        windows: [],
        notes: [],
        segments: [],
        tombstones: [],
        gone: { documents: [], parents: [], children: [], notes: [], windows: [], segments: [] },
      }
      await writer.write(batch)
    })
  }

  test('is built by maintain, and finds nearly all, never fewer than there are', { timeout: 120_000 }, async () => {
    await migrate(pool, schema, true)
    for (const workspace of ['large', 'other', 'small'] as const) await fill(workspace)
    const exact = open('large', ['other', 'small'], Number.POSITIVE_INFINITY)
    expect(exact.supports.exactVectors).toBe(true)
    const indexed = open('large', ['other', 'small'], 1_000)
    expect(indexed.supports.exactVectors).toBe(false)
    await exact.maintain()
    await open('other', [], 1_000).maintain()
    expect(await indexes()).toEqual([])
    await open('large', [], 1_000, 0).maintain()
    expect(await indexes()).toEqual([])
    await indexed.maintain()
    await indexed.maintain()
    const { embedding } = keys.get('large') as { embedding: number }
    expect(await indexes()).toEqual([[expect.stringContaining(`(embedding = ${embedding})`)]])

    const all = [...keys.values()].map((one) => one.embedding)
    let found = 0
    let wanted = 0
    for (const query of vectors(20, 99)) {
      for (const [embeddings, limit, kind] of [
        [[embedding], 10, undefined],
        [all, 50, undefined],
        [all, 50, 'rare'],
        [[embedding], 400, 'rare'],
      ] as const) {
        const where = kind === undefined ? undefined : ({ op: 'equal', field: 'kind', value: kind } as const)
        const right = await exact.read((reader) => reader.nearest(embeddings, query, limit, where))
        const answer = await indexed.read((reader) => reader.nearest(embeddings, query, limit, where))
        expect(answer.length).toBe(right.length)
        const cosines = answer.map(({ cosine }) => cosine)
        expect(cosines).toEqual([...cosines].sort((one, two) => two - one))
        const children = new Set(answer.map(({ child }) => child))
        found += right.filter(({ child }) => children.has(child)).length
        wanted += right.length
      }
    }
    expect(found / wanted).toBeGreaterThanOrEqual(0.97)
    // Searches without a filter went through it; the server tells a second later, and only when asked again.
    const scans = async (): Promise<number> => {
      await indexed.read((reader) => reader.segments())
      const rows = await rowsOf(pool, `select idx_scan from pg_stat_user_indexes where indexrelname like 'child_vector_near%'`)
      return Number(rows[0]?.[0] ?? 0)
    }
    await expect.poll(scans, { timeout: 20_000, interval: 500 }).toBeGreaterThanOrEqual(40)
  })

  test('is used for its own workspace alone', async () => {
    const { embedding } = keys.get('other') as { embedding: number }
    const [query] = vectors(1, 5) as [Float32Array]
    const plan = async (of: number): Promise<string> => {
      const rows = await rowsOf(
        pool,
        `explain select child from ${schema}.child_vector where embedding = ${of}
         order by (vector::halfvec(${dimensions})) <#> '[${query.join()}]'::halfvec(${dimensions}) limit 5`,
      )
      return rows.join('\n')
    }
    expect(await plan(embedding)).not.toContain('child_vector_near')
    expect(await plan((keys.get('large') as { embedding: number }).embedding)).toContain('child_vector_near')
  })

  test('goes with its embedding, and not by the hand of another workspace', { timeout: 60_000 }, async () => {
    const { embedding } = keys.get('large') as { embedding: number }
    await open('large', [], 1_000).write((writer) => writer.forgetEmbedding(embedding))
    await open('other', [], 1_000).maintain()
    expect(await indexes()).toHaveLength(1)
    await open('large', [], 1_000).maintain()
    expect(await indexes()).toEqual([])
  })
})
