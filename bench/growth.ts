import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GrowthJob, GrowthResult } from './growth-case.ts'
import { type Bench, type Figure, figure } from './harness/bench.ts'
import { openIsolate } from './harness/isolate.ts'
import { englishText } from './inputs/english-text.ts'
import { htmlText, markdownText } from './inputs/structured-text.ts'

interface Point extends GrowthResult {
  readonly kind: string
}

/** How each kind of text is made. */
const kinds: Record<string, (size: number) => string> = {
  plain: (size) => englishText(size).text,
  markdown: markdownText,
  html: htmlText,
  o200k: (size) => englishText(size).text,
}
const sizes = [1, 4, 16, 64, 150]
const timeout = 300_000

/** Time and memory from 1 MB to 150 MB, each size in a fresh process. */
export const growth: Bench = {
  summary: 'time and live memory from 1 MB to 150 MB',
  async run({ quick, progress }) {
    const names = Object.keys(kinds)
    const jobs = names.flatMap((kind) => (quick ? [0.25, 1, 4] : sizes).map((size) => ({ kind, size: size * 1e6 })))
    const points: Point[] = []
    const failures: string[] = []
    const folder = mkdtempSync(join(tmpdir(), 'ashlar-growth-'))
    const file = join(folder, 'text')
    for (const [i, { kind, size }] of jobs.entries()) {
      progress.step(`${kind}, ${size / 1e6} MB`, i, jobs.length)
      writeFileSync(file, kinds[kind]!(size), 'utf16le')
      const isolate = openIsolate<GrowthJob, GrowthResult>(new URL('./growth-case.ts', import.meta.url), { fresh: true })
      const outcome = await isolate.run({ kind, file, volume: quick ? 2e6 : 16e6 }, timeout)
      if (outcome.type === 'done') points.push({ kind, ...outcome.value })
      else
        failures.push(
          `${kind}, ${size / 1e6} MB: ${outcome.type === 'hung' ? `not done after ${timeout / 1000} s` : outcome.message}`,
        )
    }
    rmSync(folder, { recursive: true })
    const exponents = names.map((kind) => fitExponent(points.filter((point) => point.kind === kind)))
    const megabytes = (bytes: number): number => bytes / 1e6
    const figures: Figure[] = [
      figure('sizes that failed', failures.length, 'cases', '= 0'),
      ...names.map((kind, i) => figure(`${kind}: exponent of time`, exponents[i]!, '', '<= 1.05')),
      ...names.map((kind) =>
        figure(`${kind}: peak memory beyond input and output`, megabytes(most(points, kind, 'live')), 'MB', '<= 64'),
      ),
      ...names.map((kind) =>
        figure(`${kind}: growth of the process in its first cut`, megabytes(most(points, kind, 'resident')), 'MB', '<= 64'),
      ),
      ...points.map(({ kind, length, cpu }) => figure(`${kind}, ${(length / 1e6).toFixed(1)} MB: CPU time`, cpu, 'ms')),
    ]
    return {
      figures,
      table: {
        columns: ['kind', 'MB', 'CPU ms', 'MB/s', 'chunks', 'live MB', 'process grew MB'],
        rows: points.map(({ kind, length, cpu, chunks, live, resident }) => [
          kind,
          length / 1e6,
          cpu,
          length / 1000 / cpu,
          chunks,
          megabytes(live),
          megabytes(resident),
        ]),
      },
      notes: [
        `Each size in a fresh process, small ones cut often enough to time ${quick ? 2 : 16} MB in a round; the least CPU time of three rounds; exponent by least squares over log size and log time.`,
        'Live: heap and external memory beyond what was there with the input, after forced collections at 40 places of the cut, while the consumer drops each chunk. The last column is how much the resident memory of the process grew in its first cut: with garbage, tables and compiled code.',
        ...failures.map((failure) => `FAILED ${failure}`),
      ],
      chart: {
        title: 'Growth: exponent of time over size',
        axis: '1 is linear, 2 is quadratic (shorter is better)',
        bars: names.map((kind, i) => ({ label: kind, value: exponents[i]!, note: exponents[i]!.toFixed(3), ours: true })),
        limit: { value: 1.05, label: 'bar: 1.05' },
      },
    }
  },
}

function most(points: readonly Point[], kind: string, field: 'live' | 'resident'): number {
  return Math.max(...points.filter((point) => point.kind === kind).map((point) => point[field]))
}

/** The slope of the least-squares line through (log length, log time): 1 when time is proportional to length. */
function fitExponent(points: readonly Point[]): number {
  if (points.length < 2) return Number.POSITIVE_INFINITY
  const xs = points.map(({ length }) => Math.log(length))
  const ys = points.map(({ cpu }) => Math.log(cpu))
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const covariance = xs.reduce((sum, value, i) => sum + (value - x) * (ys[i]! - y), 0)
  return covariance / xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
}
