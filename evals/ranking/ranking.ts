import type { Hit } from 'ashlar/search'
import { type Bench, figure } from '../../bench/harness/bench.ts'
import { orderByCompany } from '../../packages/ashlar/src/search/company.ts'
import { contextGain, evidenceWeights, type Leg, type LegWeights } from '../../packages/ashlar/src/search/configuration.ts'
import { fuse } from '../../packages/ashlar/src/search/fuse.ts'
import type { ScoredChild } from '../../packages/ashlar/src/search/scored-child.ts'
import type { Scope } from '../../packages/ashlar/src/search/search-options.ts'
import { openEvalCache } from '../eval-cache.ts'
import type { EvalQuestion } from '../eval-set.ts'
import { knownSets } from '../known-sets.ts'
import { type SetName, sets } from '../sets/sets.ts'
import { librarySystem } from '../systems/library-system.ts'

/** Sets with a development part that English models are for. LoCoMo is looked at and chooses nothing. */
const judged: readonly SetName[] = ['chroma', 'qmsum', 'scifact', 'locomo']

/** Children of a question that are put in order anew. More are scored than usual, so that an order may bring up what the default left low. */
const depth = 250

/** A way to put children in order that have all their scores. */
interface Branch {
  readonly name: string
  readonly weights?: LegWeights
  /** What context adds. @default what it adds by default */
  readonly context?: number
  /** How far the order looks around. @default the score alone */
  readonly scope?: Scope
}

const without = (leg: Leg): LegWeights => Object.fromEntries(Object.entries(evidenceWeights).filter(([name]) => name !== leg))

const branches: readonly Branch[] = [
  { name: 'the default', scope: 'fact' },
  { name: 'company of a topic', scope: 'topic' },
  { name: 'no company' },
  { name: 'no company, no context', context: 0 },
  { name: 'twice the context', context: 2 * contextGain, scope: 'fact' },
  ...(['tokens', 'tokensNear', 'tokensAround', 'vector', 'child', 'parent', 'section'] as const).map(
    (leg): Branch => ({ name: `without ${leg}`, weights: without(leg), scope: 'fact' }),
  ),
  {
    name: 'no token states: vector and words',
    weights: { vector: 1, child: 0.5, parent: 0.5, section: 1 },
    scope: 'fact',
  },
  { name: 'words alone', weights: { child: 0.5, parent: 0.5, section: 1 }, scope: 'fact' },
  { name: 'the vector twice', weights: { ...evidenceWeights, vector: 1 }, scope: 'fact' },
  { name: 'every leg the same', weights: equalWeights(), scope: 'fact' },
]

/** What each part of the ranking is worth: every question is searched once, and its children are put in order in many ways. */
export const ranking: Bench = {
  summary: 'branches of the ranking on development parts: without each leg, other weights, with and without company and context',
  async run({ quick, progress }) {
    await using journal = openEvalCache()
    await using system = await librarySystem({ name: 'ranking', model: 'all-MiniLM-L6-v2' }, journal)
    const columns: { readonly set: SetName; readonly sums: number[]; count: number }[] = []
    for (const name of judged) {
      const set = sets[name]({ quick })
      if (set === null) continue
      const measure = Math.max(0, set.measures.indexOf(knownSets[name].headline))
      const column = { set: name, sums: branches.map(() => 0), count: 0 }
      columns.push(column)
      const every = name === 'scifact' || name === 'locomo' ? 3 : 1
      for (const { documents, questions } of set.collections) {
        const asked = questions.filter(({ part }, at) => part === 'dev' && at % every === 0)
        if (asked.length === 0) continue
        const open = await system.open(documents, { set, fresh: false, progress: (text) => progress.step(`${name}: ${text}`) })
        for (const question of asked) {
          progress.step(`${name}, question ${column.count}`)
          const options = { limit: depth, nominate: { kept: depth }, duplicates: 'keep' } as const
          const { hits } = await open.ask(question.text, options)
          for (const [at, branch] of branches.entries()) column.sums[at]! += judge(question, hits, branch)[measure]!
          column.count++
        }
        await open.close()
      }
    }
    const value = ({ sums, count }: (typeof columns)[number], at: number): number => (100 * sums[at]!) / count
    return {
      figures: branches.flatMap(({ name }, at) =>
        columns.map((column) => figure(`${name}, ${column.set}`, value(column, at), '%', null)),
      ),
      table: {
        title: `The first ${depth} children in other orders, development parts`,
        columns: ['branch', ...columns.map(({ set, count }) => `${knownSets[set].title}: ${knownSets[set].headline} (${count})`)],
        rows: branches.map(({ name }, at) => [name, ...columns.map((column) => value(column, at).toFixed(1))]),
      },
      notes: [
        `all-MiniLM-L6-v2 q8 through library.search. ${depth} children of each question are scored; a branch puts them in another order. Every third question of SciFact and LoCoMo.`,
        'Differences under a point are noise.',
      ],
    }
  },
}

function judge(
  question: EvalQuestion,
  hits: readonly Hit[],
  { weights = evidenceWeights, ...branch }: Branch,
): readonly number[] {
  const children = hits.map((hit) => {
    const score = fuse(hit.scores, weights) + (branch.context ?? contextGain) * hit.scores.context
    return { record: hit, own: hit, score, order: score } as unknown as ScoredChild
  })
  const ordered = branch.scope === undefined ? children : orderByCompany(children, branch.scope)
  return question.judge(
    ordered
      .toSorted((one, other) => other.order - one.order)
      .map(({ own: { start, end }, record: { document } }) => ({ document: document.id, start, end })),
  )
}

function equalWeights(): LegWeights {
  return Object.fromEntries(Object.keys(evidenceWeights).map((leg) => [leg, 1]))
}
