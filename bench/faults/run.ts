/**
 * The faults command: `npm run faults -- <name> [--json] [--quick]`.
 *
 * Builds the library, does harm to processes that use it, writes `bench/results/`, and exits with 1 when a bar is missed.
 */
import { parseArgs } from 'node:util'
import type { BenchOptions, BenchResult } from '../harness/bench.ts'
import { buildLibrary } from '../harness/build-library.ts'
import { openProgress } from '../harness/progress.ts'
import { report } from '../harness/report.ts'

const suites: Record<
  string,
  { readonly summary: string; readonly load: () => Promise<(options: BenchOptions) => Promise<BenchResult>> }
> = {
  embed: {
    summary: 'kill -9 at 50 random instants of embedding 10,000 chunks, then resume: nothing lost, nothing paid for twice',
    load: async () => (await import('./embed.ts')).embed,
  },
  stores: {
    summary: 'kill -9 at 100 random instants of writing to a store: everything reported is there, nothing in halves, no orphans',
    load: async () => (await import('./stores.ts')).stores,
  },
  concurrency: {
    summary: '8 writers in 4 processes and 8 readers on one store for 60 s: nobody fails, nothing is torn, nothing is lost',
    load: async () => (await import('./concurrency.ts')).concurrency,
  },
}

const help = `Usage: npm run faults -- <name> [--json] [--quick]

${Object.entries(suites)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

  --json      print one JSON document { command, commit, figures } instead of the table
  --quick     fewer and smaller runs, within a minute
  --no-build  use packages/ashlar/dist as it is

A run writes bench/results/faults-<name>.json and exits with 1 when a bar is missed.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const [name, ...rest] = positionals

if (values.help || name === undefined) console.log(help)
else if (rest.length > 0 || suites[name] === undefined) {
  console.error(
    `${rest.length > 0 ? 'One suite at a time' : `No suite is called ${name}`}; there are: ${Object.keys(suites).join(', ')}`,
  )
  process.exitCode = 2
} else {
  if (!values['no-build']) buildLibrary()
  const progress = openProgress()
  const run = await suites[name].load()
  const result = await run({ quick: values.quick, progress })
  progress.end()
  const command = `npm run faults -- ${name}${values.quick ? ' --quick' : ''}`
  report(result, { command, name: `faults-${name}`, quick: values.quick, json: values.json })
}
