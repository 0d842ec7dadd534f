import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdown } from 'ashlar'
import { postgresStore } from 'ashlar/postgres'
import { type SearchResult, search } from 'ashlar/search'
import { sqliteStore } from 'ashlar/sqlite'
import { memoryStore, type Store } from 'ashlar/stores'
import { buildTree, type Tree } from 'ashlar/tree'
import { startPostgres } from '../../scripts/postgres.ts'
import { type Bench, type BenchOptions, type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { readChromaQuestions } from '../inputs/chroma-questions.ts'
import { conversationTrees } from '../inputs/conversation-trees.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import { openStaticModel } from '../provider/static-model.ts'
import { remembering, withTokens } from './late-corpus.ts'

/** The same question to every store: the same hits in the same order, with the same scores, when engines look at every vector. */
export const parity: Bench = {
  summary:
    'the same hits in the same order from memory, SQLite and PostgreSQL, asked exactly; and what approximate search changes',
  run,
}

const depth = 10

/** Scores that differ by less are the same. */
const sameScore = 1e-6

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const corpora = readCorpora().filter((_, at) => !quick || at < 2)
  const beam = conversationTrees(quick ? 500 : 10_000, quick ? 10 : 40)
  const trees: readonly Tree[] = [
    ...corpora.map(({ name, text }) => buildTree(text, { document: name, format: markdown })),
    ...beam.trees,
  ]
  const questions = [...readChromaQuestions().map(({ text }) => text), ...beam.questions].slice(0, quick ? 40 : 500)
  // A few of the kinds that take another way: phrases and identifiers.
  const asked = questions.map((text, at) => (at % 25 === 24 ? `"${text.split(' ').slice(2, 5).join(' ')}" ${text}` : text))
  const model = openStaticModel()
  const embedder = remembering(model)
  const documents = []
  for (const [at, tree] of trees.entries()) {
    progress.step('embedding', at, trees.length)
    documents.push(await withTokens(tree, model))
  }
  const home = mkdtempSync(join(tmpdir(), 'ashlar-parity-'))
  const server = await startPostgres()
  const found = new Map<string, SearchResult[]>()
  const children = trees.reduce((sum, tree) => sum + tree.children.length, 0)
  // SQLite compares ten times as many vectors exactly as it is asked for: with a tenth of all, all.
  const exactly = { vector: Math.ceil(children / 10) }
  const kinds: Readonly<Record<string, readonly [open: () => Promise<Store>, asked: readonly ('exactly' | 'as usual')[]]>> = {
    memory: [() => Promise.resolve(memoryStore({ workspace: 'parity' })), ['exactly', 'as usual']],
    sqlite: [
      () => sqliteStore(join(home, 'parity.db'), { workspace: 'parity' }, { survives: 'process' }),
      ['exactly', 'as usual'],
    ],
    postgres: [
      () => postgresStore(server.url, { workspace: 'parity' }, { indexFrom: Number.POSITIVE_INFINITY }),
      ['exactly', 'as usual'],
    ],
    'postgres with an index': [() => postgresStore(server.url, { workspace: 'indexed' }, { indexFrom: 1 }), ['as usual']],
  }
  try {
    for (const [name, [open, ways]] of Object.entries(kinds)) {
      await using store = await open()
      for (let from = 0; from < documents.length; from += 20) await store.put(documents.slice(from, from + 20))
      await store.maintain()
      for (const way of ways) {
        const results: SearchResult[] = []
        for (const [at, question] of asked.entries()) {
          progress.step(`asking ${name} ${way}`, at, asked.length)
          const nominate = way === 'exactly' ? exactly : {}
          results.push(await search(store, question, { embedding: { embedder }, limit: depth, nominate }))
        }
        found.set(`${name}, ${way}`, results)
      }
    }
  } finally {
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
  const figures: Figure[] = [figure('queries', asked.length, 'queries')]
  const rows: (string | number)[][] = []
  for (const [name, results] of found) {
    if (name.startsWith('memory')) continue
    const isExact = name.endsWith('exactly')
    const reference = found.get(isExact ? 'memory, exactly' : 'memory, as usual')!
    const pairs = results.map((result, at) => ({ ours: result, theirs: reference[at]! }))
    const same = pairs.filter(({ ours, theirs }) => ids(ours).join() === ids(theirs).join()).length
    const shared = (100 * pairs.reduce((sum, { ours, theirs }) => sum + overlap(ids(ours), ids(theirs)), 0)) / asked.length
    const drift = Math.max(...pairs.flatMap(({ ours, theirs }) => scoreDrift(ours, theirs)))
    figures.push(
      figure(
        `${name}: queries with identical hits in identical order`,
        (100 * same) / asked.length,
        '%',
        isExact ? '= 100' : null,
      ),
      figure(`${name}: share of hits that memory has too`, shared, '%'),
      figure(`${name}: largest difference of a hit's score`, drift, '', isExact ? `<= ${sameScore}` : null),
    )
    rows.push([name, `${same} of ${asked.length}`, shared.toFixed(2), drift.toExponential(1)])
  }
  return {
    figures,
    table: {
      title: `The first ${depth} hits beside those of the memory store`,
      columns: ['store', 'identical', 'shared %', 'score apart'],
      rows,
    },
    notes: [
      `${documents.length} documents, ${children.toLocaleString('en')} children; Chroma's and BEAM's questions, one in 25 with a phrase in quotation marks; potion-base-8M, late vectors and token states.`,
    ],
  }
}

function ids({ hits }: SearchResult): string[] {
  return hits.map(({ id, start, end }) => `${id}/${start}/${end}`)
}

function overlap(ours: readonly string[], theirs: readonly string[]): number {
  return theirs.length === 0 ? 1 : theirs.filter((id) => ours.includes(id)).length / theirs.length
}

function scoreDrift(ours: SearchResult, theirs: SearchResult): number[] {
  const scores = new Map(theirs.hits.map(({ id, score }) => [id, score]))
  return [0, ...ours.hits.flatMap(({ id, score }) => (scores.has(id) ? [Math.abs(score - scores.get(id)!)] : []))]
}
