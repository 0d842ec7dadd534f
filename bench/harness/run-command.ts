import { parseArgs } from 'node:util'
import type { BenchOptions, BenchResult } from './bench.ts'
import { buildLibrary } from './build-library.ts'
import { openProgress } from './progress.ts'
import { report } from './report.ts'

/** One thing that a command can run, loaded when it is asked for: each needs its own peers, not those of the others. */
interface Suite {
  readonly summary: string
  readonly load: () => Promise<(options: BenchOptions) => Promise<BenchResult>>
}

/** A command of the project: `npm run <script> -- <name> [--json] [--quick]`. */
export interface Command {
  readonly script: 'bench' | 'faults' | 'eval'
  /** What one suite is called in messages: `bench`, `evaluation`. */
  readonly noun: string
  readonly suites: Readonly<Record<string, Suite>>
  /** Options with a value that its suites understand, besides those of every command. @default none */
  readonly options?: readonly string[]
  /** Help on the options, and what else there is to know, under the list of suites. */
  readonly help: string
  /** Put before the name of the results file. @default '' */
  readonly prefix?: string
  /** Where results go. @default 'bench' */
  readonly folder?: 'bench' | 'evals'
}

/**
 * Builds the library, runs the suite that the command line names, prints a table (or one JSON document), writes its results, and sets
 * the exit code to 1 when a bar is missed, to 2 when there is no such suite.
 */
export async function runCommand({
  script,
  noun,
  suites,
  help,
  options = [],
  prefix = '',
  folder = 'bench',
}: Command): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      'no-build': { type: 'boolean', default: false },
      ...Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
    },
  })
  const [name, ...rest] = positionals
  if (values.help || name === undefined) {
    const list = Object.entries(suites).map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`)
    console.log(`Usage: npm run ${script} -- <name> [--json] [--quick]\n\n${list.join('\n')}\n\n${help}`)
    return
  }
  const suite = suites[name]
  if (rest.length > 0 || suite === undefined) {
    const fault = rest.length > 0 ? `One ${noun} at a time` : `No ${noun} is called ${name}`
    console.error(`${fault}; there are: ${Object.keys(suites).join(', ')}`)
    process.exitCode = 2
    return
  }
  if (!values['no-build']) buildLibrary()
  const progress = openProgress()
  const run = await suite.load()
  const given = Object.fromEntries(
    options.map((option) => [option, (values as Record<string, unknown>)[option] as string | undefined]),
  )
  const result = await run({ quick: values.quick, progress, given })
  progress.end()
  const flags = Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [` --${option} ${value}`]))
  const command = `npm run ${script} -- ${name}${flags.join('')}${values.quick ? ' --quick' : ''}`
  const file = `${prefix}${result.name ?? name}`
  report(result, { command, name: file, quick: values.quick, json: values.json, folder })
}
