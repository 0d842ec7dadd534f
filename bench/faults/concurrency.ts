import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from 'ashlar/stores'
import { sqliteOrphans } from '../../packages/ashlar/test/store/sqlite-orphans.ts'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { between, openRandom } from '../inputs/random.ts'
import {
  historyIdentity,
  openHistoryStore,
  possibleVersions,
  readHistory,
  tornParts,
  wrongWith,
} from '../stores/store-history.ts'
import { startWriter } from '../stores/writer-process.ts'

const seed = 20_261_117
const processes = 4
const writersEach = 2
const readers = 8
const shared = 4

/** Lets writers of several processes and readers work on one store, on documents of their own and on shared ones. */
export async function concurrency({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const seconds = quick ? 15 : 60
  const home = mkdtempSync(join(tmpdir(), 'ashlar-faults-'))
  const place = join(home, 'store.db')
  try {
    await using store = await openHistoryStore('sqlite', place)
    progress.step(`sqlite, ${processes * writersEach} writers in ${processes} processes and ${readers} readers for ${seconds} s`)
    const logs = Array.from({ length: processes }, (_, at) => join(home, `p${at}.log`))
    const writers = logs.map((log, at) =>
      startWriter({
        engine: 'sqlite',
        place,
        log,
        name: `p${at}`,
        writers: writersEach,
        shared,
        for: seconds * 1000,
        seed: seed + at,
      }),
    )
    let isOver = false
    const ends = Promise.all(writers.map(({ end }) => end)).then((codes) => {
      isOver = true
      return codes
    })
    const reading = await Promise.all(Array.from({ length: readers }, (_, at) => read(store, at, () => isOver)))
    const codes = await ends
    const wrong: string[] = []
    for (const log of logs) {
      for (const [id, versions] of possibleVersions(readHistory(log), new Map()))
        wrong.push(...(await wrongWith(store, id, versions)))
    }
    const torn = reading.flatMap((one) => one.torn)
    const failed = reading.flatMap((one) => one.failed)
    const orphans = sqliteOrphans(place)
    const writes = logs.flatMap((log) => readHistory(log)).filter(({ is }) => is === 'done').length
    return {
      figures: [
        figure('sqlite: writes of documents of their own', writes, 'writes'),
        figure(
          'sqlite: reads',
          reading.reduce((sum, { reads }) => sum + reads, 0),
          'reads',
        ),
        figure('sqlite: processes that failed', codes.filter((code) => code !== 0).length, 'processes', '= 0'),
        figure('sqlite: reads that failed', failed.length, 'reads', '= 0'),
        figure('sqlite: torn documents', torn.length, 'documents', '= 0'),
        figure('sqlite: lost or not searchable at the end', wrong.length, 'documents', '= 0'),
        figure('sqlite: orphans', orphans.length, 'rows', '= 0'),
      ],
      table: {
        title: `${processes * writersEach} writers in ${processes} processes, ${readers} readers, ${seconds} s, seed ${seed}`,
        columns: ['reader', 'reads', 'torn', 'failed'],
        rows: reading.map((one, at) => [at + 1, one.reads, one.torn.length, one.failed.length]),
      },
      notes: [
        `Each writer puts, replaces and removes documents of its own and replaces ${shared} that all write to. A read fetches some documents and searches among them.`,
        ...[...torn, ...failed, ...wrong, ...orphans].slice(0, 5),
      ],
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function read(
  store: Store,
  reader: number,
  isOver: () => boolean,
): Promise<{ readonly reads: number; readonly torn: readonly string[]; readonly failed: readonly string[] }> {
  const random = openRandom(seed + 100 + reader)
  const torn: string[] = []
  const failed: string[] = []
  let reads = 0
  for (; !isOver(); reads++) {
    const ids = [
      `shared${between(random, 1, shared)}`,
      `p${between(random, 0, processes - 1)}w${between(random, 0, writersEach - 1)}x${between(random, 1, 6)}`,
    ]
    try {
      const records = (await store.get(ids)).filter((record) => record !== undefined)
      for (const { id, tree, children, metadata } of records)
        torn.push(...tornParts(id, tree.text, tree.children.length, children, metadata['version'] as number))
      if (records.length === 0) continue
      const values = new Float32Array(historyIdentity.dimensions).map(() => random())
      const near = await store.nominate({
        vector: { identity: historyIdentity, values, limit: 20 },
        where: { op: 'document', ids },
      })
      const { children } = await store.children(near.children, { vectors: historyIdentity })
      torn.push(...children.filter(({ vector }) => vector === undefined).map(({ id }) => `${id} has no vector`))
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error))
    }
    await new Promise((done) => setTimeout(done, 5))
  }
  return { reads, torn, failed }
}
