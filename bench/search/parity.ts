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

/** Scores that differ by less are the same: engines keep vectors in numbers of different width. */
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
  const supports = new Map<string, boolean>()
  const kinds: Readonly<Record<string, () => Promise<Store>>> = {
    memory: () => Promise.resolve(memoryStore({ workspace: 'parity' })),
    sqlite: () => sqliteStore(join(home, 'parity.db'), { workspace: 'parity' }, { survives: 'process' }),
    postgres: () => postgresStore(server.url, { workspace: 'parity' }, { indexFrom: Number.POSITIVE_INFINITY }),
    'postgres, approximate': () => postgresStore(server.url, { workspace: 'approximate' }, { indexFrom: 1 }),
  }
  try {
    for (const [name, open] of Object.entries(kinds)) {
      await using store = await open()
      for (let from = 0; from < documents.length; from += 20) await store.put(documents.slice(from, from + 20))
      await store.maintain()
      supports.set(name, store.supports.exactVectors)
      const results: SearchResult[] = []
      for (const [at, question] of asked.entries()) {
        progress.step(`asking ${name}`, at, asked.length)
        results.push(await search(store, question, { embedding: { embedder }, limit: depth }))
      }
      found.set(name, results)
    }
  } finally {
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
  const figures: Figure[] = [figure('queries', asked.length, 'queries')]
  const rows: (string | number)[][] = []
  const reference = found.get('memory')!
  for (const [name, results] of found) {
    if (name === 'memory') continue
    const pairs = results.map((result, at) => ({ ours: result, theirs: reference[at]! }))
    const same = pairs.filter(({ ours, theirs }) => ids(ours).join() === ids(theirs).join()).length
    const shared = pairs.map(({ ours, theirs }) => overlap(ids(ours), ids(theirs)))
    const drift = Math.max(...pairs.flatMap(({ ours, theirs }) => scoreDrift(ours, theirs)))
    const isExact = !name.includes('approximate')
    figures.push(
      figure(
        `${name}: queries with identical hits in identical order`,
        (100 * same) / asked.length,
        '%',
        isExact ? '= 100' : null,
      ),
      figure(`${name}: share of hits that memory has too`, (100 * shared.reduce((a, b) => a + b, 0)) / asked.length, '%'),
      figure(`${name}: largest difference of a hit's score`, drift, '', isExact ? `<= ${sameScore}` : null),
    )
    rows.push([
      name,
      String(supports.get(name)),
      `${same} of ${asked.length}`,
      ((100 * shared.reduce((a, b) => a + b, 0)) / asked.length).toFixed(2),
      drift.toExponential(1),
    ])
  }
  return {
    figures,
    table: {
      title: `The first ${depth} hits beside those of the memory store`,
      columns: ['store', 'exact vectors', 'identical', 'shared %', 'score apart'],
      rows,
    },
    notes: [
      `${documents.length} documents, ${trees.reduce((sum, { children }) => sum + children.length, 0).toLocaleString('en')} children; Chroma's and BEAM's questions, one in 25 with a phrase in quotation marks; potion-base-8M, late vectors and token states.`,
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
