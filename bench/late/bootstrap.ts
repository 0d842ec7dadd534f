import { openRandom } from '../inputs/random.ts'

/** A mean with the interval that 95 % of resampled sets give. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** How far the mean of `values` would move with other questions of the same kind: questions are drawn again, 2,000 times. */
export function bootstrap(values: readonly number[], seed = 2026): Interval {
  const random = openRandom(seed)
  const means = Array.from({ length: 2000 }, () => {
    let sum = 0
    for (let at = 0; at < values.length; at++) sum += values[Math.floor(random() * values.length)]!
    return sum / values.length
  }).sort((a, b) => a - b)
  return { mean: values.reduce((a, b) => a + b, 0) / values.length, low: means[50]!, high: means[1949]! }
}
