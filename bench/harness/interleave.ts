import { collectGarbage } from './collect-garbage.ts'
import type { Progress } from './progress.ts'

/** Something that does the whole job once and gives back a number that depends on all of its output. */
export interface Candidate {
  readonly name: string
  /** Consumes everything it makes: lengths are summed, so that nothing can be skipped or left lazy. */
  readonly run: () => number | Promise<number>
}

export interface Timing {
  readonly name: string
  /** Median CPU time (user and system, all threads of the process) of one run, in milliseconds. */
  readonly cpu: number
  /** CPU time of every round, in milliseconds, in the order they were run. */
  readonly rounds: readonly number[]
  /** What the candidate returned; the same in each round, or the run is refused. */
  readonly output: number
}

/** What a warm-up takes where nothing else is said. */
const warmUpTime = 1500

/**
 * Measures candidates side by side: each round runs all of them, each round starts with another one.
 *
 * A machine that slows down for a while then slows down everybody, and ratios stay true. Before the first counted round
 * each candidate is warmed up, at least by one run: a run that takes a few milliseconds is else measured while it
 * is still being compiled.
 */
export async function interleave(
  candidates: readonly Candidate[],
  options: {
    readonly rounds: number
    readonly progress: Progress
    /** CPU milliseconds that each candidate runs before it is measured; `false`: none. @default 1500 */
    readonly warmUp?: boolean | number
    /** Milliseconds of CPU time so far. @default that of this process */
    readonly clock?: () => number
  },
): Promise<Timing[]> {
  const { clock = processTime } = options
  const taken = candidates.map((): number[] => [])
  const outputs: (number | undefined)[] = candidates.map(() => undefined)
  const total = options.rounds * candidates.length
  let done = 0
  const runOnce = async (which: number): Promise<number> => {
    const candidate = candidates[which]!
    collectGarbage()
    const before = clock()
    const output = await candidate.run()
    const spent = clock() - before
    if (outputs[which] !== undefined && outputs[which] !== output)
      throw new Error(`${candidate.name} gave ${output} after ${outputs[which]}: its rounds did not do the same work`)
    outputs[which] = output
    return spent
  }
  const warmUp = typeof options.warmUp === 'number' ? options.warmUp : warmUpTime
  if (options.warmUp !== false) {
    for (const [which, { name }] of candidates.entries()) {
      options.progress.step(`warming up ${name}`)
      for (let spent = 0; spent < warmUp; ) spent += await runOnce(which)
    }
  }
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const which = (turn + round) % candidates.length
      options.progress.step(`round ${round + 1}: ${candidates[which]!.name}`, done++, total)
      taken[which]!.push(await runOnce(which))
    }
  }
  options.progress.end()
  return candidates.map((candidate, i) => ({
    name: candidate.name,
    cpu: median(taken[i]!),
    rounds: taken[i]!.map((ms) => Number(ms.toFixed(2))),
    output: outputs[i]!,
  }))
}

/** Milliseconds of CPU time, user and system, that this process has taken so far. */
export function processTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The value in the middle; the mean of the two middle ones for an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value below which `share` of the others lie, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
}
