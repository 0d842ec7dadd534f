import { type ByteVocabulary, hashFactor, noRank } from './byte-vocabulary.ts'

/** Byte-pair merging: of all neighbours whose joined bytes are a token, the pair of the lowest rank is joined, the leftmost first. */
export interface BytePairMerge {
  /**
   * Merges `bytes[from, to)` and returns the number of tokens; `ends[0 ..]` are then the ends of the tokens.
   *
   * O(n log n). `ends` is used again by the next call.
   */
  merge(bytes: Uint8Array, from: number, to: number): number
  readonly ends: Int32Array
}

/** Up to here the lowest rank is found by looking at all of them, which is faster for few. */
const fewBytes = 64

/** Above every rank of the vocabularies in use. */
const ranksBelow = 0x4_0000

/** Makes a merger for stretches of up to `room` bytes. */
export function bytePairMerge(vocabulary: ByteVocabulary, room: number): BytePairMerge {
  const { longest, pairs } = vocabulary
  const powers = new Int32Array(longest + 1).fill(1)
  for (let at = 1; at <= longest; at++) powers[at] = Math.imul(powers[at - 1] as number, hashFactor)
  /** Rolling hashes of all prefixes, from which that of any stretch follows. */
  const prefixes = new Int32Array(room + 1)
  const ends = new Int32Array(room + 1)
  const starts = new Int32Array(room + 2)
  const ranks = new Int32Array(room + 2)
  const before = new Int32Array(room + 2)
  const after = new Int32Array(room + 2)
  // A queue entry is rank and position in one number, which windows of usual size keep within 32 bits.
  const scale = 2 ** Math.ceil(Math.log2(room + 1))
  const inWords = scale * ranksBelow <= 0x8000_0000
  /** Every merge removes one entry and adds at most two. */
  const heap = inWords ? new Int32Array(3 * room + 4) : new Float64Array(3 * room + 4)

  // Positions in the arrays count from the first byte.
  let source: Uint8Array
  let origin = 0

  function rankOf(from: number, to: number): number {
    const length = to - from
    if (length === 2) return pairs[((source[origin + from] as number) << 8) | (source[origin + from + 1] as number)] as number
    if (length > longest) return noRank
    const hash = ((prefixes[to] as number) - Math.imul(prefixes[from] as number, powers[length] as number)) | 0
    return vocabulary.rank(source, origin + from, origin + to, hash)
  }

  function mergeFew(length: number): number {
    let parts = length
    for (let at = 0; at <= length; at++) starts[at] = at
    for (let at = 0; at + 1 < length; at++) ranks[at] = rankOf(at, at + 2)
    for (;;) {
      let lowest = noRank
      let best = 0
      for (let at = 0; at + 1 < parts; at++) {
        const rank = ranks[at] as number
        if (rank < lowest) {
          lowest = rank
          best = at
        }
      }
      if (lowest === noRank) break
      parts--
      for (let at = best + 1; at < parts; at++) {
        starts[at] = starts[at + 1] as number
        ranks[at] = ranks[at + 1] as number
      }
      starts[parts] = length
      if (best + 1 < parts) ranks[best] = rankOf(starts[best] as number, starts[best + 2] as number)
      if (best > 0) ranks[best - 1] = rankOf(starts[best - 1] as number, starts[best + 1] as number)
    }
    for (let at = 0; at < parts; at++) ends[at] = origin + (starts[at + 1] as number)
    return parts
  }

  let heaped = 0

  function push(key: number): void {
    let at = heaped++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((heap[parent] as number) <= key) break
      heap[at] = heap[parent] as number
      at = parent
    }
    heap[at] = key
  }

  function pop(): number {
    const top = heap[0] as number
    const key = heap[--heaped] as number
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heaped) break
      if (child + 1 < heaped && (heap[child + 1] as number) < (heap[child] as number)) child++
      if ((heap[child] as number) >= key) break
      heap[at] = heap[child] as number
      at = child
    }
    heap[at] = key
    return top
  }

  /** Looks up the pair that starts at `at` and queues it. `after[at]` is the start of the part that follows. */
  function queue(at: number, length: number): void {
    const middle = after[at] as number
    const rank = middle < length ? rankOf(at, after[middle] as number) : noRank
    ranks[at] = rank
    if (rank !== noRank) push(rank * scale + at)
  }

  function mergeMany(length: number): number {
    heaped = 0
    for (let at = 0; at < length; at++) {
      before[at] = at - 1
      after[at] = at + 1
    }
    for (let at = 0; at < length; at++) queue(at, length)
    while (heaped > 0) {
      const key = pop()
      const rank = Math.floor(key / scale)
      const at = key - rank * scale
      // An entry whose part was joined or has grown since is out of date.
      if (ranks[at] !== rank) continue
      const middle = after[at] as number
      const next = after[middle] as number
      ranks[middle] = noRank
      after[at] = next
      if (next < length) before[next] = at
      queue(at, length)
      if (at > 0) queue(before[at] as number, length)
    }
    let parts = 0
    for (let at = 0; at < length; at = after[at] as number) ends[parts++] = origin + (after[at] as number)
    return parts
  }

  return {
    ends,
    merge(bytes, from, to) {
      source = bytes
      origin = from
      const length = to - from
      let hash = 0
      for (let at = 0; at < length; at++) {
        hash = (Math.imul(hash, hashFactor) + (bytes[from + at] as number)) | 0
        prefixes[at + 1] = hash
      }
      return length <= fewBytes ? mergeFew(length) : mergeMany(length)
    },
  }
}
