import type { BenchOptions, BenchResult, Table } from '../bench/harness/bench.ts'
import { compareSystems, headlineOf } from './compare-systems.ts'
import { knownSets } from './known-sets.ts'
import { defaultSystem, logTestRun, readScores, resultName, scoredSystems, writeScores } from './results-folder.ts'
import { costFigures, mean, runFigures } from './run-figures.ts'
import { type AskedQuestion, runSet } from './run-set.ts'
import { type SetName, sets } from './sets/sets.ts'
import { Systems } from './systems/systems.ts'

/** Asks one system all questions of one set: `npm run eval -- chroma --system ashlar+bge --part dev`. */
export async function judgeSet(name: SetName, { quick, progress, given = {} }: BenchOptions): Promise<BenchResult> {
  const { system: asked = defaultSystem, part = 'test' } = given
  if (part !== 'dev' && part !== 'test') throw new Error(`A part is dev or test, not ${part}`)
  const set = sets[name]({ quick })
  if (set === null) return nothing(`The files of ${name} are not there.`)
  if (set.collections.every(({ questions }) => questions.every((question) => question.part !== part))) {
    return nothing(`${name} has no ${part} part: nothing is chosen on it.`)
  }
  await using systems = new Systems()
  await using system = await systems.open(asked, name)
  const { asked: questions, counts, cost } = await runSet(set, system, { part, progress })
  const { title, unit, measures } = knownSets[name]
  const figures = runFigures(set, questions, name, { bars: asked === defaultSystem && part === 'test' && !quick })
  const counted = headlineOf(name, questions).length
  const file = resultName(name, asked, part)
  if (!quick) writeScores(file, questions)
  if (!quick && part === 'test') {
    const headline = Object.fromEntries(figures.map(({ name: measure, value }) => [measure, value]))
    logTestRun({ set: name, system: asked, settings: system.settings, headline })
  }
  return {
    name: file,
    figures: [...figures, ...costFigures(cost)],
    facts: { set: name, part, system: asked, settings: system.settings, counts },
    table: [
      {
        title: `${title}, ${part} part, ${counted} questions: ${system.name} (${system.settings})`,
        columns: ['measure', unit, '95 %', 'bar', 'goal', 'common today', 'published'],
        rows: figures.map(({ name: measure, value, interval, bar }) => {
          const { goal, common, published } = measures[measure] ?? {}
          return [measure, value, interval?.join(' to ') ?? '', bar ?? '', goal ?? '', common ?? '', published ?? '']
        }),
      },
      ...categoryTable(set.measures, questions, unit === '%' ? 100 : 1),
      ...(quick ? [] : differenceTable(name, asked, part)),
    ],
    notes: [
      set.note,
      `CPU: ${cost.search.toFixed(1)} ms a search, and ${cost.embedding.toFixed(1)} ms to embed its question; ${cost.index.toFixed(1)} s to index a MB.`,
    ],
  }
}

function nothing(why: string): BenchResult {
  return { figures: [], table: { columns: ['set'], rows: [] }, notes: [why] }
}

function categoryTable(measures: readonly string[], asked: readonly AskedQuestion[], scale: number): Table[] {
  const groups = [...Map.groupBy(asked, ({ category }) => category)]
  if (groups.length < 2) return []
  const rows = groups.map(([category = '', group]) => [
    category,
    group.length,
    ...measures.map((_, at) => Number((scale * mean(group, at)).toPrecision(3))),
  ])
  return [{ columns: ['category', 'questions', ...measures], rows }]
}

/** What this system has more than each other whose scores are kept, measure by measure. */
function differenceTable(set: SetName, system: string, part: 'dev' | 'test'): Table[] {
  const own = readScores(resultName(set, system, part))!
  const rows = scoredSystems(set, part)
    .filter((other) => other !== system)
    .map((other) => {
      const differences = compareSystems(set, readScores(resultName(set, other, part))!, own)
      return [other, ...differences.map(({ text }) => text)]
    })
  return rows.length === 0
    ? []
    : [{ title: `${system} minus the others`, columns: ['', ...Object.keys(knownSets[set].measures)], rows }]
}
