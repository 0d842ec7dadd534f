import { bootstrap } from 'ashlar/evaluation'
import { type Figure, figure, round } from '../bench/harness/bench.ts'
import { headlineOf } from './compare-systems.ts'
import type { EvalSet } from './eval-set.ts'
import { knownSets } from './known-sets.ts'
import type { AskedQuestion, RunCost } from './run-set.ts'
import type { SetName } from './sets/sets.ts'

/** What a run reached: each measure with its interval and, where bars are asked for, its bar; the worst category; what stands apart. */
export function runFigures(
  set: Pick<EvalSet, 'measures' | 'worst'>,
  asked: readonly AskedQuestion[],
  name: SetName,
  { bars }: { readonly bars: boolean },
): Figure[] {
  const { unit, apart = [], measures: known } = knownSets[name]
  const scale = unit === '%' ? 100 : 1
  const figures: Figure[] = []
  const counted = headlineOf(name, asked)
  const push = (measure: string, those: readonly AskedQuestion[], at: number): void => {
    if (those.length === 0) return
    const clusters = those.map(({ cluster }) => cluster)
    const { mean, low, high } = bootstrap(
      those.map(({ scores }) => scale * scores[at]!),
      { clusters },
    )
    const { bar, base } = known[measure] ?? {}
    const made = figure(measure, mean, unit, bars && bar !== undefined ? `>= ${bar}` : null)
    figures.push({ ...made, interval: [round(low), round(high)] })
    if (bars && base !== undefined) figures.push(figure(`${measure}, lower end of the interval`, low, unit, `>= ${base}`))
  }
  for (const [at, measure] of set.measures.entries()) {
    push(measure, counted, at)
    if (set.worst !== undefined) {
      const groups = [...Map.groupBy(counted, ({ category }) => category).values()]
      const worst = groups.reduce((least, group) => (mean(group, at) < mean(least, at) ? group : least))
      push(`${measure}, worst ${set.worst}`, worst, at)
    }
    for (const category of apart) {
      push(
        `${measure}, ${category}`,
        asked.filter((question) => question.category === category),
        at,
      )
    }
  }
  return figures
}

/** What a run cost. */
export function costFigures({ search, embedding, index }: RunCost): Figure[] {
  return [
    figure('CPU a search, embedding the question apart', search, 'ms'),
    figure('CPU of embedding a question', embedding, 'ms'),
    figure('CPU of indexing', index, 's a MB'),
  ]
}

/** The mean of a measure over questions. */
export function mean(asked: readonly AskedQuestion[], measure: number): number {
  return asked.reduce((sum, { scores }) => sum + scores[measure]!, 0) / asked.length
}
