import { approximateTokens } from 'ashlar'
import { bootstrap, comparePaired, spanScores } from 'ashlar/evaluation'
import type { Expand } from 'ashlar/search'
import { type TreeLevels, treePresets } from 'ashlar/tree'
import { type Bench, type BenchOptions, type Figure, figure, round, type Table } from '../../bench/harness/bench.ts'
import { median, processTime } from '../../bench/harness/interleave.ts'
import { openEvalCache } from '../eval-cache.ts'
import type { EvalSet } from '../eval-set.ts'
import { logTestRun } from '../results-folder.ts'
import { readChroma } from '../sets/chroma.ts'
import { readQmsum } from '../sets/qmsum.ts'
import { librarySystem } from '../systems/library-system.ts'

/** What is handed over: hits of a tree of some sizes, as they are or made larger. */
interface Handing {
  readonly name: string
  readonly tree: TreeLevels
  readonly expand: Expand
  /** What it is held against: the same pieces, found in the same way, and nothing around them. */
  readonly beside?: string
}

const { precise, specification } = treePresets

const handings: readonly Handing[] = [
  { name: 'children of the specification', tree: specification, expand: 'child' },
  { name: 'parents of the specification', tree: specification, expand: 'parent', beside: 'children of the specification' },
  { name: 'default children', tree: precise, expand: 'child' },
  { name: 'default parents', tree: precise, expand: 'parent', beside: 'default children' },
  { name: 'default segments', tree: precise, expand: 'segment' },
]

const firsts = [5, 10]

/** What a question came to: of the first hits, the share of the evidence in their text, and its tokens. */
interface Handed {
  readonly cluster: string
  readonly recall: readonly number[]
  readonly tokens: readonly number[]
  readonly milliseconds: number
}

/** Whether a reader who is handed parents has more of the evidence than one who is handed equally many children. */
export const parents: Bench = {
  summary: 'evidence in the text handed over by equally many hits: children, parents, segments; tokens and CPU beside',
  async run(options) {
    const figures: Figure[] = []
    const tables: Table[] = []
    const notes: string[] = []
    for (const set of [readChroma(options), readQmsum(options)]) {
      if (set === null) continue
      const handed = await handOver(set, options)
      notes.push(`${set.name}: ${set.note}`)
      if (!options.quick) {
        const headline = Object.fromEntries([...handed].map(([name, asked]) => [name, round(shareOf(asked, 0).mean)]))
        logTestRun({ set: set.name, system: 'parents', settings: `evidence in ${firsts[0]} hits, all-MiniLM-L6-v2 q8`, headline })
      }
      tables.push({
        title: `${set.name}, test part: evidence in the text handed over, %`,
        columns: ['hits', ...firsts.flatMap((first) => [`of ${first}`, '95 %', 'tokens']), 'CPU ms a search'],
        rows: [...handed].map(([name, asked]) => [
          name,
          ...firsts.flatMap((_, at) => {
            const { mean, low, high } = shareOf(asked, at)
            return [mean.toFixed(1), `${low.toFixed(1)} to ${high.toFixed(1)}`, Math.round(tokensOf(asked, at))]
          }),
          Number(median(asked.map(({ milliseconds }) => milliseconds)).toFixed(1)),
        ]),
      })
      for (const [name, asked] of handed) {
        for (const [at, first] of firsts.entries()) {
          const { mean, low, high } = shareOf(asked, at)
          const made = figure(`${set.name}, ${name}: evidence in ${first} hits`, mean, '%')
          figures.push(
            { ...made, interval: [round(low), round(high)] },
            figure(`${set.name}, ${name}: tokens of ${first} hits`, tokensOf(asked, at), 'tokens'),
          )
        }
        const times = asked.map(({ milliseconds }) => milliseconds)
        figures.push(figure(`${set.name}, ${name}: CPU a search, its question embedded before`, median(times), 'ms'))
      }
      for (const { name, beside } of handings) {
        if (beside === undefined) continue
        for (const [at, first] of firsts.entries()) {
          const [children, own] = [handed.get(beside)!, handed.get(name)!]
          const { difference } = comparePaired(share(children, at), share(own, at), {
            clusters: own.map(({ cluster }) => cluster),
          })
          const more = `${set.name}: ${name} more than ${beside}, ${first} hits`
          const made = figure(more, difference.mean, 'points')
          figures.push(
            { ...made, interval: [round(difference.low), round(difference.high)] },
            figure(`${more}, lower end of the interval`, difference.low, 'points', options.quick ? null : '>= 0'),
          )
        }
      }
    }
    return {
      figures,
      table: tables,
      notes: [
        'all-MiniLM-L6-v2 q8 through library.search; tokens by rule of thumb. Sizes: the specification has children of 400, parents of 1,200 and sections of 3,600 tokens; the default children of 250, parents of 800 and sections of 2,400 characters. Equally many hits are not equally much text: what parents add is paid for in tokens.',
        ...notes,
      ],
    }
  },
}

async function handOver(set: EvalSet, { progress }: BenchOptions): Promise<Map<string, readonly Handed[]>> {
  await using journal = openEvalCache()
  const handed = new Map<string, Handed[]>(handings.map(({ name }) => [name, []]))
  for (const tree of [specification, precise]) {
    await using system = await librarySystem({ name: 'parents', model: 'all-MiniLM-L6-v2', open: { tree } }, journal)
    for (const { id, documents, questions } of set.collections) {
      const asked = questions.filter(({ part }) => part === 'test')
      if (asked.length === 0) continue
      const report = (text: string): void => progress.step(`${set.name}: ${id}, ${text}`)
      const open = await system.open(documents, { set, fresh: false, progress: report })
      for (const [at, question] of asked.entries()) {
        progress.step(`${set.name}: ${id}`, at, asked.length)
        for (const { name, expand } of handings.filter((handing) => handing.tree === tree)) {
          const [before, embedded] = [processTime(), system.embeddingTime()]
          const { hits } = await open.ask(question.text, { expand, limit: Math.max(...firsts) })
          const milliseconds = processTime() - before - (system.embeddingTime() - embedded)
          const spans = hits.map(({ document, start, end }) => ({ document: document.id, start, end }))
          handed.get(name)!.push({
            cluster: set.collections.length > 1 ? id : question.id,
            recall: firsts.map((first) => spanScores(spans.slice(0, first), question.gold!).recall),
            tokens: firsts.map((first) => hits.slice(0, first).reduce((sum, { text }) => sum + approximateTokens(text), 0)),
            milliseconds,
          })
        }
      }
      await open.close()
    }
  }
  return handed
}

function share(asked: readonly Handed[], at: number): number[] {
  return asked.map(({ recall }) => 100 * recall[at]!)
}

function shareOf(asked: readonly Handed[], at: number): ReturnType<typeof bootstrap> {
  return bootstrap(share(asked, at), { clusters: asked.map(({ cluster }) => cluster) })
}

function tokensOf(asked: readonly Handed[], at: number): number {
  return asked.reduce((sum, { tokens }) => sum + tokens[at]!, 0) / asked.length
}
