import { AshlarError } from '../error/ashlar-error.ts'

/** The mean of the rows from `first` to before `after`, brought to length 1; zeros stay zeros. */
export function unitMean(rows: Float32Array, first: number, after: number, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  let row = first
  // Four rows at a time: the sums are read and written a quarter as often.
  for (; row + 4 <= after; row += 4) {
    const a = row * dimensions
    const b = a + dimensions
    const c = b + dimensions
    const d = c + dimensions
    for (let at = 0; at < dimensions; at++) {
      const pairs = (rows[a + at] as number) + (rows[b + at] as number) + ((rows[c + at] as number) + (rows[d + at] as number))
      sums[at] = (sums[at] as number) + pairs
    }
  }
  for (; row < after; row++) {
    for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + (rows[row * dimensions + at] as number)
  }
  return unitOf(sums, after - first)
}

/** The same for rows that stand in a table, by their ids. */
export function unitMeanOf(
  ids: Uint32Array,
  row: (id: number) => Float32Array,
  first: number,
  after: number,
  dimensions: number,
): Float32Array {
  const sums = new Float64Array(dimensions)
  let token = first
  for (; token + 4 <= after; token += 4) {
    const a = row(ids[token] as number)
    const b = row(ids[token + 1] as number)
    const c = row(ids[token + 2] as number)
    const d = row(ids[token + 3] as number)
    for (let at = 0; at < dimensions; at++) {
      const pairs = (a[at] as number) + (b[at] as number) + ((c[at] as number) + (d[at] as number))
      sums[at] = (sums[at] as number) + pairs
    }
  }
  for (; token < after; token++) {
    const own = row(ids[token] as number)
    for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + (own[at] as number)
  }
  return unitOf(sums, after - first)
}

function unitOf(sums: Float64Array, tokens: number): Float32Array {
  const dimensions = sums.length
  let squares = 0
  for (let at = 0; at < dimensions; at++) squares += (sums[at] as number) * (sums[at] as number)
  // One number that is none makes the sum of all one.
  if (!Number.isFinite(squares)) {
    throw new AshlarError('INVALID_RESPONSE', 'A token state has numbers that are none.', { details: { tokens } })
  }
  const mean = new Float32Array(dimensions)
  if (squares === 0) return mean
  const length = Math.sqrt(squares)
  for (let at = 0; at < dimensions; at++) mean[at] = (sums[at] as number) / length
  return mean
}
