import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { localEmbedder } from 'ashlar/local'
import { postgresStore } from 'ashlar/postgres'
import { sqliteStore } from 'ashlar/sqlite'
import { analyseQuery, memoryStore, type Store, type StoredDocument } from 'ashlar/stores'
import { buildTree } from 'ashlar/tree'
import { embedLate } from 'ashlar/vectors'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.ts'
import { modelFolder } from '../inputs/model-folder.ts'
import { loadPeer } from '../peers/load.ts'
import { openStaticModel } from '../provider/static-model.ts'
import { growingText } from './growing-text.ts'

export type EngineName = 'memory' | 'sqlite' | 'postgres'

/** One engine, grown from size to size in a process of its own. */
export interface GrowthStoresJob {
  readonly engine: EngineName
  /** Children, rising. */
  readonly sizes: readonly number[]
  readonly questions: number
  readonly rounds: number
  /** When to stop growing, in milliseconds since 1970: what was reached by then is measured. */
  readonly until: number
}

/** What was measured at one size. CPU time, that of the server included. */
export interface GrowthPoint {
  readonly children: number
  /** All writes since the store was empty, merges included, by child. Microseconds. */
  readonly write: number
  /** One query. Milliseconds. */
  readonly vector: number
  readonly words: number
  /** Bytes on disk a child by part; none where nothing is on disk. */
  readonly bytes: Readonly<Record<string, number>>
}

export interface GrowthStoresResult {
  readonly engine: EngineName
  readonly points: readonly GrowthPoint[]
  /** Sizes for which the time did not suffice. */
  readonly missing: readonly number[]
  /** PostgreSQL: writing a child into an indexed embedding by writing one before it had the index, and the build, µs a vector. */
  readonly indexed?: { readonly children: number; readonly ratio: number; readonly build: number }
  /** SQLite at the last size: the nearest by codes beside exact search with sqlite-vec. */
  readonly exact?: { readonly recall: number; readonly ratio: number; readonly ms: number }
  /** SQLite: bytes a child of token states, of a sample; the same on every engine. */
  readonly states?: number
}

const nearest = 10
const limits = { child: 100, parent: 100, section: 20, document: 20 }
/** Children that are written in one transaction, at least. */
const batchSize = 2000

/** Grows one store. */
export async function work({ engine, sizes, questions: asked, rounds, until }: GrowthStoresJob): Promise<GrowthStoresResult> {
  await using host = await openHost(engine)
  const model = openStaticModel()
  const text = growingText()
  const step = Math.max(1, Math.floor(text.questions.length / asked))
  const questions = text.questions.filter((_, at) => at % step === 0).slice(0, asked)
  const vectors = (await model.embed(questions, { as: 'query' })).vectors
  const batches = batchesOf(text.documents(12_000), model)
  const last = sizes.at(-1) ?? 0

  async function queryTimes(store: Store): Promise<{ readonly vector: number; readonly words: number }> {
    const best = { vector: Number.POSITIVE_INFINITY, words: Number.POSITIVE_INFINITY }
    for (let round = 0; round <= rounds; round++) {
      const vector = await host.cpu(async () => {
        for (const values of vectors) await store.nominate({ vector: { identity: model.identity, values, limit: nearest } })
      })
      const words = await host.cpu(async () => {
        for (const question of questions) await store.nominate({ terms: { terms: analyseQuery(question), limits } })
      })
      // The first round fills caches.
      if (round === 0) continue
      best.vector = Math.min(best.vector, vector / questions.length)
      best.words = Math.min(best.words, words / questions.length)
    }
    return best
  }

  // What is compiled on the way must not count for the smallest size.
  const warm = await host.open('warm')
  for (let written = 0; written < Math.min(6_000, last / 2); ) {
    const { documents, children } = await nextOf(batches)
    await warm.put(documents)
    written += children
  }
  await queryTimes(warm)
  await warm.close()
  await host.forget?.()

  const store = await host.open('growth')
  const points: GrowthPoint[] = []
  let indexed: GrowthStoresResult['indexed']
  let exact: GrowthStoresResult['exact']
  let children = 0
  let spent = 0
  const peer = engine === 'sqlite' ? await openExact() : undefined
  const isLate = (): boolean => Date.now() > until
  for (const size of sizes) {
    // At the first size there has to be something.
    while (children < size && (!isLate() || points.length === 0)) {
      const batch = await nextOf(batches)
      spent += await host.cpu(() => store.put(batch.documents))
      children += batch.children
      peer?.add(batch.documents)
    }
    // A size a little above the last would tell nothing.
    if (children < size && children < 1.5 * (points.at(-1)?.children ?? 0)) break
    const tended = await host.cpu(() => store.maintain())
    const times = await queryTimes(store)
    points.push({ children, write: (1000 * (spent + tended)) / children, ...times, bytes: await host.bytes(children) })
    spent += tended
    if (engine === 'postgres' && size === sizes.at(-2) && !isLate()) {
      const plain = await nextOf(batches)
      const before = (await host.cpu(() => store.put(plain.documents))) / plain.children
      const owner = await host.open('growth', 0)
      const build = await host.cpu(() => owner.maintain())
      const more = await nextOf(batches)
      const after = (await host.cpu(() => owner.put(more.documents))) / more.children
      await owner.close()
      await host.dropIndexes?.()
      indexed = { children, ratio: after / before, build: (1000 * build) / children }
      children += plain.children + more.children
      spent += before * (plain.children + more.children)
    }
    if (peer !== undefined && (size === last || isLate())) {
      let found = 0
      for (const values of vectors) {
        const answer = await store.nominate({ vector: { identity: model.identity, values, limit: nearest } })
        const least = peer.nearest(values).at(-1) ?? 0
        found += answer.children.filter(({ cosine = 0 }) => cosine >= least - 1e-5).length / nearest
      }
      let ms = Number.POSITIVE_INFINITY
      for (let round = 0; round < Math.min(2, rounds); round++) {
        const spentExact = await host.cpu(async () => {
          for (const values of vectors) peer.nearest(values)
        })
        ms = Math.min(ms, spentExact / vectors.length)
      }
      exact = { recall: found / vectors.length, ratio: times.vector / ms, ms }
    }
    if (isLate()) break
  }
  peer?.close()
  await store.close()
  const states = engine === 'sqlite' ? await sampleStates() : undefined
  const missing = sizes.filter((size) => points.every((point) => point.children < size))
  return {
    engine,
    points,
    missing,
    ...(states !== undefined && { states }),
    ...(indexed && { indexed }),
    ...(exact && { exact }),
  }
}

interface Batch {
  readonly documents: readonly StoredDocument[]
  readonly children: number
}

async function* batchesOf(texts: Generator<string>, model: ReturnType<typeof openStaticModel>): AsyncGenerator<Batch> {
  let number = 0
  for (;;) {
    const documents: StoredDocument[] = []
    let children = 0
    while (children < batchSize) {
      const tree = buildTree(texts.next().value as string, { document: `d${number++}` })
      const vectors: Float32Array[] = []
      const pieces = tree.children.map(({ text }) => text)
      for (let from = 0; from < pieces.length; from += model.maxBatch)
        vectors.push(...(await model.embed(pieces.slice(from, from + model.maxBatch), { as: 'document' })).vectors)
      const contentKeys = tree.children.map(({ id }) => id)
      documents.push({ tree, embeddings: [{ identity: model.identity, vectors, contentKeys }] })
      children += tree.children.length
    }
    yield { documents, children }
  }
}

async function nextOf(batches: AsyncGenerator<Batch>): Promise<Batch> {
  return (await batches.next()).value as Batch
}

/** Where an engine keeps its data, and what it costs. */
interface Host extends AsyncDisposable {
  /** `indexFrom` is for PostgreSQL. */
  open(workspace: string, indexFrom?: number): Promise<Store>
  /** Milliseconds of CPU that work takes, here and in the server. */
  cpu(work: () => Promise<unknown>): Promise<number>
  bytes(children: number): Promise<Readonly<Record<string, number>>>
  /** Deletes what the warm-up wrote. */
  forget?(): Promise<void>
  dropIndexes?(): Promise<void>
}

async function openHost(engine: EngineName): Promise<Host> {
  const own = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  if (engine === 'memory') {
    return {
      open: (workspace) => Promise.resolve(memoryStore({ workspace })),
      cpu: own,
      bytes: () => Promise.resolve({}),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  }
  if (engine === 'sqlite') {
    const home = mkdtempSync(join(tmpdir(), 'ashlar-growth-'))
    const path = (workspace: string): string => join(home, `${workspace}.db`)
    return {
      open: (workspace) => sqliteStore(path(workspace), { workspace }, { survives: 'process' }),
      cpu: own,
      bytes(children) {
        const database = new DatabaseSync(path('growth'), { readOnly: true })
        // Indexes are called after their tables.
        const rows = database.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all()
        database.close()
        return Promise.resolve(
          partsOf(
            rows.map((row) => [String(row['name']), Number(row['bytes'])]),
            children,
          ),
        )
      },
      [Symbol.asyncDispose]: () => Promise.resolve(rmSync(home, { recursive: true, force: true })),
    }
  }
  const server = await startPostgres()
  const pool = new pg.Pool({ connectionString: server.url })
  pool.on('error', () => {})
  return {
    open: (workspace, indexFrom = Number.POSITIVE_INFINITY) =>
      postgresStore(server.url, { workspace }, { indexFrom, connections: 2 }),
    async cpu(work) {
      const before = serverTime(server.pid)
      const here = await own(work)
      return here + serverTime(server.pid) - before
    },
    async bytes(children) {
      const { rows } = await pool.query(
        `select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relnamespace = 'ashlar'::regnamespace and relkind = 'r'`,
      )
      return partsOf(
        rows.map((row: Record<string, unknown>) => [String(row['name']), Number(row['bytes'])]),
        children,
      )
    },
    async forget() {
      await pool.query('drop schema ashlar cascade')
    },
    async dropIndexes() {
      const { rows } = await pool.query(
        `select indexrelid::regclass::text as name from pg_index where indexrelid::regclass::text like '%child_vector_near%'`,
      )
      for (const row of rows as readonly Record<string, unknown>[]) await pool.query(`drop index ${String(row['name'])}`)
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      await server.stop()
    },
  }
}

/** Milliseconds of CPU of a server's processes, those that have ended included. */
function serverTime(main: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      if (Number(name) !== main && Number(fields[1]) !== main) continue
      ticks += Number(fields[11]) + Number(fields[12])
      if (Number(name) === main) ticks += Number(fields[13]) + Number(fields[14])
    } catch {
      // It ended just now.
    }
  }
  return ticks * 10
}

const parts: readonly (readonly [string, RegExp])[] = [
  ['text', /^(sqlite_autoindex_)?parent/],
  ['vectors', /^(sqlite_autoindex_)?(vector|child_vector|code_block)/],
  ['postings', /^(sqlite_autoindex_)?(segment|tombstone)/],
  ['token states', /^(sqlite_autoindex_)?(window|token_window)/],
  ['documents and the rest', /./],
]

function partsOf(tables: readonly (readonly [string, number])[], children: number): Record<string, number> {
  const sums: Record<string, number> = Object.fromEntries(parts.map(([name]) => [name, 0]))
  for (const [table, bytes] of tables) {
    const [name] = parts.find(([, pattern]) => pattern.test(table)) ?? ['documents and the rest']
    sums[name] = (sums[name] ?? 0) + bytes / children
  }
  return sums
}

/** Exact search with sqlite-vec over the same vectors. */
async function openExact(): Promise<{
  add(documents: readonly StoredDocument[]): void
  nearest(vector: Float32Array): readonly number[]
  close(): void
}> {
  const { load } = await loadPeer<{ load(database: DatabaseSync): void }>('sqlite-vec')
  const home = mkdtempSync(join(tmpdir(), 'ashlar-growth-exact-'))
  const database = new DatabaseSync(join(home, 'exact.db'), { allowExtension: true })
  load(database)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA mmap_size = 4000000000;
    CREATE VIRTUAL TABLE vector USING vec0 (child INTEGER PRIMARY KEY, vector FLOAT[256] distance_metric=cosine)`)
  const insert = database.prepare('INSERT INTO vector (child, vector) VALUES (?, ?)')
  const select = database.prepare('SELECT distance FROM vector WHERE vector MATCH ? AND k = ? ORDER BY distance')
  const bytesOf = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  let next = 1n
  return {
    add(documents) {
      database.exec('BEGIN')
      for (const { embeddings = [] } of documents)
        for (const { vectors } of embeddings)
          for (const vector of vectors) if (vector !== undefined) insert.run(next++, bytesOf(vector))
      database.exec('COMMIT')
    },
    nearest: (vector) => select.all(bytesOf(vector), nearest).map((row) => 1 - Number(row['distance'])),
    close() {
      database.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Bytes a child of the token states of a document: a static model has none, so these are MiniLM's. */
async function sampleStates(): Promise<number> {
  await using embedder = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
  const tree = buildTree(growingText().documents(12_000).next().value as string, { document: 'sample' })
  let bytes = 0
  for await (const { blob } of embedLate(tree, { embedder, tooLong: 'split' })) bytes += blob.length
  return bytes / tree.children.length
}
