import { AshlarError } from '../error/ashlar-error.ts'
import { seededRandom } from './seeded-random.ts'

/** A mean, and the interval that its sample leaves it in. */
export interface Estimate {
  readonly mean: number
  readonly low: number
  readonly high: number
}

export interface BootstrapOptions {
  /** Samples that are drawn. @default 10000 */
  readonly rounds?: number
  /** How sure the interval is. @default 0.95 */
  readonly level?: number
  /** The same seed gives the same interval. @default 1 */
  readonly seed?: number
  /**
   * What each value belongs to, such as its conversation or document: values that belong together are drawn together, since they are not
   * independent. With few clusters an interval is narrower than it should be. @default each value by itself
   */
  readonly clusters?: readonly unknown[]
}

/**
 * The mean of a sample with its bootstrap interval, by percentiles: samples of the same size are drawn from it with repeats, and the
 * interval is where the middle of their means lies. The same on every machine.
 *
 * @throws AshlarError INVALID_OPTION for an empty sample, or clusters of another number than values.
 */
export function bootstrap(values: readonly number[], options: BootstrapOptions = {}): Estimate {
  const { rounds = 10_000, level = 0.95, seed = 1, clusters } = options
  if (values.length === 0) throw invalid('values is empty')
  if (clusters !== undefined && clusters.length !== values.length) {
    throw invalid(`there are ${values.length} values and ${clusters.length} clusters`)
  }
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw invalid(`rounds must be a whole number of at least 1, not ${String(rounds)}`)
  if (!(level > 0 && level < 1)) throw invalid(`level must be between 0 and 1, not ${String(level)}`)
  const { sums, counts } = clustered(values, clusters)
  const random = seededRandom(seed)
  const means = new Float64Array(rounds)
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    let count = 0
    for (let draw = 0; draw < sums.length; draw++) {
      const at = Math.floor(random() * sums.length)
      sum += sums[at] as number
      count += counts[at] as number
    }
    means[round] = sum / count
  }
  means.sort()
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, low: quantile(means, (1 - level) / 2), high: quantile(means, (1 + level) / 2) }
}

/** Scores that differ by less are the same, added up in another order. */
const rounding = 1e-12

/** Two systems judged on the same questions. */
export interface PairedComparison {
  /** What the second has more than the first, with its interval: a claim is one that does not include 0. */
  readonly difference: Estimate
  /** Questions that the second does better, worse, and as well. */
  readonly better: number
  readonly worse: number
  readonly equal: number
  /** How likely so uneven a number of better and worse ones is by chance alone: the sign test, on both sides. */
  readonly p: number
}

/**
 * Compares two systems by their scores on the same questions, in the same order: a paired bootstrap of the difference, and a sign test.
 *
 * @throws AshlarError INVALID_OPTION where the numbers of scores differ or are 0.
 *
 * @example
 * const before = [0.2, 0.5, 0.4, 0.9, 0.1, 0.6, 0.3, 0.5]
 * const after = before.map((score) => score + 0.1)
 * const { difference, better, p } = comparePaired(before, after)
 * console.log(difference.low > 0, better, p) // => true 8 0.0078125
 */
export function comparePaired(
  first: readonly number[],
  second: readonly number[],
  options: BootstrapOptions = {},
): PairedComparison {
  if (first.length !== second.length) throw invalid(`there are ${first.length} scores of one and ${second.length} of the other`)
  const differences = second.map((score, at) => score - (first[at] as number))
  const better = differences.filter((difference) => difference > rounding).length
  const worse = differences.filter((difference) => difference < -rounding).length
  return {
    difference: bootstrap(differences, options),
    better,
    worse,
    equal: differences.length - better - worse,
    p: signTest(better, worse),
  }
}

/**
 * How likely it is that two equally good systems win so unevenly: the exact two-sided sign test. Questions on which they are equal do
 * not count.
 *
 * @example
 * console.log(signTest(9, 1)) // => 0.021484375
 */
export function signTest(better: number, worse: number): number {
  const tries = better + worse
  const fewer = Math.min(better, worse)
  // Binomial coefficients overflow beyond a thousand; their logarithms do not.
  let term = -tries * Math.LN2
  let tail = 0
  for (let wins = 0; wins <= fewer; wins++) {
    tail += Math.exp(term)
    term += Math.log((tries - wins) / (wins + 1))
  }
  return Math.min(1, Number((2 * tail).toPrecision(12)))
}

function clustered(
  values: readonly number[],
  clusters: readonly unknown[] | undefined,
): { readonly sums: Float64Array; readonly counts: Float64Array } {
  if (clusters === undefined) return { sums: Float64Array.from(values), counts: new Float64Array(values.length).fill(1) }
  const numbers = new Map<unknown, number>()
  for (const cluster of clusters) if (!numbers.has(cluster)) numbers.set(cluster, numbers.size)
  const sums = new Float64Array(numbers.size)
  const counts = new Float64Array(numbers.size)
  for (const [at, cluster] of clusters.entries()) {
    const number = numbers.get(cluster) as number
    sums[number] = (sums[number] as number) + (values[at] as number)
    counts[number] = (counts[number] as number) + 1
  }
  return { sums, counts }
}

/** Between the two neighbours of a place in the order, by their distance. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] as number
  const above = sorted[Math.ceil(place)] as number
  return below + (above - below) * (place - Math.floor(place))
}

function invalid(why: string): AshlarError {
  return new AshlarError('INVALID_OPTION', `There is nothing to estimate: ${why}.`)
}
