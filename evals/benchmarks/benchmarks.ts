import { mkdirSync, writeFileSync } from 'node:fs'
import type { BenchOptions, BenchResult } from '../../bench/harness/bench.ts'
import { figure } from '../../bench/harness/bench.ts'
import { writeResult } from '../../bench/harness/report.ts'
import { judgeSet } from '../judge-set.ts'
import { knownSets } from '../known-sets.ts'
import { defaultSystem } from '../results-folder.ts'
import type { SetName } from '../sets/sets.ts'
import { configurations, publishedPeers } from '../systems/systems.ts'
import { contested, renderBenchmarks } from './render-benchmarks.ts'
import { readStanding, setNames } from './standing.ts'

/** What takes hours and tells little: a model of English words reading thirty passages for each question in twelve languages. */
function isLeftOut(set: SetName, system: string): boolean {
  if (set === 'xquad') return system === 'ashlar+cross-encoder'
  return set === 'beam-1m' && !['ashlar', 'ashlar+potion', 'ashlar+words'].includes(system)
}

/** Asks every system every set, then rebuilds the page. With `--quick` a part of each set of the default alone. */
export async function runAll(options: BenchOptions): Promise<BenchResult> {
  const systems = options.quick ? [defaultSystem] : [...configurations.map(({ name }) => name), ...publishedPeers()]
  const missed: string[] = []
  for (const set of setNames) {
    for (const system of systems) {
      if (isLeftOut(set, system)) continue
      options.progress.step(`${set}, ${system}`)
      try {
        const result = await judgeSet(set, { ...options, given: { system } })
        const command = `npm run eval -- ${set}${system === defaultSystem ? '' : ` --system ${system}`}${options.quick ? ' --quick' : ''}`
        if (result.name !== undefined) writeResult(result, { command, name: result.name, folder: 'evals', quick: options.quick })
      } catch (error) {
        // One peer that does not run takes nothing away from what the others say.
        missed.push(`${set}, ${system}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  const result = await rebuild(options)
  return { ...result, notes: [...(result.notes ?? []), ...missed] }
}

/** Rebuilds the page from the results alone, and says on how many sets each peer is behind. */
export async function rebuild({ quick }: BenchOptions): Promise<BenchResult> {
  const standing = readStanding()
  const files = quick ? {} : renderBenchmarks(standing)
  for (const [name, content] of Object.entries(files)) {
    const file = new URL(`../../docs/${name}`, import.meta.url)
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, content)
  }
  const own = setNames.flatMap((set) =>
    (standing.result(set, defaultSystem)?.figures ?? []).map((one) => ({ ...one, name: `${knownSets[set].title}: ${one.name}` })),
  )
  const rows: (string | number)[][] = []
  const figures = standing.peers.map((peer) => {
    const differences = contested.map((set) => standing.ahead(set, peer))
    rows.push([peer, ...differences.map((difference) => difference?.text ?? '')])
    const ahead = differences.filter((difference) => difference !== undefined && difference.difference.low > 0).length
    const name = `sets of ${contested.length} on which the default is ahead of ${peer}, interval above zero`
    return figure(name, ahead, 'sets', quick ? null : `>= ${contested.length - 1}`)
  })
  const base = standing.ahead('chroma', 'ashlar+base')
  if (base !== undefined) {
    const name = 'Chroma, evidence in 1,600 characters: more than one vector a child and words, lower end of the interval'
    figures.push(figure(name, base.difference.low, 'points', quick ? null : '>= 0'))
  }
  return {
    name: 'benchmarks',
    figures: [...(quick ? [] : own), ...figures],
    table: {
      title: 'What the default has more than each peer, with 95 % intervals',
      columns: ['', ...contested.map((set) => `${knownSets[set].title}: ${knownSets[set].headline}`)],
      rows,
    },
    notes: [
      quick
        ? 'A quick run rebuilds nothing.'
        : `Rebuilt: ${Object.keys(files)
            .map((name) => `docs/${name}`)
            .join(', ')}.`,
    ],
  }
}
