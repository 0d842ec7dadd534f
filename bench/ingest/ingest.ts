import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, figure } from '../harness/bench.ts'
import { openIsolate } from '../harness/isolate.ts'
import { writeTextFolder } from '../inputs/text-folder.ts'
import type { IngestJob, IngestMeasure, Time } from './ingest-case.ts'
import { type SyncedFolder, syncFolder } from './sync-folder.ts'

/** How much is read, and what that needs of the disk: a store with vectors and token states takes ten times its text. */
const sizes = {
  quick: { speed: 10_000_000, memory: 4_000_000, rounds: 1 },
  full: { speed: 12_000_000, memory: 2_000_000_000, rounds: 3 },
}
const growth = 12

/** A folder through the whole ingest with a static embedder, against its slowest stage alone; and its memory on a large folder. */
export const ingest: Bench = {
  summary:
    'a folder into a SQLite store with a static embedder, against its slowest stage alone; memory on 2 GB of text and markdown',
  async run({ quick, progress }) {
    const { speed, memory, rounds } = quick ? sizes.quick : sizes.full
    const home = mkdtempSync(join(tmpdir(), 'ashlar-ingest-'))
    const large = Number(process.env['ASHLAR_INGEST_BYTES'] ?? memory)
    const free = statfsSync(home)
    if (free.bavail * free.bsize < large * growth)
      throw new Error(
        `The memory of ${large / 1e9} GB is measured on ${(large * growth) / 1e9} GB of disk, and less is free in ${home}`,
      )
    const isolate = openIsolate<IngestJob, IngestMeasure>(new URL('./ingest-case.ts', import.meta.url), { fresh: true })
    try {
      progress.step('writing files')
      const { source } = writeTextFolder(join(home, 'small'), { bytes: speed })
      progress.step('stages alone and together')
      const timed = await isolate.run({ folder: join(home, 'small'), home, rounds }, 3_600_000)
      if (timed.type !== 'done') throw new Error(`The ingest ${timed.type}: ${'message' in timed ? timed.message : ''}`)
      progress.step('writing the large folder')
      const { bytes } = writeTextFolder(join(home, 'large'), { bytes: large }, 2)
      const whole = await syncFolder(join(home, 'large'), join(home, 'large.db'), (done) =>
        progress.step('memory, MB', Math.round(done / 1e6), Math.round(bytes / 1e6)),
      )
      return judge(timed.value, whole, source, bytes)
    } finally {
      isolate.close()
      rmSync(home, { recursive: true, force: true })
    }
  },
}

function judge(timed: IngestMeasure, large: SyncedFolder, source: string, bytes: number): Awaited<ReturnType<Bench['run']>> {
  const least = (times: readonly Time[], of: keyof Time): number => Math.min(...times.map((time) => time[of]))
  const rate = (times: readonly Time[]): number => timed.bytes / 1_000 / least(times, 'clock')
  const stages = { 'read, load and cut': timed.read, 'embed in windows': timed.embed, 'put into SQLite': timed.store }
  const all = { ...stages, 'end to end': timed.whole }
  const slowest = Math.min(...Object.values(stages).map(rate))
  return {
    figures: [
      figure('end to end against the slowest stage alone', (100 * rate(timed.whole)) / slowest, '%', '>= 60'),
      figure('end to end', rate(timed.whole), 'MB/s'),
      ...Object.entries(stages).map(([name, times]) => figure(`${name}, alone`, rate(times), 'MB/s')),
      ...Object.entries(all).map(([name, times]) =>
        figure(`${name}, CPU`, (1_000 * least(times, 'cpu')) / timed.children, 'µs a child'),
      ),
      figure(`memory at its highest, ${(bytes / 1e6).toFixed(0)} MB of files`, large.most, 'MB', '<= 300'),
      figure('speed on the large folder', large.bytes / 1_000 / large.milliseconds, 'MB/s'),
      figure('files of the large folder', large.documents, 'files'),
      figure('children of the large folder', large.children, 'children'),
    ],
    table: {
      columns: ['what', 'MB/s', 'best ms', 'CPU ms', 'rounds, ms'],
      rows: Object.entries(all).map(([name, times]) => [
        name,
        rate(times).toFixed(2),
        Math.round(least(times, 'clock')),
        Math.round(least(times, 'cpu')),
        times.map(({ clock }) => Math.round(clock)).join(' '),
      ]),
    },
    notes: [
      `${timed.documents} files of ${source}, ${(timed.bytes / 1e6).toFixed(1)} MB, ${timed.children} children; windows of the static embedder of ashlar-potion. Stages and the whole, through open and sync, in turns in one process, the best round of each.`,
      `Resident memory of a process that opens a library and syncs the large folder, started without options, threads included, at its highest in each tenth of the run, in MB: ${tenths(large.memory).join(' ')}.`,
    ],
  }
}

function tenths(values: readonly number[]): number[] {
  const part = (at: number): number => Math.round((at * values.length) / 10)
  return Array.from({ length: 10 }, (_, at) => Math.round(Math.max(0, ...values.slice(part(at), part(at + 1)))))
}
