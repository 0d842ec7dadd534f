import type { StaticWeights } from './static-weights.ts'

/**
 * Makes the function that gives the mean vector of tokens, scaled to length 1 where that is asked for; the zero vector for none.
 *
 * A token that comes again is only counted, so that the time for long texts is the tokenizer's.
 */
export function staticMean(weights: StaticWeights, normalized: boolean): (ids: readonly number[]) => Float32Array {
  const { dimensions } = weights
  const counts = new Uint32Array(weights.size)
  const nothing = new Float32Array(dimensions)
  // In double precision: sums of many rows keep all the digits that a vector has.
  const sum = new Float64Array(dimensions)

  /** Sets `sum` to the rows times their counts, four at once: a pass over the sum costs as much as one over a row. */
  function add(rows: readonly Float32Array[], times: readonly number[]): void {
    sum.fill(0)
    for (let from = 0; from < rows.length; from += 4) {
      const [a = nothing, b = nothing, c = nothing, d = nothing] = [rows[from], rows[from + 1], rows[from + 2], rows[from + 3]]
      const [p = 0, q = 0, r = 0, s = 0] = [times[from], times[from + 1], times[from + 2], times[from + 3]]
      for (let at = 0; at < dimensions; at++) {
        const left = p * (a[at] as number) + q * (b[at] as number)
        const right = r * (c[at] as number) + s * (d[at] as number)
        sum[at] = (sum[at] as number) + (left + right)
      }
    }
  }

  return (ids) => {
    const distinct: number[] = []
    for (const id of ids) {
      const before = counts[id] as number
      if (before === 0) distinct.push(id)
      counts[id] = before + 1
    }
    const times = distinct.map((id) => counts[id] as number)
    for (const id of distinct) counts[id] = 0
    add(distinct.map(weights.row), times)
    const length = normalized ? norm(sum) : ids.length
    const vector = new Float32Array(dimensions)
    if (length > 0) for (let at = 0; at < dimensions; at++) vector[at] = (sum[at] as number) / length
    return vector
  }
}

function norm(vector: Float64Array): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return Math.sqrt(squares)
}
