import type { Progress } from './progress.ts'

/** One measured number, and the bar it must clear where it has one. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What is asked of the value: `<= 2`, `>= 15`; null when the figure is only reported. */
  readonly bar: string | null
  /** Whether the bar is cleared; true where there is none. */
  readonly ok: boolean
  /** Where the value lies with 95 % confidence, for what was drawn from a population. */
  readonly interval?: readonly [low: number, high: number]
}

/** Rows for a person to read; cells that are numbers are aligned to the right. */
export interface Table {
  readonly title?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** One bar of a chart. */
export interface ChartBar {
  readonly label: string
  readonly value: number
  /** Written behind the bar instead of the plain value. */
  readonly note?: string
  /** Ours are drawn in the strong colour, everything else in the quiet one. */
  readonly ours?: boolean
}

export interface Chart {
  readonly title: string
  /** What the length of a bar means, with its unit and which way is better. */
  readonly axis: string
  readonly bars: readonly ChartBar[]
  /** Draws a line across the bars at the value that must be cleared. */
  readonly limit?: { readonly value: number; readonly label: string }
}

export interface BenchResult {
  readonly figures: readonly Figure[]
  readonly table: Table | readonly Table[]
  /** Sentences under the table: what was measured on, what was left out, what is extrapolated. */
  readonly notes?: readonly string[]
  readonly chart?: Chart
  /** Name of the results file, where one command has several. @default that of the bench */
  readonly name?: string
  /** What else the results file says: configuration, counts. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export interface BenchOptions {
  /** Smaller inputs and fewer rounds: done within a minute, not for quoting. */
  readonly quick: boolean
  readonly progress: Progress
  /** What was given for the options that the command has besides, by name. */
  readonly given?: Readonly<Record<string, string | undefined>>
}

export interface Bench {
  /** One line: what is shown. */
  readonly summary: string
  readonly run: (options: BenchOptions) => Promise<BenchResult>
}

/** A figure with `ok` worked out from its bar: `figure('ratio', 1.8, 'x', '<= 2')`. A value that is not a number fails every bar. */
export function figure(name: string, value: number, unit: string, bar: `${'<=' | '>=' | '='} ${number}` | null = null): Figure {
  return { name, value: round(value), unit, bar, ok: bar === null || clears(value, bar) }
}

function clears(value: number, bar: string): boolean {
  const limit = Number(bar.slice(2))
  if (bar.startsWith('<=')) return value <= limit
  if (bar.startsWith('>=')) return value >= limit
  return value === limit
}

/** Four significant digits: more would claim a precision that no run has. */
export function round(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}
