import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { BenchOptions, BenchResult } from '../../bench/harness/bench.ts'
import { figure } from '../../bench/harness/bench.ts'
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

/** Asks every system every set, as many at once as there are cores, then rebuilds the page. With `--quick` a part of each set of the default alone. */
export async function runAll(options: BenchOptions): Promise<BenchResult> {
  const systems = options.quick ? [defaultSystem] : [...configurations.map(({ name }) => name), ...publishedPeers()]
  const jobs = setNames.flatMap((set) => systems.filter((system) => !isLeftOut(set, system)).map((system) => ({ set, system })))
  const failed: string[] = []
  let done = 0
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { set, system } = job
      options.progress.step(`${set}, ${system}`, done, done + jobs.length + 1)
      const problem = await runApart(set, system, options.quick)
      if (problem !== null) failed.push(`${set}, ${system}: ${problem}`)
      done++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const result = await rebuild(options)
  return { ...result, notes: [...(result.notes ?? []), ...failed] }
}

/** Runs one set and system in a process of its own, so that one that fails takes nothing else with it; gives what went wrong, or null. */
function runApart(set: SetName, system: string, quick: boolean): Promise<string | null> {
  const script = fileURLToPath(new URL('../run.ts', import.meta.url))
  const flags = ['--json', '--no-build', ...(system === defaultSystem ? [] : ['--system', system]), ...(quick ? ['--quick'] : [])]
  return new Promise((resolve) => {
    execFile(process.execPath, [script, set, ...flags], { maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
      // A bar that was missed ends with 1 as well, but not without having said what was measured.
      resolve(stdout.trimStart().startsWith('{') ? null : stderr.trim().split('\n').slice(-8).join('\n'))
    })
  })
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
    // Where a set has not been asked, nothing can be said of all of them.
    const complete = !quick && differences.every((difference) => difference !== undefined)
    return figure(name, ahead, 'sets', complete ? `>= ${contested.length - 1}` : null)
  })
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
