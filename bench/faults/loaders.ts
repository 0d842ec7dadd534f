import { isAshlarError } from 'ashlar'
import { loaderPool } from 'ashlar/node'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { hostileFiles } from '../loaders/hostile-files.ts'

/** How much longer than its limit a file may take until its failure is reported. */
const slack = 3000

interface Outcome {
  readonly name: string
  readonly family: string
  readonly outcome: string
  readonly expected: boolean
  readonly milliseconds: number
  /** Ill-formed text in what was read, or a failure without its file's name. */
  readonly flaw: string | undefined
}

/** Files made to hurt, through the pool of loaders: nothing crashes, nothing hangs, every file is accounted for by a code of its own. */
export async function loaders({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const outcomes: Outcome[] = []
  const unhandled: unknown[] = []
  const keep = (error: unknown): void => void unhandled.push(error)
  process.on('uncaughtException', keep)
  process.on('unhandledRejection', keep)
  const limit = quick ? 10_000 : 60_000
  const pool = loaderPool({ processes: 2, milliseconds: limit, megabytes: 768 })
  try {
    progress.step('making them')
    // All before the first is read: making one would hold up the clock of another.
    const all = [...hostileFiles(quick ? 40 : 400, quick ? 1 / 16 : 1)]
    const running = new Set<Promise<void>>()
    let index = 0
    for (const file of all) {
      index++
      if (quick && file.family !== 'bomb' && file.family !== 'pdf' && index % 5 !== 0) continue
      progress.step('hostile files', index, all.length)
      const one = readOne(pool, file).then((outcome) => {
        outcomes.push(outcome)
        running.delete(one)
      })
      running.add(one)
      // One waits for each of the two that are read, so that the time of a file is its own.
      if (running.size >= 2) await Promise.race(running)
    }
    await Promise.all(running)
    const after = await pool.load({ name: 'after.txt', bytes: new TextEncoder().encode('still here') })
    return judge(outcomes, unhandled, after[0]?.text === 'still here', limit, quick)
  } finally {
    await pool.close()
    process.off('uncaughtException', keep)
    process.off('unhandledRejection', keep)
  }
}

async function readOne(
  pool: ReturnType<typeof loaderPool>,
  {
    name,
    family,
    bytes,
    allowed,
  }: { readonly name: string; readonly family: string; readonly bytes: Uint8Array; readonly allowed: readonly string[] },
): Promise<Outcome> {
  const started = performance.now()
  let outcome = 'read'
  let flaw: string | undefined
  try {
    for (const { text } of await pool.load({ name, bytes }))
      if (!text.isWellFormed() || text.includes('\0')) flaw = 'ill-formed text'
  } catch (error) {
    outcome = isAshlarError(error) ? error.code : `not ours: ${String(error).slice(0, 80)}`
    if (isAshlarError(error) && error.details['name'] !== name) flaw = 'the failure does not name its file'
  }
  return {
    name: name.slice(-60),
    family,
    outcome,
    expected: allowed.includes(outcome),
    milliseconds: performance.now() - started,
    flaw,
  }
}

function judge(
  outcomes: readonly Outcome[],
  unhandled: readonly unknown[],
  alive: boolean,
  limit: number,
  quick: boolean,
): BenchResult {
  const families = [...new Set(outcomes.map(({ family }) => family))]
  const codes = [...new Set(outcomes.map(({ outcome }) => outcome))].toSorted()
  const count = (test: (outcome: Outcome) => boolean): number => outcomes.filter(test).length
  const slowest = outcomes.toSorted((one, other) => other.milliseconds - one.milliseconds)[0] as Outcome
  const wrong = outcomes.filter(({ expected, flaw }) => !expected || flaw !== undefined)
  return {
    figures: [
      figure('hostile files', outcomes.length, 'files', quick ? null : '>= 300'),
      figure(
        'crashes: errors that nobody caught, or a pool that no longer reads',
        unhandled.length + (alive ? 0 : 1),
        'crashes',
        '= 0',
      ),
      figure(
        'files over the limit of time',
        count(({ milliseconds }) => milliseconds > limit + slack),
        'files',
        '= 0',
      ),
      figure(
        'files that are not accounted for by one of our codes',
        count(({ outcome }) => outcome.startsWith('not ours')),
        'files',
        '= 0',
      ),
      figure('files with another outcome than they may have', wrong.length, 'files', '= 0'),
      figure('slowest file', slowest.milliseconds / 1000, 's'),
      ...codes.map((code) =>
        figure(
          `outcome ${code}`,
          count(({ outcome }) => outcome === code),
          'files',
        ),
      ),
    ],
    table: {
      columns: ['family', 'files', ...codes, 'slowest s'],
      rows: families.map((family) => {
        const own = outcomes.filter((each) => each.family === family)
        return [
          family,
          own.length,
          ...codes.map((code) => own.filter(({ outcome }) => outcome === code).length),
          (Math.max(...own.map(({ milliseconds }) => milliseconds)) / 1000).toFixed(1),
        ]
      }),
    },
    notes: [
      `Two processes of 768 MB, ${limit / 1000} s a file. The slowest was ${slowest.name}. Mutations are drawn with a fixed seed from the files of the loaders' bench.`,
      ...wrong.slice(0, 30).map(({ name, outcome, flaw }) => `${name}: ${flaw ?? outcome}`),
    ],
  }
}
