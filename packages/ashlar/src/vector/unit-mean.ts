import { AshlarError } from '../error/ashlar-error.ts'

/** The mean of the rows from `first` to before `after`, brought to length 1; zeros stay zeros. */
export function unitMean(rows: Float32Array, first: number, after: number, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (let from = first * dimensions; from < after * dimensions; from += dimensions) {
    for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + (rows[from + at] as number)
  }
  let squares = 0
  for (let at = 0; at < dimensions; at++) squares += (sums[at] as number) * (sums[at] as number)
  // One number that is none makes the sum of all one.
  if (!Number.isFinite(squares)) {
    throw new AshlarError('INVALID_RESPONSE', 'A token state has numbers that are none.', { details: { tokens: after - first } })
  }
  const mean = new Float32Array(dimensions)
  if (squares === 0) return mean
  const length = Math.sqrt(squares)
  for (let at = 0; at < dimensions; at++) mean[at] = (sums[at] as number) / length
  return mean
}
