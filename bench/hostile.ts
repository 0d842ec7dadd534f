import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Bench, type BenchOptions, type ChartBar, type Figure, figure, type Table } from './harness/bench.ts'
import { type Isolate, type Outcome, openIsolate } from './harness/isolate.ts'
import { counterNames, formats, type HostileJob, type HostileResult } from './hostile-case.ts'
import { hostileTexts } from './inputs/hostile-texts.ts'

interface Case {
  readonly format: string
  readonly counter: string
  readonly input: string
}

interface CaseResult extends Case {
  /** CPU milliseconds at the small size; infinite when the case failed. */
  readonly small: number
  /** Time at eight times the size over the time at the small one; infinite when the case failed. */
  readonly ratio: number
  /** Why there are no times: a hang, a throw, a crash. */
  readonly failure?: string
}

const slowest = 3_000
/** By the clock on the wall, on a machine that may be busy: only what hangs is stopped, what is slow is measured. */
const patience = 180_000
const steepest = 10

/** Inputs made to hurt through every format, and through every counter with plain text; nothing may hang, throw or bend. */
export const hostile: Bench = {
  summary: 'inputs made to hurt, 1 MB and 8 MB',
  async run(options) {
    const size = options.quick ? 62_500 : 1_000_000
    const tokenizer = findTokenizer()
    const cases = listCases(options.quick, tokenizer)
    const results = await runCases(cases, size, tokenizer, options)
    const groups = [...new Set(results.map(groupOf))]
    const figures: Figure[] = groups.flatMap((group) => {
      const own = results.filter((result) => groupOf(result) === group)
      return [
        figure(
          `${group}: failed cases of ${own.length}`,
          own.filter(({ failure }) => failure !== undefined).length,
          'cases',
          '= 0',
        ),
        figure(
          `${group}: steepest growth to eight times the size`,
          Math.max(...own.map(({ ratio }) => ratio)),
          'x',
          `<= ${steepest}`,
        ),
        figure(`${group}: slowest at ${size / 1e6} MB`, Math.max(...own.map(({ small }) => small)), 'ms', `<= ${slowest}`),
      ]
    })
    figures.push(...results.flatMap(toFigures))
    const failures = results.filter(({ failure }) => failure !== undefined)
    return {
      figures,
      table: [toTable(results.filter(({ counter }) => counter === 'characters')), toTable(results.filter(isOfCounter))],
      notes: [
        `Each cell: CPU ms at ${size / 1e6} MB, then how many times as long eight times the size takes. Both sizes are timed in turn, four cuts of the small one against one of the large; a ratio over ${steepest} is measured again in a new process, twice at most, and the least times count. 400 characters with overlap 80; the other counters 256 with overlap 32.`,
        ...(tokenizer === null
          ? ['No tokenizer.json found (ASHLAR_MODELS or ../shared/models): that counter was left out.']
          : []),
        ...(failures.length === 0 ? [] : [failures.map(describeFailure).join('\n')]),
      ],
      chart: toChart(groups, results),
    }
  },
}

function describeFailure({ format, counter, input, failure }: CaseResult): string {
  return `FAILED ${format}, ${counter}, ${input}: ${failure}`
}

function listCases(quick: boolean, tokenizer: string | null): Case[] {
  const names = Object.keys(formats)
  // The quick run keeps a third of the inputs; that it covers every format and counter matters more.
  const texts = hostileTexts.filter((text, i) => !quick || (text.counters && i % 2 === 0) || (text.formats && i % 3 === 0))
  const ofFormats = texts.flatMap((text) =>
    (text.formats ?? names).map((format) => ({ format, counter: 'characters', input: text.name })),
  )
  const ofCounters = counterNames
    .filter((counter) => counter !== 'characters' && (counter !== 'tokenizer.json' || tokenizer !== null))
    .flatMap((counter) => texts.filter((text) => text.counters).map(({ name }) => ({ format: 'plain', counter, input: name })))
  return [...ofFormats, ...ofCounters]
}

async function runCases(
  cases: readonly Case[],
  size: number,
  tokenizer: string | null,
  options: BenchOptions,
): Promise<CaseResult[]> {
  const isolate = openIsolate<HostileJob, HostileResult>(new URL('./hostile-case.ts', import.meta.url))
  const results: CaseResult[] = []
  for (const [i, one] of cases.entries()) {
    options.progress.step(`${one.format}, ${one.counter}: ${one.input}`, i, cases.length)
    results.push(await runCase(isolate, one, size, tokenizer))
  }
  isolate.close()
  return results
}

/** A ratio over the bar is measured again in a new process, with more rounds; the least times count. */
async function runCase(
  isolate: Isolate<HostileJob, HostileResult>,
  one: Case,
  size: number,
  tokenizer: string | null,
): Promise<CaseResult> {
  let small = Number.POSITIVE_INFINITY
  let large = Number.POSITIVE_INFINITY
  for (const rounds of [1, 3, 6]) {
    const outcome = await isolate.run({ ...one, size, rounds, tokenizer }, patience * rounds)
    if (outcome.type !== 'done') return { ...one, small, ratio: Number.POSITIVE_INFINITY, failure: explain(outcome) }
    small = Math.min(small, outcome.value.small)
    large = Math.min(large, outcome.value.large)
    if (large / small <= steepest) break
    isolate.close()
  }
  return { ...one, small, ratio: large / small }
}

function explain(outcome: Exclude<Outcome<HostileResult>, { readonly type: 'done' }>): string {
  return outcome.type === 'hung' ? `not done after ${outcome.seconds} s` : `${outcome.type}: ${outcome.message}`
}

function toFigures({ format, counter, input, small, ratio }: CaseResult): Figure[] {
  const name = `${format}, ${counter}, ${input}`
  return [figure(`${name}: time`, small, 'ms', `<= ${slowest}`), figure(`${name}: growth`, ratio, 'x', `<= ${steepest}`)]
}

function groupOf({ format, counter }: Case): string {
  return counter === 'characters' ? format : counter
}

function isOfCounter({ counter, format }: Case): boolean {
  return counter !== 'characters' && format === 'plain'
}

/** Inputs down, formats or counters across. */
function toTable(results: readonly CaseResult[]): Table {
  const groups = [...new Set(results.map(groupOf))]
  const inputs = [...new Set(results.map(({ input }) => input))]
  const cell = (input: string, group: string): string => {
    const found = results.find((result) => result.input === input && groupOf(result) === group)
    if (found === undefined) return ''
    if (found.failure !== undefined) return 'FAILED'
    return `${found.small >= 100 ? found.small.toFixed(0) : found.small.toPrecision(2)} ${found.ratio.toFixed(1)}`
  }
  return { columns: ['input', ...groups], rows: inputs.map((input) => [input, ...groups.map((group) => cell(input, group))]) }
}

function toChart(groups: readonly string[], results: readonly CaseResult[]) {
  const bars: ChartBar[] = groups.map((group) => {
    const worst = results.filter((result) => groupOf(result) === group).reduce((a, b) => (b.ratio > a.ratio ? b : a))
    return { label: group, value: worst.ratio, note: `${worst.ratio.toFixed(1)}  ${worst.input}`, ours: true }
  })
  return {
    title: 'Hostile inputs: the steepest case of each format and counter',
    axis: 'time at 8 MB over time at 1 MB; 8 is linear (shorter is better)',
    bars,
    limit: { value: steepest, label: `bar: ${steepest}` },
  }
}

/** The tokenizer.json of a small embedding model, where one is at hand. */
function findTokenizer(): string | null {
  const folders = [process.env['ASHLAR_MODELS'], fileURLToPath(new URL('../../shared/models', import.meta.url))]
  const files = folders.filter((folder) => folder !== undefined).map((folder) => `${folder}/all-MiniLM-L6-v2/tokenizer.json`)
  return files.find((file) => existsSync(file)) ?? null
}
