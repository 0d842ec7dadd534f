import { localEmbedder } from 'ashlar/local'
import { search } from 'ashlar/search'
import { memoryStore } from 'ashlar/stores'
import { type Bench, type BenchOptions, type Figure, figure } from '../../bench/harness/bench.ts'
import { modelFolder } from '../../bench/inputs/model-folder.ts'
import { recordedEmbedder } from '../../bench/late/recorded-embedder.ts'
import { openEvalCache, queryFolder } from '../eval-cache.ts'
import type { EvalCollection, EvalSet } from '../eval-set.ts'
import { lateDocument } from '../late-documents.ts'
import { logTestRun } from '../results-folder.ts'
import { readAnthropicCode } from '../sets/anthropic-code.ts'
import { readBeam } from '../sets/beam.ts'
import { readChroma } from '../sets/chroma.ts'
import { readLocomo } from '../sets/locomo.ts'
import { designTree } from './design-tree.ts'

/** What configuration E reached when it was designed, in Python, over whole collections: all questions, then the test half. */
const designed: Readonly<Record<string, { readonly all: readonly number[]; readonly test: readonly number[] | null }>> = {
  chroma: { all: [69.6, 82.0, 90.7], test: null },
  locomo: { all: [83.5], test: [82.2] },
  'anthropic-code': { all: [88.5, 92.5, 95.9], test: null },
  beam: { all: [61.4], test: null },
}

/** The design took the first conversations of BEAM; LoCoMo has no more. */
const conversations = 10

/** The memory store under configuration E, within a point of what the design measured. */
export const nominate: Bench = {
  summary: 'configuration E on the memory store: Chroma, LoCoMo, Anthropic code, BEAM 100K, against the figures of the design',
  async run(options) {
    const figures: Figure[] = []
    const rows: (string | number)[][] = []
    const notes: string[] = []
    for (const read of [readChroma, readLocomo, readAnthropicCode, readBeam]) {
      const whole = read(options)
      if (whole === null) continue
      const set = { ...whole, collections: whole.collections.slice(0, conversations) }
      const judged = await judgeSet(set, options)
      notes.push(`${set.name}: ${set.note}`)
      const reached: Record<string, number> = {}
      for (const [at, measure] of set.measures.entries()) {
        if (designed[set.name]!.all[at] === undefined) continue
        for (const part of ['all', 'test'] as const) {
          const values = judged.filter((one) => part === 'all' || one.part === part).map(({ scores }) => scores[at]!)
          if (part === 'test' && (values.length === judged.length || values.length === 0)) continue
          const design = designed[set.name]![part]?.[at]
          const value = (100 * values.reduce((a, b) => a + b, 0)) / values.length
          const bar = design === undefined || options.quick ? null : (`>= ${Number((design - 1).toFixed(1))}` as const)
          figures.push(figure(`${set.name}, ${part}: ${measure}`, value, '%', bar))
          reached[`${measure}, ${part}`] = Number(value.toFixed(2))
          rows.push([set.name, part, measure, values.length, value.toFixed(1), design?.toFixed(1) ?? ''])
        }
      }
      if (!options.quick)
        logTestRun({ set: set.name, system: 'nominate', settings: 'trees of the design, all-MiniLM-L6-v2 q8', headline: reached })
    }
    return {
      figures,
      table: {
        title: 'Configuration E on the memory store',
        columns: ['set', 'questions', 'measure', 'asked', '%', 'design'],
        rows,
      },
      notes: [
        `Trees as the design cut them: Chroma as markdown; a LoCoMo turn a child, five a parent, a session a section; Anthropic's chunks as parents, files as documents whose words count; an exchange of the first ${conversations} conversations of BEAM 100K a section. The design does not say which questions or conversations its figure for BEAM is of, so that bar is only indicative.`,
        'all-MiniLM-L6-v2 q8, token states as sign bits; the design kept them whole and searched in Python. Bars are one point below its figures.',
        ...notes,
      ],
    }
  },
}

const depth = 150

interface Judged {
  readonly part: 'dev' | 'test'
  readonly scores: readonly number[]
}

async function judgeSet(set: EvalSet, { progress }: BenchOptions): Promise<Judged[]> {
  await using embedder = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
  await using cache = openEvalCache()
  const asking = recordedEmbedder(embedder, queryFolder())
  const judged: Judged[] = []
  const total = set.collections.reduce((sum, { questions }) => sum + questions.length, 0)
  for (const collection of set.collections) {
    await using store = await openCollection(collection)
    for (const { text, part, category, judge } of collection.questions) {
      if (category !== undefined && set.apart?.includes(category)) continue
      progress.step(set.name, judged.length, total)
      const { hits } = await search(store, text, {
        embedding: { embedder: asking },
        documents: set.documents,
        limit: depth,
        places: false,
        duplicates: 'keep',
      })
      judged.push({ part, scores: judge(hits.map(({ document, start, end }) => ({ document: document.id, start, end }))) })
    }
  }
  return judged

  async function openCollection({ documents }: EvalCollection): Promise<ReturnType<typeof memoryStore>> {
    const store = memoryStore({ workspace: set.name })
    for (const document of documents) {
      const tree = designTree(set.name, document)
      const step = (done: number, of: number): void => progress.step(`${set.name}: embedding ${tree.document}`, done, of)
      await store.put([await lateDocument(tree, { embedder }, cache, step)])
    }
    await store.maintain()
    return store
  }
}
