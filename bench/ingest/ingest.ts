import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, figure } from '../harness/bench.ts'
import { openIsolate } from '../harness/isolate.ts'
import { writeTextFolder } from '../inputs/text-folder.ts'
import type { IngestJob, IngestMeasure } from './ingest-case.ts'

/** How much is read, and what that needs of the disk: a store with vectors and token states takes ten times its text. */
const sizes = {
  quick: { speed: 1_500_000, memory: 6_000_000, rounds: 2 },
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
      const small = writeTextFolder(join(home, 'small'), { bytes: speed })
      progress.step('stages alone and together')
      const job = { folder: join(home, 'small'), home, rounds, stages: true }
      const timed = await isolate.run(job, 1_800_000)
      if (timed.type !== 'done') throw new Error(`The ingest ${timed.type}: ${'message' in timed ? timed.message : ''}`)
      progress.step('writing the large folder')
      const big = writeTextFolder(join(home, 'large'), { bytes: large }, 2)
      progress.step('memory')
      const whole = await isolate.run({ folder: join(home, 'large'), home, rounds: 1, stages: false }, 10_800_000)
      if (whole.type !== 'done') throw new Error(`The large ingest ${whole.type}: ${'message' in whole ? whole.message : ''}`)
      return judge(timed.value, whole.value, small.source, big.bytes)
    } finally {
      isolate.close()
      rmSync(home, { recursive: true, force: true })
    }
  },
}

function judge(timed: IngestMeasure, large: IngestMeasure, source: string, bytes: number): Awaited<ReturnType<Bench['run']>> {
  const rate = (times: readonly number[]): number => timed.bytes / 1_000 / Math.min(...times)
  const stages = { 'read, load and cut': timed.read, 'embed in windows': timed.embed, 'put into SQLite': timed.store }
  const slowest = Math.min(...Object.values(stages).map(rate))
  const whole = rate(timed.whole)
  const largest = large.bytes / 1_000 / (large.whole[0] as number)
  return {
    figures: [
      figure('end to end against the slowest stage alone', (100 * whole) / slowest, '%', '>= 60'),
      figure('end to end', whole, 'MB/s'),
      ...Object.entries(stages).map(([name, times]) => figure(`${name}, alone`, rate(times), 'MB/s')),
      figure(`memory at its highest, ${(bytes / 1e6).toFixed(0)} MB of files`, large.memory, 'MB', '<= 300'),
      figure('speed on the large folder', largest, 'MB/s'),
      figure('files of the large folder', large.documents, 'files'),
      figure('children of the large folder', large.children, 'children'),
    ],
    table: {
      columns: ['what', 'MB/s', 'best ms', 'rounds'],
      rows: [...Object.entries(stages), ['end to end', timed.whole] as const].map(([name, times]) => [
        name,
        rate(times).toFixed(2),
        Math.round(Math.min(...times)),
        times.map((time) => Math.round(time)).join(' '),
      ]),
    },
    notes: [
      `${timed.documents} files of ${source}, ${(timed.bytes / 1e6).toFixed(1)} MB, ${timed.children} children; windows of a static embedder (potion-base-8M). Stages and the whole in turns in one process, the best round of each.`,
      `Resident memory of the process that ingests the large folder, threads included, at each tenth of the run, in MB: ${large.tenths.join(' ')}.`,
    ],
  }
}
