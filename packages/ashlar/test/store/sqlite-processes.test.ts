import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openRandom } from '../../../../bench/inputs/random.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { historyScope } from './history-document.ts'
import { type HistoryJob, type JobReport, reportOf, startJob } from './history-job.ts'
import { possibleVersions, readHistory } from './history-log.ts'
import { type KillTrial, killClient, wrongWith } from './kill-trial.ts'
import { sqliteIsWriting } from './sqlite-is-writing.ts'
import { sqliteOrphans } from './sqlite-orphans.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-processes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = startJob.bind(undefined, join(import.meta.dirname, 'history-process.ts'))

describe('processes at one SQLite file', () => {
  test('killed at any instant, leave everything that was reported and nothing in halves', async () => {
    const place = join(folder, 'killed.db')
    const random = openRandom(3)
    const trials: KillTrial[] = []
    for (let kill = 0; kill < 6; kill++) {
      const trial = await killClient({
        random,
        kill,
        before: trials.at(-1)?.present ?? new Map(),
        open: () => sqliteStore(place, historyScope),
        orphans: () => sqliteOrphans(place),
        job: { engine: 'sqlite', place, log: join(folder, `killed-${kill}.log`), seed: kill },
        start,
        isWriting: () => sqliteIsWriting(place),
      })
      trials.push(trial)
    }
    expect(trials.flatMap(({ wrong, orphans }) => [...wrong, ...orphans])).toEqual([])
    expect(trials.some(({ reported }) => reported > 0)).toBe(true)
  }, 120_000)

  test('write and read beside each other: nobody fails, nothing is torn, nothing is lost', async () => {
    const place = join(folder, 'together.db')
    await using store = await sqliteStore(place, historyScope)
    const jobs = [0, 1, 2].map((at): HistoryJob => {
      const ids = ['shared1', 'shared2', `p${at}w0x1`, `p${(at + 1) % 3}w0x2`]
      const log = join(folder, `p${at}.log`)
      const own = { engine: 'sqlite', place, log, name: `p${at}` } as const
      return { ...own, writers: 1, readers: 1, shared: 2, ids, for: 2500, seed: at, above: at * 10_000_000 }
    })
    const codes = await Promise.all(jobs.map((job) => start(job).end))
    expect(codes).toEqual([0, 0, 0])
    const readings = jobs.flatMap((job) => (JSON.parse(readFileSync(reportOf(job), 'utf8')) as JobReport).readings)
    expect(readings.flatMap(({ torn, failed }) => [...torn, ...failed])).toEqual([])
    expect(await wrongWith(store, possibleVersions(jobs.map(({ log }) => readHistory(log))))).toEqual([])
    expect(sqliteOrphans(place)).toEqual([])
  }, 120_000)
})
