import { type Bench, type BenchOptions, type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { openIsolate } from '../harness/isolate.ts'
import { growingText } from './growing-text.ts'
import type { EngineName, GrowthPoint, GrowthStoresJob, GrowthStoresResult } from './growth-stores-case.ts'

/** Every engine from ten thousand children to a million (memory to a hundred thousand), each in a process of its own. */
export const growthStores: Bench = {
  summary: 'every store from 10^4 to 10^6 children: what a write, a query and a child on disk cost; codes beside exact search',
  run,
}

/** Growing ends after so many milliseconds, whatever was reached; what was is measured then, and what was not is named. */
const growing = { full: 1_020_000, quick: 15_000 }
/** An engine that has not answered by then is given up. */
const timeout = 2_400_000

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const sizes = quick ? [2_000, 8_000] : [10_000, 100_000, 1_000_000]
  const until = Date.now() + (quick ? growing.quick : growing.full)
  const jobs: readonly GrowthStoresJob[] = [
    { engine: 'memory', sizes: quick ? sizes : sizes.slice(0, 2), questions: 20, rounds: quick ? 1 : 3, until },
    { engine: 'sqlite', sizes, questions: 20, rounds: quick ? 1 : 3, until },
    { engine: 'postgres', sizes, questions: 20, rounds: quick ? 1 : 3, until },
  ]
  const results: GrowthStoresResult[] = []
  const failed: string[] = []
  progress.step(`growing ${jobs.map(({ engine }) => engine).join(', ')}`)
  await Promise.all(jobs.map(grow))
  progress.end()

  /** CPU time is what is measured, so engines may grow side by side. */
  async function grow(job: GrowthStoresJob): Promise<void> {
    const isolate = openIsolate<GrowthStoresJob, GrowthStoresResult>(new URL('./growth-stores-case.ts', import.meta.url), {
      fresh: true,
    })
    const outcome = await isolate.run(job, timeout)
    isolate.close()
    if (outcome.type !== 'done') {
      failed.push(`${job.engine}: ${outcome.type === 'hung' ? `no answer after ${outcome.seconds} s` : outcome.message}`)
      return
    }
    results.push(outcome.value)
  }

  results.sort((one, other) => order.indexOf(one.engine) - order.indexOf(other.engine))
  return {
    figures: [figure('engines that failed', failed.length, '', '= 0'), ...results.flatMap((result) => figuresOf(result, quick))],
    table: [
      {
        title: 'CPU time, the server included',
        columns: ['', 'children', 'write, µs a child', 'vector query, ms', 'words query, ms'],
        rows: results.flatMap(({ engine, points }) =>
          points.map(({ children, write, vector, words }) => [engine, children, write, vector, words]),
        ),
      },
      {
        title: 'Bytes a child on disk',
        columns: ['', 'children', ...Object.keys(results.at(-1)?.points[0]?.bytes ?? {})],
        rows: results.flatMap(({ engine, points }) =>
          points
            .filter(({ bytes }) => Object.keys(bytes).length > 0)
            .map(({ children, bytes }) => [engine, children, ...Object.values(bytes)]),
        ),
      },
    ],
    notes: [
      ...failed,
      ...results
        .filter(({ missing }) => missing.length > 0)
        .map(({ engine, missing }) => `${engine}: the time did not suffice for ${missing.join(', ')} children.`),
      `Texts: ${growingText().source}. Vectors: potion-base-8M, 256 dimensions. Documents of about 12,000 characters, written in transactions of 2,000 children; every store begins empty and grows; the cost of a write at a size is everything spent since the beginning, merges and maintenance included, by child.`,
      'Queries: 20 questions, the nearest 10 by vector; words and parts of words with 100 children, 100 parents, 20 sections and 20 documents nominated; the least of three rounds on warm caches. Exponent: least squares over the logarithms of children and time.',
      'SQLite writes its codes with each vector, so its writes include its index; exact search is sqlite-vec over the same vectors in another file. PostgreSQL compares with every vector; at the size before the last an HNSW index is built, written to once and dropped again; at the last size none is built.',
      'Static vectors have no token states: their bytes are of a sample of real text under all-MiniLM-L6-v2.',
    ],
  }
}

const order: readonly EngineName[] = ['memory', 'sqlite', 'postgres']

function figuresOf({ engine, points, missing, indexed, exact, states }: GrowthStoresResult, quick: boolean): readonly Figure[] {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return []
  return [
    figure(`${engine}: sizes for which the time did not suffice`, missing.length, '', quick ? null : '= 0'),
    ...points.map(({ children, write }) => figure(`${engine}, ${children} children: write`, write, 'µs a child')),
    ...points
      .slice(1)
      .map(({ children, write }) =>
        figure(`${engine}: write at ${children} to that at ${first.children}`, write / first.write, 'x', quick ? null : '<= 1.2'),
      ),
    ...points.flatMap(({ children, vector, words }) => [
      figure(`${engine}, ${children} children: query by vector`, vector, 'ms'),
      figure(`${engine}, ${children} children: query by words`, words, 'ms'),
    ]),
    ...(points.length < 2
      ? []
      : [
          figure(`${engine}: exponent of query by vector`, exponent(points, 'vector'), ''),
          figure(`${engine}: exponent of query by words`, exponent(points, 'words'), ''),
        ]),
    ...Object.entries(last.bytes)
      .filter(([name]) => name !== 'token states')
      .map(([name, bytes]) => figure(`${engine}, ${last.children} children: ${name}`, bytes, 'bytes a child')),
    ...(states === undefined ? [] : [figure('token states, where kept', states, 'bytes a child')]),
    ...(indexed === undefined
      ? []
      : [
          figure(`${engine}, ${indexed.children} children: write with an HNSW index to write without`, indexed.ratio, 'x'),
          figure(`${engine}, ${indexed.children} children: building the index`, indexed.build, 'µs a vector'),
        ]),
    ...(exact === undefined
      ? []
      : [
          figure(`${engine}, ${last.children} children: recall@10 of exact`, exact.recall, '', '>= 0.99'),
          figure(`${engine}, ${last.children} children: time of exact`, exact.ratio, 'x', quick ? null : '<= 0.25'),
          figure(`${engine}, ${last.children} children: exact search`, exact.ms, 'ms'),
        ]),
  ]
}

/** The slope of the least-squares line through the logarithms of children and time: 1 when time is proportional to them. */
function exponent(points: readonly GrowthPoint[], leg: 'vector' | 'words'): number {
  const xs = points.map(({ children }) => Math.log(children))
  const ys = points.map((point) => Math.log(point[leg]))
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  return (
    xs.reduce((sum, value, at) => sum + (value - x) * ((ys[at] as number) - y), 0) /
    xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
  )
}
