import { mkdirSync, writeFileSync } from 'node:fs'
import type { BenchResult, Table } from './bench.ts'
import { drawChart } from './draw-chart.ts'
import { formatTable, formatVerdicts } from './format-table.ts'
import { describeCommit, describeMachine } from './machine.ts'

/** What was run, and how its result is shown. */
export interface ReportOptions {
  /** The whole command, as a person would type it. */
  readonly command: string
  /** Name of the files in `bench/results`. */
  readonly name: string
  /** Whose `results` folder they go to. @default 'bench' */
  readonly folder?: 'bench' | 'evals'
  readonly quick: boolean
  readonly json: boolean
}

/** One line for each figure, so that a change of one shows as one line. */
function toFile({ figures, ...rest }: { readonly figures: BenchResult['figures'] } & Record<string, unknown>): string {
  const head = JSON.stringify(rest, null, 2).slice(0, -2)
  return `${head},\n  "figures": [\n    ${figures.map((figure) => JSON.stringify(figure)).join(',\n    ')}\n  ]\n}\n`
}

/** Writes a result, and its chart where it has one, to its folder's `results`. */
function writeResult(result: BenchResult, { command, name, folder = 'bench', quick }: Omit<ReportOptions, 'json'>): void {
  const document = { command, commit: describeCommit(), figures: result.figures }
  const file = new URL(`../../${folder}/results/${name}${quick ? '.quick' : ''}.json`, import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, toFile({ ...document, ...result.facts, machine: describeMachine(), notes: result.notes ?? [] }))
  if (result.chart !== undefined) writeFileSync(new URL(file.href.replace(/json$/, 'svg')), drawChart(result.chart))
}

/** Writes a result to its folder's `results`, prints it as tables or as one JSON document, and sets the exit code by its bars. */
export function report(result: BenchResult, { json, ...options }: ReportOptions): void {
  writeResult(result, options)
  if (json) console.log(JSON.stringify({ command: options.command, commit: describeCommit(), figures: result.figures }, null, 2))
  else {
    const tables: readonly Table[] = Array.isArray(result.table) ? result.table : [result.table as Table]
    const parts = [...tables.map(formatTable), ...(result.notes ?? []), formatVerdicts(result.figures)]
    console.log(`\n${parts.filter((part) => part !== '').join('\n\n')}\n`)
  }
  if (result.figures.some((figure) => !figure.ok)) process.exitCode = 1
}
