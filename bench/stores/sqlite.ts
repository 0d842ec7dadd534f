import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from 'ashlar/sqlite'
import { analyseQuery, type NominationQuery, type Store } from 'ashlar/stores'
import { type Bench, type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { interleave } from '../harness/interleave.ts'
import { conversationTrees } from '../inputs/conversation-trees.ts'
import { loadPeer } from '../peers/load.ts'
import { openStaticModel, vectorsOf } from '../provider/static-model.ts'

export const sqlite: Bench = {
  summary: 'the two legs of a SQLite store beside what SQLite has for them: codes and sqlite-vec, segments and FTS5',
  run,
}

const nearest = 10
const nominated = 100

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const home = mkdtempSync(join(tmpdir(), 'ashlar-sqlite-'))
  try {
    progress.step('reading and cutting')
    const { trees, questions, source } = conversationTrees(quick ? 10_000 : 100_000, quick ? 20 : 50)
    const queries = await vectorsOf(questions)
    const identity = openStaticModel().identity
    const path = join(home, 'store.db')
    await using store = await sqliteStore(path, { workspace: 'bench' }, { survives: 'process' })
    const peer = await openPeer(join(home, 'peer.db'))
    let children = 0
    const spent = { store: 0, vec: 0, fts: 0 }
    for (const [at, tree] of trees.entries()) {
      progress.step('writing', at, trees.length)
      const texts = tree.children.map(({ text }) => text)
      const vectors = await vectorsOf(texts)
      const contentKeys = tree.children.map(({ id }) => id)
      spent.store += await cpuOf(() => store.put([{ tree, embeddings: [{ identity, vectors, contentKeys }] }]))
      spent.vec += await cpuOf(() => peer.addVectors(children, vectors))
      spent.fts += await cpuOf(() => peer.addTexts(children, texts))
      children += texts.length
    }
    await store.maintain()
    progress.step('comparing what is found')
    const recall = await recallOf(store, peer, queries, identity)
    const words = questions.map((question) => analyseQuery(question))
    const limits = { child: nominated, parent: 0, section: 0, document: 0 }
    const nominate = async (query: NominationQuery): Promise<number> => (await store.nominate(query)).children.length
    const timings = await interleave(
      [
        {
          name: 'codes, then exact',
          run: () => sum(queries, (values) => nominate({ vector: { identity, values, limit: nearest } })),
        },
        { name: 'sqlite-vec, exact', run: () => sum(queries, async (values) => peer.nearest(values).length) },
        {
          name: 'segments, words',
          run: () => sum(words, (terms) => nominate({ terms: { terms: terms.filter(({ weight }) => weight === 1), limits } })),
        },
        { name: 'segments, words and parts of words', run: () => sum(words, (terms) => nominate({ terms: { terms, limits } })) },
        { name: 'FTS5, words', run: () => sum(questions, async (question) => peer.matching(question).length) },
      ],
      { rounds: quick ? 3 : 5, progress },
    )
    const time = (name: string): number => (timings.find((timing) => timing.name === name)?.cpu ?? Number.NaN) / questions.length
    const bytes = statSync(path).size / children
    peer.close()
    return {
      figures: [
        figure('children', children, 'children'),
        figure(`vector leg: recall@${nearest} of exact`, recall, '', '>= 0.99'),
        figure('vector leg: time of exact', time('codes, then exact') / time('sqlite-vec, exact'), 'x'),
        figure('lexical leg, the same words: time of FTS5', time('segments, words') / time('FTS5, words'), 'x', '<= 1'),
        figure('put', (1000 * spent.store) / children, 'µs a child'),
        figure('file', bytes, 'bytes a child'),
      ],
      table: {
        title: `${children} children, ${questions.length} questions, CPU time of one query`,
        columns: ['', 'ms'],
        rows: [
          ...timings.map(({ name }) => [name, time(name).toFixed(2)]),
          ['put, a child', (spent.store / children).toFixed(3)],
          ['sqlite-vec insert, a child', (spent.vec / children).toFixed(3)],
          ['FTS5 insert, a child', (spent.fts / children).toFixed(3)],
        ],
      },
      notes: [
        `Texts: ${source}; vectors: potion-base-8M, 256 dimensions. The store's times include the snapshot, the exact lexical scores of what it nominates and the document frequencies of the query; the peers give keys alone.`,
      ],
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Share of the truly nearest that the store returns. Cosines are compared and not keys: equal texts have equal ones. */
async function recallOf(
  store: Store,
  peer: Peer,
  queries: readonly Float32Array[],
  identity: ReturnType<typeof openStaticModel>['identity'],
): Promise<number> {
  let found = 0
  for (const values of queries) {
    const { children } = await store.nominate({ vector: { identity, values, limit: nearest } })
    const cosines = children.map(({ cosine = 0 }) => cosine).sort((one, other) => other - one)
    const exact = peer.nearest(values)
    const least = exact.at(-1) ?? 0
    found += cosines.filter((cosine) => cosine >= least - 1e-5).length / exact.length
  }
  return found / queries.length
}

interface Peer {
  addVectors(first: number, vectors: readonly Float32Array[]): void
  addTexts(first: number, texts: readonly string[]): void
  /** Cosines of the nearest, the highest first. */
  nearest(vector: Float32Array): readonly number[]
  matching(question: string): readonly unknown[]
  close(): void
}

async function openPeer(path: string): Promise<Peer> {
  const { load } = await loadPeer<{ load(database: DatabaseSync): void }>('sqlite-vec')
  const database = new DatabaseSync(path, { allowExtension: true })
  load(database)
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 2000000000;
    CREATE VIRTUAL TABLE vector USING vec0 (child INTEGER PRIMARY KEY, vector FLOAT[256] distance_metric=cosine);
    CREATE VIRTUAL TABLE passage USING fts5 (text, content='', contentless_delete=1);
  `)
  const addVector = database.prepare('INSERT INTO vector (child, vector) VALUES (?, ?)')
  const addText = database.prepare('INSERT INTO passage (rowid, text) VALUES (?, ?)')
  const nearestTo = database.prepare('SELECT distance FROM vector WHERE vector MATCH ? AND k = ? ORDER BY distance')
  const matching = database.prepare('SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY bm25(passage) LIMIT ?')
  const bytesOf = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  const together = (work: () => void): void => {
    database.exec('BEGIN')
    work()
    database.exec('COMMIT')
  }
  return {
    addVectors: (first, vectors) =>
      together(() => {
        for (const [at, vector] of vectors.entries()) addVector.run(BigInt(first + at + 1), bytesOf(vector))
      }),
    addTexts: (first, texts) =>
      together(() => {
        for (const [at, text] of texts.entries()) addText.run(first + at + 1, text)
      }),
    nearest: (vector) => nearestTo.all(bytesOf(vector), nearest).map((row) => 1 - Number(row['distance'])),
    matching(question) {
      const words = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      return matching.all(Array.from(words, (word) => `"${word}"`).join(' OR '), nominated)
    },
    close: () => database.close(),
  }
}

async function sum<Item>(items: readonly Item[], work: (item: Item) => Promise<number>): Promise<number> {
  let total = 0
  for (const item of items) total += await work(item)
  return total
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
