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

/** How many answers to "what do these two tokens make?" are remembered, by the position of a bit. */
const rememberedBits = 15

/** Makes a merger for stretches of up to `room` bytes. */
export function bytePairMerge(vocabulary: ByteVocabulary, room: number): BytePairMerge {
  const { longest, singles } = vocabulary
  const powers = new Int32Array(longest + 1).fill(1)
  for (let at = 1; at <= longest; at++) powers[at] = Math.imul(powers[at - 1] as number, hashFactor)
  /** Rolling hashes of all prefixes, from which that of any stretch follows. */
  const prefixes = new Int32Array(room + 1)
  const ends = new Int32Array(room + 1)
  /** The rank of the part that begins at each place: parts are tokens from the first byte on. */
  const parts = new Int32Array(room + 2)
  const starts = new Int32Array(room + 2)
  const ranks = new Int32Array(room + 2)
  const before = new Int32Array(room + 2)
  const after = new Int32Array(room + 2)
  // A queue entry is rank and position in one number, which windows of usual size keep within 32 bits.
  const scale = 2 ** Math.ceil(Math.log2(room + 1))
  const inWords = scale * ranksBelow <= 0x8000_0000
  /** Every merge removes one entry and adds at most two. */
  const heap = inWords ? new Int32Array(3 * room + 4) : new Float64Array(3 * room + 4)

  // One place for each hash: left token, right token, what they make, nothing.
  const remembered = new Int32Array(4 << rememberedBits).fill(-1)

  // Positions in the arrays count from the first byte.
  let source: Uint8Array
  let origin = 0

  /** The rank of the token `[from, to)`, made of the tokens `left` and `right`. */
  function rankOf(from: number, to: number, left: number, right: number): number {
    const place = (Math.imul(left, 0x9e37_79b1) + Math.imul(right, 0x85eb_ca6b)) >>> (32 - rememberedBits)
    if (remembered[4 * place] === left && remembered[4 * place + 1] === right) return remembered[4 * place + 2] as number
    const length = to - from
    let rank = noRank
    if (length <= longest) {
      const hash = ((prefixes[to] as number) - Math.imul(prefixes[from] as number, powers[length] as number)) | 0
      rank = vocabulary.rank(source, origin + from, origin + to, hash)
    }
    remembered[4 * place] = left
    remembered[4 * place + 1] = right
    remembered[4 * place + 2] = rank
    return rank
  }

  function mergeFew(length: number): number {
    let count = length
    for (let at = 0; at <= length; at++) starts[at] = at
    for (let at = 0; at + 1 < length; at++) ranks[at] = rankOf(at, at + 2, parts[at] as number, parts[at + 1] as number)
    for (;;) {
      let lowest = noRank
      let best = 0
      for (let at = 0; at + 1 < count; at++) {
        const rank = ranks[at] as number
        if (rank < lowest) {
          lowest = rank
          best = at
        }
      }
      if (lowest === noRank) break
      count--
      for (let at = best + 1; at < count; at++) {
        starts[at] = starts[at + 1] as number
        ranks[at] = ranks[at + 1] as number
        parts[at] = parts[at + 1] as number
      }
      starts[count] = length
      parts[best] = lowest
      if (best + 1 < count) ranks[best] = joined(best)
      if (best > 0) ranks[best - 1] = joined(best - 1)
    }
    for (let at = 0; at < count; at++) ends[at] = origin + (starts[at + 1] as number)
    return count
  }

  function joined(part: number): number {
    return rankOf(starts[part] as number, starts[part + 2] as number, parts[part] as number, parts[part + 1] as number)
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
    const rank = middle < length ? rankOf(at, after[middle] as number, parts[at] as number, parts[middle] as number) : noRank
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
      parts[at] = rank
      after[at] = next
      if (next < length) before[next] = at
      queue(at, length)
      if (at > 0) queue(before[at] as number, length)
    }
    let count = 0
    for (let at = 0; at < length; at = after[at] as number) ends[count++] = origin + (after[at] as number)
    return count
  }

  return {
    ends,
    merge(bytes, from, to) {
      source = bytes
      origin = from
      const length = to - from
      let hash = 0
      for (let at = 0; at < length; at++) {
        const byte = bytes[from + at] as number
        hash = (Math.imul(hash, hashFactor) + byte) | 0
        prefixes[at + 1] = hash
        parts[at] = singles[byte] as number
      }
      return length <= fewBytes ? mergeFew(length) : mergeMany(length)
    },
  }
}
