/** Tokens in the order of their ranks, each as its text, or as its bytes where these are no text. */
export type TokenTable = readonly (string | readonly number[])[]

/** Multiplier of the rolling hash by which byte strings are looked up. */
export const hashFactor = 0x01a4_9b55

/** Where no token is. Higher than any rank, so that the lowest rank can be searched for without a special case. */
export const noRank = 0x7fff_ffff

/** A token table that answers by bytes, in place and without making strings. */
export interface ByteVocabulary {
  /** Bytes of the longest token. */
  readonly longest: number
  /** Ranks of the 256 single bytes, which are all tokens. */
  readonly singles: Int32Array
  /** The rank of `bytes[from, to)`, whose rolling hash is `hash`, or {@link noRank}. */
  rank(bytes: Uint8Array, from: number, to: number, hash: number): number
}

/** Lays a token table out as one array of bytes and an open hash table: about 10 MB for 200,000 tokens. */
export function byteVocabulary(tokens: TokenTable): ByteVocabulary {
  let bits = 4
  while (1 << bits < tokens.length * 2) bits++
  const shift = 32 - bits
  const wrap = (1 << bits) - 1
  // Four numbers a slot, side by side so that a look-up stays within one cache line: hash, rank + 1, offset, length.
  const slots = new Int32Array(4 << bits)
  const singles = new Int32Array(256)
  const store = tokenBytes(tokens)
  const { bytes, offsets } = store
  for (let rank = 0; rank < tokens.length; rank++) {
    const from = offsets[rank] as number
    const to = offsets[rank + 1] as number
    if (to === from) continue
    let hash = 0
    for (let at = from; at < to; at++) hash = (Math.imul(hash, hashFactor) + (bytes[at] as number)) | 0
    let slot = Math.imul(hash ^ (hash >>> 15), 0x9e37_79b1) >>> shift
    while (slots[4 * slot + 1] !== 0) slot = (slot + 1) & wrap
    slots[4 * slot] = hash
    slots[4 * slot + 1] = rank + 1
    slots[4 * slot + 2] = from
    slots[4 * slot + 3] = to - from
    if (to - from === 1) singles[bytes[from] as number] = rank
  }
  return {
    longest: store.longest,
    singles,
    rank(key, from, to, hash) {
      const length = to - from
      for (let slot = Math.imul(hash ^ (hash >>> 15), 0x9e37_79b1) >>> shift; ; slot = (slot + 1) & wrap) {
        const rank = slots[4 * slot + 1] as number
        if (rank === 0) return noRank
        if (slots[4 * slot] !== hash || slots[4 * slot + 3] !== length) continue
        const offset = slots[4 * slot + 2] as number
        let at = 0
        while (at < length && bytes[offset + at] === key[from + at]) at++
        if (at === length) return rank - 1
      }
    },
  }
}

function tokenBytes(tokens: TokenTable): { bytes: Uint8Array; offsets: Int32Array; longest: number } {
  const encoder = new TextEncoder()
  let room = 0
  for (const token of tokens) room += (token?.length ?? 0) * 3
  const buffer = new Uint8Array(room)
  const offsets = new Int32Array(tokens.length + 1)
  let filled = 0
  let longest = 0
  for (let rank = 0; rank < tokens.length; rank++) {
    const token = tokens[rank]
    const from = filled
    if (typeof token === 'string') filled += encoder.encodeInto(token, buffer.subarray(filled)).written
    // A table may have holes: ranks that no token has.
    else if (token !== undefined) for (const byte of token) buffer[filled++] = byte
    offsets[rank + 1] = filled
    longest = Math.max(longest, filled - from)
  }
  return { bytes: buffer.slice(0, filled), offsets, longest }
}
