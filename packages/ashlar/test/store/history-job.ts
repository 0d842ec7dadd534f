import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { Store } from '../../src/store/store.ts'
import { openHistory, type Reading, readDocuments, type Say, writeHistory } from './write-history.ts'

/** What a process does to a store: it writes and reads until its time is over or it is killed. */
export interface HistoryJob {
  readonly engine: 'sqlite' | 'postgres'
  /** The file or the address of the database. */
  readonly place: string
  readonly log: string
  /** Documents whose ids begin so are its own. */
  readonly name: string
  /** Writers and readers in this process, beside each other. */
  readonly writers: number
  readonly readers: number
  /** Documents that the writers of all processes write to, besides. */
  readonly shared: number
  /** Documents that its readers read. */
  readonly ids: readonly string[]
  /** Milliseconds. */
  readonly for: number
  readonly seed: number
  /** Versions are above this, those of each writer by another million. */
  readonly above: number
}

/** What a process that was not killed leaves beside its log. */
export interface JobReport {
  readonly readings: readonly Reading[]
  /** The longest that a write took, in milliseconds. */
  readonly longest: number
}

/** Where a job leaves its report. */
export function reportOf({ log }: Pick<HistoryJob, 'log'>): string {
  return `${log}.report`
}

/** Does a job. Writers that fail end it with an error. */
export async function doHistoryJob(job: HistoryJob, open: (job: HistoryJob, say: Say) => Promise<Store>): Promise<void> {
  const say = openHistory(job.log)
  await using store = await open(job, say)
  const until = performance.now() + job.for
  const isOver = (): boolean => performance.now() >= until
  const { shared, seed, above } = job
  const writing = Array.from({ length: job.writers }, (_, at) =>
    writeHistory(store, { name: `${job.name}w${at}x`, shared, seed: seed * 16 + at, above: above + at * 1_000_000, isOver }, say),
  )
  const reading = Array.from({ length: job.readers }, (_, at) =>
    readDocuments(store, { ids: job.ids, seed: seed * 16 + 8 + at, isOver }),
  )
  const [longest, readings] = await Promise.all([Promise.all(writing), Promise.all(reading)])
  const report: JobReport = { readings, longest: Math.max(0, ...longest) }
  writeFileSync(reportOf(job), JSON.stringify(report))
}

/** A process that does a job. */
export interface JobProcess {
  readonly process: ChildProcess
  /** Resolves to its exit code, or null when it was killed. */
  readonly end: Promise<number | null>
}

/** Starts a process on a script that takes the job as JSON. */
export function startJob(script: string, job: HistoryJob): JobProcess {
  const started = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(job)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { process: started, end: once(started, 'exit').then(([code]) => code as number | null) }
}
