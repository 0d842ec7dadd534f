import { AshlarError } from '../error/ashlar-error.ts'
import type { TokenTable } from '../model/embedder.ts'

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

/** The same for rows that stand in a table, by their ids; written into `mean`, which holds zeros. */
export function unitMeanOf(ids: Uint32Array, table: TokenTable, first: number, after: number, mean: Float32Array): void {
  const { dimensions } = table
  const sums = zeros(dimensions)
  if (table.addRows !== undefined) table.addRows(ids, first, after, sums)
  else {
    for (let token = first; token < after; token++) {
      const row = table.row(ids[token] as number)
      for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + (row[at] as number)
    }
  }
  writeUnit(sums, after - first, mean)
}

/** Used again and again: one for each child would be most of what embedding allocates. */
let scratch = new Float64Array(0)

function zeros(length: number): Float64Array {
  if (scratch.length === length) return scratch.fill(0)
  scratch = new Float64Array(length)
  return scratch
}

function unitOf(sums: Float64Array, tokens: number): Float32Array {
  const mean = new Float32Array(sums.length)
  writeUnit(sums, tokens, mean)
  return mean
}

function writeUnit(sums: Float64Array, tokens: number, mean: Float32Array): void {
  const dimensions = sums.length
  let squares = 0
  for (let at = 0; at < dimensions; at++) squares += (sums[at] as number) * (sums[at] as number)
  // One number that is none makes the sum of all one.
  if (!Number.isFinite(squares)) {
    throw new AshlarError('INVALID_RESPONSE', 'A token state has numbers that are none.', { details: { tokens } })
  }
  if (squares === 0) return
  const length = Math.sqrt(squares)
  for (let at = 0; at < dimensions; at++) mean[at] = (sums[at] as number) / length
}
