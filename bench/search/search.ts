import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEmbedder } from 'ashlar/local'
import type { Embedder } from 'ashlar/models'
import { postgresStore } from 'ashlar/postgres'
import { type SearchOptions, search as searchStore } from 'ashlar/search'
import { sqliteStore } from 'ashlar/sqlite'
import type { Store } from 'ashlar/stores'
import type { Tree } from 'ashlar/tree'
import { lateQuery } from 'ashlar/vectors'
import { childrenOf, startPostgres } from '../../scripts/postgres.ts'
import { type Bench, type BenchOptions, type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { collectGarbage } from '../harness/collect-garbage.ts'
import { processTime } from '../harness/interleave.ts'
import { conversationTrees } from '../inputs/conversation-trees.ts'
import { modelFolder } from '../inputs/model-folder.ts'
import { openStaticModel } from '../provider/static-model.ts'
import { cpuOfProcess } from '../stores/process-cpu.ts'
import { remembering, withTokens } from './late-corpus.ts'

/**
 * What a search takes at 10^5 children: all legs, token states included, ten hits with their lines.
 *
 * The query's embedding is taken from memory and its time printed apart. CPU times are those of this process, in which SQLite runs too, so
 * that other work on the machine counts as little as possible; the clock on the wall is printed beside. What engines do (everything
 * within a call of the store) is told from the rest by a store that counts.
 */
export const search: Bench = {
  summary: 'a search with all legs at 10^5 children: SQLite, PostgreSQL beside it, what is not the engine, expansion to parents',
  run,
}

const rounds = 2
const documentsAtOnce = 20
const ways: Readonly<Record<string, SearchOptions>> = {
  children: {},
  parents: { expand: 'parent' },
  segments: { expand: 'segment' },
  'children, no places': { places: false },
}

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  progress.step('reading and cutting')
  const { trees, questions, source } = conversationTrees(quick ? 5_000 : 100_000, quick ? 20 : 40)
  const children = trees.reduce((sum, tree) => sum + tree.children.length, 0)
  const model = openStaticModel()
  const figures: Figure[] = [figure('children', children, 'children')]
  const rows: (string | number)[][] = []
  const put = async (store: Store): Promise<void> => {
    for (let from = 0; from < trees.length; from += documentsAtOnce) {
      progress.step('storing', from, trees.length)
      const some: readonly Tree[] = trees.slice(from, from + documentsAtOnce)
      await store.put(await Promise.all(some.map((tree) => withTokens(tree, model))))
    }
    await store.maintain()
  }
  const judge = async (engine: string, store: Store, server: () => number, bars: boolean): Promise<void> => {
    const counting = countEngine(store, server)
    const embedder = remembering(model)
    const measured = await measure(counting, questions, embedder, server, (done) => progress.step(engine, done, 1))
    const plain = measured.get('children')!
    const bar = (limit: `<= ${number}`): `<= ${number}` | null => (bars && !quick ? limit : null)
    figures.push(
      figure(`${engine}: search, p95 of CPU time`, percentile(plain.cpu, 0.95), 'ms', bar('<= 100')),
      figure(`${engine}: search, p95 on the wall`, percentile(plain.wall, 0.95), 'ms'),
      figure(`${engine}: outside the engine, p95 of CPU time`, percentile(plain.outside, 0.95), 'ms', bar('<= 30')),
      figure(`${engine}: parents over children, CPU`, total(measured.get('parents')!.cpu) / total(plain.cpu), 'x', bar('<= 1.1')),
      figure(`${engine}: segments over children, CPU`, total(measured.get('segments')!.cpu) / total(plain.cpu), 'x'),
    )
    for (const [way, { cpu, wall, outside }] of measured) {
      rows.push([
        engine,
        way,
        ...[cpu, wall, outside].flatMap((times) => [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(1))),
      ])
    }
  }

  const home = mkdtempSync(join(tmpdir(), 'ashlar-search-'))
  try {
    await using store = await sqliteStore(join(home, 'search.db'), { workspace: 'bench' }, { survives: 'process' })
    await put(store)
    await judge('SQLite', store, () => 0, true)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  const server = await startPostgres()
  try {
    await using store = await postgresStore(server.url, { workspace: 'bench' }, { connections: 2 })
    await put(store)
    await judge('PostgreSQL', store, () => childrenOf(server.pid).reduce((sum, id) => sum + (cpuOfProcess(id) || 0), 0), false)
  } finally {
    await server.stop()
  }
  figures.push(...(await embeddingTimes(questions, model, quick)))
  return {
    figures,
    table: {
      title: `A search in ${children.toLocaleString('en')} children, milliseconds`,
      columns: ['engine', 'hits', 'CPU p50', 'p95', 'wall p50', 'p95', 'outside the engine p50', 'p95'],
      rows,
    },
    notes: [
      `Texts: ${source}, ${trees.length} documents; potion-base-8M, late vectors and token states; ${questions.length} questions, each the best of ${rounds} rounds after one that is not counted; 10 hits.`,
      'PostgreSQL: the CPU time of the server is counted by the system in hundredths of a second, so that single searches are coarse.',
    ],
  }
}

interface Times {
  readonly cpu: number[]
  readonly wall: number[]
  readonly outside: number[]
}

/** A store that knows how much CPU time was spent within its calls. */
interface CountedStore {
  readonly store: Store
  readonly spent: () => number
}

function countEngine(store: Store, server: () => number): CountedStore {
  let inside = 0
  const counted = ['nominate', 'children', 'get', 'embeddings', 'list'] as const
  const methods = Object.fromEntries(
    counted.map((name) => [
      name,
      async (...given: unknown[]) => {
        const before = processTime() + server()
        try {
          return await (store[name] as (...all: unknown[]) => Promise<unknown>).apply(store, given)
        } finally {
          inside += processTime() + server() - before
        }
      },
    ]),
  )
  const proxy = new Proxy(store, {
    get: (target, name) => methods[name as string] ?? Reflect.get(target, name, target),
  })
  return { store: proxy, spent: () => inside }
}

/** Each question in each way, one way after the other, so that what slows the machine down slows all of them down. */
async function measure(
  { store, spent }: CountedStore,
  questions: readonly string[],
  embedder: Embedder,
  server: () => number,
  step: (done: number) => void,
): Promise<ReadonlyMap<string, Times>> {
  const times = new Map(Object.keys(ways).map((way): [string, Times] => [way, { cpu: [], wall: [], outside: [] }]))
  for (const [at, question] of questions.entries()) {
    step(at / questions.length)
    const best = new Map<string, { cpu: number; wall: number; outside: number }>()
    for (let round = 0; round <= rounds; round++) {
      for (const [way, options] of Object.entries(ways)) {
        if (at % 10 === 0 && round === 0) collectGarbage()
        const before = { cpu: processTime() + server(), wall: performance.now(), inside: spent() }
        await searchStore(store, question, { embedding: { embedder }, ...options })
        const cpu = processTime() + server() - before.cpu
        const one = { cpu, wall: performance.now() - before.wall, outside: cpu - (spent() - before.inside) }
        const known = best.get(way)
        if (round === 0) continue
        best.set(way, known === undefined ? one : least(known, one))
      }
    }
    for (const [way, { cpu, wall, outside }] of best) {
      const all = times.get(way)!
      all.cpu.push(cpu)
      all.wall.push(wall)
      all.outside.push(outside)
    }
  }
  return times
}

function least<Numbers extends Readonly<Record<string, number>>>(one: Numbers, other: Numbers): Numbers {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Math.min(value, other[name]!)])) as Numbers
}

async function embeddingTimes(questions: readonly string[], model: Embedder, quick: boolean): Promise<Figure[]> {
  await using local = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
  const figures: Figure[] = []
  for (const [name, embedder] of [
    ['potion-base-8M', model],
    ['all-MiniLM-L6-v2', local],
  ] as const) {
    const times: number[] = []
    for (const question of questions.slice(0, quick ? 5 : 40)) {
      const before = processTime()
      await lateQuery(question, { embedder })
      times.push(processTime() - before)
    }
    figures.push(figure(`embedding the query, ${name}: p95 of CPU time`, percentile(times, 0.95), 'ms'))
  }
  return figures
}

function percentile(times: readonly number[], share: number): number {
  const rising = times.toSorted((left, right) => left - right)
  return rising[Math.min(rising.length - 1, Math.floor(share * rising.length))]!
}

function total(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0)
}
