import type { Figure } from '../../bench/harness/bench.ts'
import { compareSystems, type Difference, headlineOf } from '../compare-systems.ts'
import { knownSets } from '../known-sets.ts'
import { defaultSystem, readResults, readScores, resultName, type SetResult } from '../results-folder.ts'
import type { SetName } from '../sets/sets.ts'

/** What the results of all sets and systems say together. */
export interface Standing {
  readonly results: readonly SetResult[]
  /** Systems in the order they are shown in: our default, our other configurations, peers. */
  readonly ours: readonly string[]
  readonly peers: readonly string[]
  result(set: SetName, system: string): SetResult | undefined
  figure(set: SetName, system: string, name: string): Figure | undefined
  /** How many questions of a set its headline is of. */
  questions(set: SetName): number
  /** What our default has more than a system, in the measure by which a set compares; undefined where one of them was not asked. */
  ahead(set: SetName, system: string): Difference | undefined
}

/** Names of the figures that say what a run cost. */
export const costNames = {
  search: 'CPU a search, embedding the question apart',
  embedding: 'CPU of embedding a question',
  index: 'CPU of indexing',
}

const order = [defaultSystem, 'ashlar+cross-encoder', 'ashlar+bge', 'ashlar+potion', 'ashlar+words', 'ashlar+base']

/** The sets in the order they are shown in. */
export const setNames = Object.keys(knownSets) as readonly SetName[]

export function readStanding(): Standing {
  const results = readResults().filter(({ part }) => part === 'test')
  const systems = [...new Set(results.map(({ system }) => system))].sort()
  const result: Standing['result'] = (set, system) => results.find((one) => one.set === set && one.system === system)
  const measureOf = (set: SetName): number => Object.keys(knownSets[set].measures).indexOf(knownSets[set].headline)
  return {
    results,
    ours: order.filter((name) => systems.includes(name)),
    peers: systems.filter((name) => !order.includes(name)),
    result,
    figure: (set, system, name) => result(set, system)?.figures.find((figure) => figure.name === name),
    questions: (set) => headlineOf(set, readScores(resultName(set, defaultSystem, 'test')) ?? []).length,
    ahead(set, system) {
      if (result(set, system) === undefined || result(set, defaultSystem) === undefined) return undefined
      const [other, own] = [system, defaultSystem].map((name) => readScores(resultName(set, name, 'test')))
      if (other === null || own === null || other!.length !== own!.length) return undefined
      return compareSystems(set, other!, own!, [measureOf(set)])[0]
    },
  }
}
