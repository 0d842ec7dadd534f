import type { LiveSegment } from './live-segment.ts'

/** The documents of several segments, numbered: the sections of one document may lie in several. */
export interface DocumentNumbers {
  /** Keys of the documents, rising. */
  readonly keys: Float64Array
  /** For each segment the number of each of its documents. */
  readonly of: readonly Uint32Array[]
  /** Length of each document in words. */
  readonly lengths: Float64Array
}

export function numberDocuments(segments: readonly LiveSegment[]): DocumentNumbers {
  const lists = segments.map(({ table }) => table.documents.keys)
  let keys: Float64Array = new Float64Array(0)
  // The short lists first: then each key is moved a few times at most.
  for (const list of [...lists].sort((a, b) => a.length - b.length)) keys = union(keys, list)
  const lengths = new Float64Array(keys.length)
  const of = segments.map(({ table, documentLengths }) => {
    const numbers = new Uint32Array(table.documents.keys.length)
    let number = 0
    for (let at = 0; at < numbers.length; at++) {
      while (keys[number] !== table.documents.keys[at]) number++
      numbers[at] = number
      lengths[number] = (lengths[number] as number) + (documentLengths[at] as number)
    }
    return numbers
  })
  return { keys, of, lengths }
}

function union(a: Float64Array, b: Float64Array): Float64Array {
  if (a.length === 0) return b
  const both = new Float64Array(a.length + b.length)
  let length = 0
  let atA = 0
  let atB = 0
  while (atA < a.length || atB < b.length) {
    const nextA = atA < a.length ? (a[atA] as number) : Number.POSITIVE_INFINITY
    const nextB = atB < b.length ? (b[atB] as number) : Number.POSITIVE_INFINITY
    if (nextA <= nextB) atA++
    if (nextB <= nextA) atB++
    both[length++] = Math.min(nextA, nextB)
  }
  return both.slice(0, length)
}

/** Index of a key in rising keys, -1 when it is not there. */
export function indexOfKey(keys: Float64Array | Uint32Array, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as number) < key) low = middle + 1
    else high = middle
  }
  return keys[low] === key ? low : -1
}
