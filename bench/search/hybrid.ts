import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'ashlar'
import type { Embedder } from 'ashlar/models'
import { postgresStore } from 'ashlar/postgres'
import { sqliteStore } from 'ashlar/sqlite'
import type { Store } from 'ashlar/stores'
import { lateIdentity, lateQuery } from 'ashlar/vectors'
import { childrenOf, startPostgres } from '../../scripts/postgres.ts'
import { type Bench, type BenchOptions, type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { type Candidate, interleave, processTime } from '../harness/interleave.ts'
import { conversationTrees } from '../inputs/conversation-trees.ts'
import { openStaticModel } from '../provider/static-model.ts'
import { cpuOfProcess } from '../stores/process-cpu.ts'
import { remembering, withTokens } from './late-corpus.ts'
import { type HybridLevels, type HybridQuestion, plainHybrid } from './plain-hybrid.ts'
import { signModel } from './sign-model.ts'

/**
 * What a search of the library costs over the hybrid search that a team writes on the same store: `library.search` as it is called, beside
 * vectors and words nominated by the same engine with the same limits, fused by reciprocal rank, and the texts of the first ten.
 *
 * Both get the question's vector from memory. Times are CPU times of this process and, for PostgreSQL, of the server with all its processes.
 */
export const hybrid: Bench = {
  summary: 'library.search at 10^5 children beside the hybrid of vectors and words that a team writes on the same store',
  run,
}

const workspace = 'bench'
const documentsAtOnce = 20
/** The bar; the goal is 1.3. */
const most = '<= 2'

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  progress.step('reading and cutting')
  const { trees, questions, source } = conversationTrees(quick ? 3_000 : 100_000, quick ? 15 : 40)
  const children = trees.reduce((sum, tree) => sum + tree.children.length, 0)
  const table = openStaticModel()
  const models: Readonly<Record<string, Embedder>> = { 'token ids': table, 'sign bits': signModel(table) }
  const figures: Figure[] = [figure('children', children, 'children')]
  const rows: (string | number)[][] = []

  const judge = async (engine: string, states: string, store: Store, server: () => number): Promise<void> => {
    const model = models[states]!
    for (let from = 0; from < trees.length; from += documentsAtOnce) {
      progress.step(`${engine}, ${states}: storing`, from, trees.length)
      await store.put(await Promise.all(trees.slice(from, from + documentsAtOnce).map((tree) => withTokens(tree, model))))
    }
    await store.maintain()
    const timings = await interleave(await candidates(store, model, questions), {
      rounds: quick ? 3 : 9,
      progress,
      warmUp: quick ? 500 : 4_000,
      clock: () => processTime() + server(),
    })
    const [library, plain, allLevels] = timings.map(({ cpu }) => cpu / questions.length) as [number, number, number]
    figures.push(
      figure(`${engine}, ${states}: search over hybrid, CPU`, library / plain, 'x', quick ? null : most),
      figure(`${engine}, ${states}: search, CPU of a query`, library, 'ms'),
      figure(`${engine}, ${states}: hybrid, CPU of a query`, plain, 'ms'),
      figure(`${engine}, ${states}: hybrid with words of all levels, CPU of a query`, allLevels, 'ms'),
    )
    rows.push([engine, states, ...[library, plain, allLevels].map((ms) => ms.toFixed(1)), (library / plain).toFixed(2)])
  }

  for (const states of Object.keys(models)) {
    const home = mkdtempSync(join(tmpdir(), 'ashlar-hybrid-'))
    try {
      await using store = await sqliteStore(join(home, 'hybrid.db'), { workspace }, { survives: 'process' })
      await judge('SQLite', states, store, () => 0)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
  for (const states of Object.keys(models)) {
    const server = await startPostgres()
    try {
      await using store = await postgresStore(server.url, { workspace }, { connections: 2 })
      await judge('PostgreSQL', states, store, () => childrenOf(server.pid).reduce((sum, id) => sum + (cpuOfProcess(id) || 0), 0))
    } finally {
      await server.stop()
    }
  }
  return {
    figures,
    table: {
      title: `A question to ${children.toLocaleString('en')} children, CPU milliseconds`,
      columns: ['engine', 'token states', 'library.search', 'hybrid', 'hybrid, words of all levels', 'search over hybrid'],
      rows,
    },
    notes: [
      `Texts: ${source}, ${trees.length} documents, ${questions.length} questions. Token ids: potion-base-8M, 256 dimensions. Sign bits: the same vectors in MiniLM's 384 dimensions, 48 bytes a token.`,
      'Hybrid: 100 children by vector and 100 by words without stop words, reciprocal rank, texts of the best 10: no token states, no parents or sections, no places, no matches.',
    ],
  }
}

/** All questions in turn, by the library and by the two hybrids. */
async function candidates(store: Store, model: Embedder, texts: readonly string[]): Promise<Candidate[]> {
  const embedder = remembering(model)
  const library = await open({ store, embedder })
  const identity = lateIdentity({ embedder })
  const questions: HybridQuestion[] = []
  for (const text of texts) questions.push({ text, vector: (await lateQuery(text, { embedder })).vector })
  const ask = (levels: HybridLevels) => async (): Promise<number> => {
    let characters = 0
    for (const question of questions)
      for (const text of await plainHybrid(store, identity, question, levels)) characters += text.length
    return characters
  }
  const search = async (): Promise<number> => {
    let characters = 0
    for (const text of texts) for (const hit of (await library.search(text)).hits) characters += hit.text.length
    return characters
  }
  return [
    { name: 'library.search', run: search },
    { name: 'hybrid', run: ask('children') },
    { name: 'hybrid, words of all levels', run: ask('all levels') },
  ]
}
