import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Figure } from '../bench/harness/bench.ts'
import { describeCommit } from '../bench/harness/machine.ts'
import type { AskedQuestion } from './run-set.ts'

/** The system that is meant where none is named. */
export const defaultSystem = 'ashlar'

const home = new URL('./results/', import.meta.url)

/** What a results file of a set and a system says. */
export interface SetResult {
  readonly command: string
  readonly commit: string
  readonly set: string
  readonly part: 'dev' | 'test'
  readonly system: string
  readonly settings: string
  readonly counts: Readonly<Record<string, number>>
  readonly figures: readonly Figure[]
  readonly machine: { readonly date: string }
}

/** The name of the results of a set and a system, without its ending; the default system's are called as the set is. */
export function resultName(set: string, system: string, part: 'dev' | 'test'): string {
  return `${set}${system === defaultSystem ? '' : `.${system}`}${part === 'dev' ? '.dev' : ''}`
}

/** Keeps what each question came to, so that systems can be compared question by question later. */
export function writeScores(name: string, asked: readonly AskedQuestion[]): void {
  const clusters = [...new Set(asked.map(({ cluster }) => cluster))]
  const categories = [...new Set(asked.map(({ category }) => category ?? null))]
  const rows = asked.map(({ cluster, category, scores }) => [
    clusters.indexOf(cluster),
    categories.indexOf(category ?? null),
    ...scores.map((score) => Number(score.toFixed(4))),
  ])
  mkdirSync(new URL('scores/', home), { recursive: true })
  // Clusters are told apart by number alone: their names are the questions themselves where each is its own.
  writeFileSync(scoresFile(name), gzipSync(JSON.stringify({ categories, rows }), { level: 9 }))
}

/** What each question came to, in the order of the set; null where it is not kept. */
export function readScores(name: string): readonly AskedQuestion[] | null {
  if (!existsSync(scoresFile(name))) return null
  const { categories, rows } = JSON.parse(gunzipSync(readFileSync(scoresFile(name))).toString('utf8')) as {
    readonly categories: readonly (string | null)[]
    readonly rows: readonly (readonly number[])[]
  }
  return rows.map(([cluster, category, ...scores], at) => ({
    id: String(at),
    cluster: String(cluster),
    category: categories[category!] ?? undefined,
    scores,
  }))
}

/** Systems whose scores on a part of a set are kept. */
export function scoredSystems(set: string, part: 'dev' | 'test'): string[] {
  if (!existsSync(new URL('scores/', home))) return []
  const ending = `${part === 'dev' ? '.dev' : ''}.json.gz`
  return readdirSync(new URL('scores/', home))
    .filter((name) => name.endsWith(ending) && (part === 'dev' || !name.endsWith('.dev.json.gz')))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => name === set || name.startsWith(`${set}.`))
    .map((name) => (name === set ? defaultSystem : name.slice(set.length + 1)))
    .sort()
}

function scoresFile(name: string): URL {
  return new URL(`scores/${name}.json.gz`, home)
}

/** The results of one set, by system, in the order of their names. */
export function readResults(): SetResult[] {
  return readdirSync(home)
    .filter((name) => name.endsWith('.json') && !/\.(quick|dev)\.json$/.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, home), 'utf8')) as SetResult)
    .filter(({ system }) => system !== undefined)
}

const log = new URL('test-runs.jsonl', home)

/** A run on the test part of a set. Everybody can count how often one was looked at. */
export interface TestRun {
  readonly date: string
  readonly commit: string
  readonly set: string
  readonly system: string
  readonly settings: string
  readonly headline: Readonly<Record<string, number>>
}

export function logTestRun({ set, system, settings, headline }: Omit<TestRun, 'date' | 'commit'>): void {
  const run: TestRun = { date: new Date().toISOString(), commit: describeCommit(), set, system, settings, headline }
  appendFileSync(log, `${JSON.stringify(run)}\n`)
}

/** Every run on a test part so far. */
export function readTestRuns(): TestRun[] {
  if (!existsSync(log)) return []
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestRun)
}
