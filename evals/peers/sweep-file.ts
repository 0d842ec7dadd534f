import { existsSync, readFileSync } from 'node:fs'
import type { ChunkCounts } from './peer.ts'

/** What one way to set a peer up reached on a dev part. */
export interface SweepRow {
  readonly settings: string
  /** One mean for each measure of the set. */
  readonly scores: readonly number[]
  readonly chunks: ChunkCounts
  /** CPU time of this process; that of a database is not in it. */
  readonly millisecondsAQuestion: number
}

/** What was tried on the dev part of one set. */
export interface SweepFile {
  readonly set: string
  readonly measures: readonly string[]
  readonly questions: number
  readonly rows: Readonly<Record<string, SweepRow>>
}

export function sweepFile(set: string): URL {
  return new URL(`./sweep/${set}.json`, import.meta.url)
}

/** The set whose dev part chooses for a set: its own, or one of the same kind where it has none or is no place to choose. */
const choosing: Readonly<Record<string, string>> = {
  'anthropic-code': 'locomo',
  beam: 'locomo',
  'beam-1m': 'locomo',
  'anthropic-docs': 'scifact',
  longmemeval: 'scifact',
  xquad: 'scifact',
}

/** The variant of a peer that did best where a set is chosen for. */
export function bestVariant(family: string, set: string): string {
  const from = choosing[set] ?? set
  const path = sweepFile(from)
  if (!existsSync(path)) throw new Error(`Nothing was tried on ${from} yet: run node evals/peers/sweep.ts ${from}`)
  const { rows } = JSON.parse(readFileSync(path, 'utf8')) as SweepFile
  const [best] = Object.entries(rows)
    .filter(([system]) => system.startsWith(`${family}@`))
    .sort(([, a], [, b]) => headline(from, b) - headline(from, a))
  if (best === undefined)
    throw new Error(`${family} was not tried on ${from} yet: run node evals/peers/sweep.ts ${from} --peer ${family}`)
  return best[0].slice(family.length + 1)
}

/** On Chroma the mean of its three budgets, elsewhere the first measure. */
function headline(set: string, { scores }: SweepRow): number {
  const counted = scores.slice(0, set === 'chroma' ? 3 : 1)
  return counted.reduce((sum, score) => sum + score, 0) / counted.length
}
