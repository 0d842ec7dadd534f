import type { StaticWeights } from './static-weights.ts'

type Row = Float32Array

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

  /** Four rows at once, times their counts: a pass over the sum costs as much as one over a row. */
  function add(a: Row, p: number, b: Row, q: number, c: Row, r: number, d: Row, s: number): void {
    for (let at = 0; at < dimensions; at++) {
      const left = p * (a[at] as number) + q * (b[at] as number)
      const right = r * (c[at] as number) + s * (d[at] as number)
      sum[at] = (sum[at] as number) + (left + right)
    }
  }

  function addAll(distinct: readonly number[]): void {
    const row = (at: number): Row => (at < distinct.length ? weights.row(distinct[at] as number) : nothing)
    const times = (at: number): number => (at < distinct.length ? (counts[distinct[at] as number] as number) : 0)
    for (let at = 0; at < distinct.length; at += 4) {
      add(row(at), times(at), row(at + 1), times(at + 1), row(at + 2), times(at + 2), row(at + 3), times(at + 3))
    }
  }

  return (ids) => {
    sum.fill(0)
    const distinct: number[] = []
    for (const id of ids) {
      const before = counts[id] as number
      if (before === 0) distinct.push(id)
      counts[id] = before + 1
    }
    try {
      addAll(distinct)
    } finally {
      for (const id of distinct) counts[id] = 0
    }
    const length = normalized ? norm(sum) : ids.length
    const vector = new Float32Array(dimensions)
    if (length > 0) for (let at = 0; at < dimensions; at++) vector[at] = (sum[at] as number) / length
    return vector
  }
}

function norm(vector: Float64Array): number {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) * (vector[at] as number)
  return Math.sqrt(squares)
}
