import type { Hit } from 'ashlar/search'
import { type Bench, type BenchOptions, type Figure, figure, round, type Table } from '../../bench/harness/bench.ts'
import { openEvalCache } from '../eval-cache.ts'
import type { EvalQuestion } from '../eval-set.ts'
import { logTestRun } from '../results-folder.ts'
import { type LibraryConfiguration, librarySystem } from '../systems/library-system.ts'
import { type AskedSet, readAskedSets } from './asked-sets.ts'
import { fitLogistic, type Judged, reliability } from './calibration.ts'

/** Each kind of evidence, and the library that has it. */
const modes: Readonly<Record<Mode, LibraryConfiguration>> = {
  tokens: { name: 'tokens', model: 'all-MiniLM-L6-v2' },
  vectors: { name: 'vectors', model: 'all-MiniLM-L6-v2', open: { late: false } },
  words: { name: 'words' },
}

type Mode = 'tokens' | 'vectors' | 'words'

/** Hits of a question that are judged. */
const depth = 10

/** After so many questions one of another set follows, which nothing here answers. */
const foreignAfter = 4

/** What was asked, and what came of it. */
interface Asked {
  readonly set: string
  readonly mode: Mode
  readonly part: 'dev' | 'test'
  readonly foreign: boolean
  readonly nothing: boolean
  readonly best: number
  readonly hits: readonly Judged[]
}

/** Whether `relevance` is the share of hits that hold what was asked for, and whether `nothing` is right about questions from elsewhere. */
export const relevance: Bench = {
  summary: 'relevance against the share of hits that hold evidence, and refusals of questions that nothing answers',
  async run(options) {
    const sets = readAskedSets(options)
    const asked: Asked[] = []
    for (const set of sets) for (const mode of Object.keys(modes) as Mode[]) asked.push(...(await askSet(set, mode, options)))
    const figures: Figure[] = []
    const rows: (string | number)[][] = []
    for (const mode of Object.keys(modes) as Mode[]) {
      for (const { name, exact } of sets) {
        for (const part of ['dev', 'test'] as const) {
          const those = asked.filter((one) => one.mode === mode && one.set === name && one.part === part)
          if (those.length === 0) continue
          const { error, bins } = reliability(those.flatMap(({ hits }) => hits))
          const [own, foreign] = [those.filter((one) => !one.foreign), those.filter((one) => one.foreign)]
          const refused = share(foreign, ({ nothing }) => nothing)
          const wrongly = share(own, ({ nothing }) => nothing)
          const isHeldOut = part === 'test' && mode === 'tokens' && !options.quick
          const label = `${mode}, ${name}, ${part}`
          figures.push(
            figure(`${label}: calibration error`, error, '', isHeldOut && exact ? '<= 0.06' : null),
            figure(`${label}: foreign questions refused`, refused, '%', isHeldOut ? '>= 85' : null),
            figure(`${label}: own questions refused`, wrongly, '%', isHeldOut && exact ? '<= 5' : null),
          )
          if (part === 'test' && mode === 'tokens' && !options.quick) {
            const headline = { error: round(error), refused: round(refused), wrongly: round(wrongly) }
            logTestRun({ set: name, system: 'relevance', settings: modes[mode].model!, headline })
          }
          rows.push([
            mode,
            name,
            part,
            own.length,
            foreign.length,
            error.toFixed(3),
            refused.toFixed(1),
            wrongly.toFixed(1),
            ...bins,
          ])
        }
      }
    }
    const tenths = Array.from({ length: 10 }, (_, bin) => `.${bin}`)
    return {
      figures,
      table: [
        {
          title: `Relevance of the first ${depth} hits: said → found, by tenths of what was said; number of hits`,
          columns: ['evidence', 'set', 'part', 'own', 'foreign', 'error', 'refused %', 'wrongly %', ...tenths],
          rows,
        },
        fitTable(asked.filter(({ part, set }) => part === 'dev' && sets.find(({ name }) => name === set)!.fits)),
      ],
      notes: [
        `A hit holds what was asked for when it has something of the evidence. After ${foreignAfter} questions one follows from elsewhere, which nothing answers. Error: mean distance between said and found over tenths, by hits.`,
        `Constants are rounded from a fit to the development parts of ${sets
          .filter(({ fits }) => fits)
          .map(({ name }) => name)
          .join(
            ', ',
          )}, each weighing the same; below a threshold lie at most 2 % of their own questions. Nothing else chooses them.`,
        ...sets.map(({ name, note }) => `${name}: ${note}`),
      ],
    }
  },
}

/** What the development parts would have chosen: the curve, and what each threshold refuses. */
function fitTable(dev: readonly Asked[]): Table {
  const thresholds = [0.15, 0.17, 0.2, 0.22, 0.25, 0.3, 0.33, 0.35, 0.37, 0.4, 0.42, 0.45]
  return {
    title: 'Development parts: the fitted curve; foreign questions below a threshold (own ones below it), %',
    columns: ['evidence', 'slope', 'middle', ...thresholds.map(String)],
    rows: (Object.keys(modes) as Mode[]).map((mode) => {
      const those = dev.filter((one) => one.mode === mode)
      if (those.length === 0) return [mode]
      const { slope, middle } = fitLogistic(weighed(those))
      const below = (limit: number): string => {
        const [foreign, own] = [true, false].map((is) =>
          share(
            those.filter((one) => one.foreign === is),
            ({ best }) => best < limit,
          ),
        )
        return `${foreign!.toFixed(1)} (${own!.toFixed(1)})`
      }
      return [mode, slope.toFixed(2), middle.toFixed(3), ...thresholds.map(below)]
    }),
  }
}

function share<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : (100 * items.filter(is).length) / items.length
}

/** Every set counts the same, however many questions it has. */
function weighed(asked: readonly Asked[]): (Judged & { readonly weight: number })[] {
  const counts = new Map<string, number>()
  for (const { set, hits } of asked) counts.set(set, (counts.get(set) ?? 0) + hits.length)
  return asked.flatMap(({ set, hits }) => hits.map((hit) => ({ ...hit, weight: 1000 / counts.get(set)! })))
}

async function askSet(set: AskedSet, mode: Mode, { progress }: BenchOptions): Promise<Asked[]> {
  await using journal = openEvalCache()
  await using system = await librarySystem(modes[mode], journal)
  const asked: Asked[] = []
  const total = set.collections.reduce((sum, { questions }) => sum + questions.length, 0)
  let done = 0
  for (const { id, documents, questions, foreign } of set.collections) {
    const report = (text: string): void => progress.step(`${set.name}, ${mode}: ${id}, ${text}`)
    const open = await system.open(documents, { set, fresh: false, progress: report })
    const ask = async (text: string, part: 'dev' | 'test', own: EvalQuestion | undefined): Promise<void> => {
      const { hits, nothing, best } = await open.ask(text, { limit: depth })
      const judged = hits.map((hit) => ({ score: hit.score, said: hit.relevance, right: own !== undefined && holds(own, hit) }))
      asked.push({ set: set.name, mode, part, foreign: own === undefined, nothing, best: best.score, hits: judged })
    }
    for (const [at, question] of questions.entries()) {
      progress.step(`relevance, ${mode}: ${set.name}`, done++, total)
      await ask(question.text, question.part, question)
      const strangers = foreign.filter(({ part }) => part === question.part)
      if (at % foreignAfter === foreignAfter - 1 && strangers.length > 0) {
        await ask(strangers[(at * 7919) % strangers.length]!.text, question.part, undefined)
      }
    }
    await open.close()
  }
  return asked
}

/** Whether a hit has something of the evidence, to the character where the set knows it. */
function holds({ gold, judge }: EvalQuestion, { document, start, end }: Hit): boolean {
  if (gold === undefined) return judge([{ document: document.id, start, end }]).some((found) => found > 0)
  return gold.some((span) => span.document === document.id && span.start < end && start < span.end)
}
