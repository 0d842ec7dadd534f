import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryData, memoryStore } from 'ashlar/stores'
import { historyScope } from '../../packages/ashlar/test/store/history-document.ts'
import { type HistoryJob, type JobReport, reportOf } from '../../packages/ashlar/test/store/history-job.ts'
import { type HistoryLine, historyTime, possibleVersions, readHistory } from '../../packages/ashlar/test/store/history-log.ts'
import { wrongWith } from '../../packages/ashlar/test/store/kill-trial.ts'
import { memoryOrphans } from '../../packages/ashlar/test/store/memory-orphans.ts'
import { type Reading, readDocuments, writeHistory } from '../../packages/ashlar/test/store/write-history.ts'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { type FaultyEngine, faultyPostgres, faultySqlite } from '../stores/faulty-engines.ts'

const seed = 20_261_117
const processes = 4
const each = 2
const shared = 4

/** What eight writers and eight readers left. */
interface Outcome {
  readonly engine: string
  readonly processes: number
  readonly writes: number
  readonly readings: readonly Reading[]
  /** Writers and processes that ended with an error or did not end. */
  readonly failed: readonly string[]
  /** There where the engine has locks that can be waited for in a circle, and counts the times that they were. */
  readonly deadlocks?: number
  /** The longest that a write took, in milliseconds. */
  readonly longest: number
  readonly wrong: readonly string[]
  readonly orphans: readonly string[]
}

/** Lets writers and readers of several processes work on one store, on documents of their own and on shared ones. */
export async function concurrency({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const seconds = quick ? 8 : 60
  const outcomes: Outcome[] = []
  const people = `${processes * each} writers and ${processes * each} readers for ${seconds} s`
  progress.step(`memory, ${people} in one process`)
  outcomes.push(await inOneProcess(seconds))
  for (const open of [faultySqlite, faultyPostgres]) {
    await using at = await open()
    progress.step(`${at.engine}, ${people} in ${processes} processes`)
    outcomes.push(await inProcesses(at, seconds))
  }
  return judge(outcomes, seconds)
}

/** The documents of everybody. */
const ids = [
  ...Array.from({ length: shared }, (_, at) => `shared${at + 1}`),
  ...Array.from({ length: processes * each * 4 }, (_, at) => `p${Math.floor(at / 8)}w${Math.floor(at / 4) % 2}x${1 + (at % 4)}`),
]

async function inOneProcess(seconds: number): Promise<Outcome> {
  const data = memoryData()
  await using store = memoryStore({ ...historyScope, data })
  const until = performance.now() + seconds * 1000
  const isOver = (): boolean => performance.now() >= until
  const histories = Array.from({ length: processes * each }, () => [] as HistoryLine[])
  const writing = histories.map((history, at) => {
    const name = `p${Math.floor(at / each)}w${at % each}x`
    return writeHistory(store, { name, shared, seed: seed + at, above: at * 1_000_000, isOver }, (line) =>
      history.push({ ...line, at: historyTime() } as HistoryLine),
    )
  })
  const reading = histories.map((_, at) => readDocuments(store, { ids, seed: seed + 100 + at, isOver }))
  const [written, readings] = await Promise.all([Promise.allSettled(writing), Promise.all(reading)])
  return {
    engine: 'memory',
    processes: 1,
    writes: reported(histories),
    readings,
    failed: written.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
    longest: Math.max(...written.map((one) => (one.status === 'fulfilled' ? one.value : 0))),
    wrong: await wrongWith(store, possibleVersions(histories)),
    orphans: memoryOrphans(data),
  }
}

async function inProcesses(at: FaultyEngine, seconds: number): Promise<Outcome> {
  const { engine, place, folder, start } = at
  await using store = await at.open()
  const jobs = Array.from({ length: processes }, (_, process): HistoryJob => {
    const own = { engine, place, log: join(folder, `p${process}.log`), name: `p${process}`, seed: seed + process }
    return { ...own, writers: each, readers: each, shared, ids, for: seconds * 1000, above: process * 10_000_000 }
  })
  const started = jobs.map(start)
  // Whoever has not ended long after the time is over waits for something that does not come.
  const patience = new AbortController()
  const tooLong = sleep((seconds + 60) * 1000, 'stuck' as const, { signal: patience.signal }).catch(() => 'stuck' as const)
  const ends = await Promise.all(started.map(({ end }) => Promise.race([end, tooLong])))
  patience.abort()
  for (const { process } of started) process.kill('SIGKILL')
  const reports = jobs.flatMap((job, which) =>
    ends[which] === 0 ? [JSON.parse(readFileSync(reportOf(job), 'utf8')) as JobReport] : [],
  )
  const histories = jobs.map(({ log }) => readHistory(log))
  return {
    engine,
    processes,
    writes: reported(histories),
    readings: reports.flatMap(({ readings }) => readings),
    failed: ends.flatMap((end, which) => (end === 0 ? [] : [`process ${which} ended with ${end}`])),
    ...(at.deadlocks && { deadlocks: await at.deadlocks() }),
    longest: Math.max(0, ...reports.map(({ longest }) => longest)),
    wrong: await wrongWith(store, possibleVersions(histories)),
    orphans: await at.orphans(),
  }
}

function reported(histories: readonly (readonly HistoryLine[])[]): number {
  return histories.flat().filter(({ is }) => is === 'done').length
}

function judge(outcomes: readonly Outcome[], seconds: number): BenchResult {
  const tornOf = ({ readings }: Outcome): readonly string[] => readings.flatMap(({ torn }) => torn)
  const failedReads = ({ readings }: Outcome): readonly string[] => readings.flatMap(({ failed }) => failed)
  const reads = ({ readings }: Outcome): number => readings.reduce((sum, one) => sum + one.reads, 0)
  return {
    figures: outcomes.flatMap((one) => [
      figure(`${one.engine}: writes reported`, one.writes, 'writes', '>= 1'),
      figure(`${one.engine}: reads`, reads(one), 'reads', '>= 1'),
      figure(`${one.engine}: writers and processes that failed or hung`, one.failed.length, 'failures', '= 0'),
      ...(one.deadlocks === undefined ? [] : [figure(`${one.engine}: deadlocks`, one.deadlocks, 'deadlocks', '= 0')]),
      figure(`${one.engine}: reads that failed`, failedReads(one).length, 'reads', '= 0'),
      figure(`${one.engine}: torn documents`, tornOf(one).length, 'documents', '= 0'),
      figure(`${one.engine}: lost or not searchable at the end`, one.wrong.length, 'documents', '= 0'),
      figure(`${one.engine}: orphans`, one.orphans.length, 'rows', '= 0'),
    ]),
    table: {
      title: `${processes * each} writers, ${processes * each} readers, ${seconds} s an engine, seed ${seed}`,
      columns: ['engine', 'processes', 'writes', 'reads', 'longest write (ms)', 'failed', 'deadlocks', 'torn', 'lost', 'orphans'],
      rows: outcomes.map((one) => [
        one.engine,
        one.processes,
        one.writes,
        reads(one),
        Math.round(one.longest),
        one.failed.length + failedReads(one).length,
        one.deadlocks ?? '-',
        tornOf(one).length,
        one.wrong.length,
        one.orphans.length,
      ]),
    },
    notes: [
      `Each writer puts, replaces and removes documents of its own and ${shared} that all write to, alone and several together, and sometimes maintains the store. A read fetches documents and searches for one by metadata, words, notes and vectors at once: all of these find the same version of it or none does, and what is fetched is of one version. At the end a document has what was reported last; a write to a shared one counts as last unless another was begun after it and reported.`,
      'Deadlocks are what the server counted, also those that the store would have got over by itself. SQLite has one lock for all writers and memory none, so that they know no deadlocks: there it is writers that fail or hang.',
      ...outcomes
        .flatMap((one) => [...one.failed, ...tornOf(one), ...failedReads(one), ...one.wrong, ...one.orphans])
        .slice(0, 8),
    ],
  }
}
