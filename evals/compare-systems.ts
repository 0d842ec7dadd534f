import { comparePaired, type PairedComparison } from 'ashlar/evaluation'
import { knownSets } from './known-sets.ts'
import type { AskedQuestion } from './run-set.ts'
import type { SetName } from './sets/sets.ts'

/** The questions that the headline of a set is about: all but those of categories that stand apart. */
export function headlineOf(set: SetName, asked: readonly AskedQuestion[]): readonly AskedQuestion[] {
  const { apart = [] } = knownSets[set]
  return asked.filter(({ category }) => category === undefined || !apart.includes(category))
}

/** A difference in the unit of the set, and as people read it. */
export interface Difference extends PairedComparison {
  readonly text: string
}

/** What the second system has more than the first on the same questions, for each measure of a set or those that are named by number. */
export function compareSystems(
  set: SetName,
  first: readonly AskedQuestion[],
  second: readonly AskedQuestion[],
  measures: readonly number[] = [...(second[0]?.scores ?? []).keys()],
): readonly Difference[] {
  if (first.length !== second.length) throw new Error(`Scores of ${set} are of ${first.length} and of ${second.length} questions`)
  const scale = knownSets[set].unit === '%' ? 100 : 1
  const clusters = headlineOf(set, second).map(({ cluster }) => cluster)
  return measures.map((at) => {
    const of = (asked: readonly AskedQuestion[]): number[] => headlineOf(set, asked).map(({ scores }) => scale * scores[at]!)
    const compared = comparePaired(of(first), of(second), { clusters })
    const { mean, low, high } = compared.difference
    return { ...compared, text: `${signed(mean, scale)} [${signed(low, scale)}, ${signed(high, scale)}]` }
  })
}

function signed(value: number, scale: number): string {
  const text = value.toFixed(scale === 100 ? 1 : 3)
  return value > 0 ? `+${text}` : text
}
