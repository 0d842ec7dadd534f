import { AshlarError } from '../error/ashlar-error.ts'
import { unitRow } from './vector-length.ts'

/** The mean of the rows from `first` to before `after`, brought to length 1. */
export function unitMean(rows: Float32Array, first: number, after: number, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (let from = first * dimensions; from < after * dimensions; from += dimensions) {
    for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + (rows[from + at] as number)
  }
  const mean = Float32Array.from(sums, (sum) => sum / (after - first))
  if (!mean.every(Number.isFinite)) {
    throw new AshlarError('INVALID_RESPONSE', 'A token state has numbers that are none.', { details: { tokens: after - first } })
  }
  return unitRow(mean, 0, dimensions)
}
