import { type BytePairMerge, bytePairMerge } from './byte-pair-merge.ts'
import { type ByteVocabulary, hashFactor, noRank } from './byte-vocabulary.ts'
import type { PieceCounter } from './piece-counter.ts'

/** Counts the tokens of single pre-tokens; see {@link PieceCounter}. */
export type BytePairEncoder = Pick<PieceCounter, 'count' | 'countUpTo' | 'fitted' | 'fittedTokens'>

/** Bytes of a window: enough that neighbouring windows nearly always agree, few enough to be merged fast. */
const windowBytes = 512
/** The same for budgets of few tokens, so that not much more is merged than asked for. */
const smallWindowBytes = 256
const smallBudget = 64
/** Pre-tokens of more code units than this may be too long for one window. */
const longPiece = Math.floor(windowBytes / 3)
/** Counts of pre-tokens that are no token themselves are remembered up to this many bytes, in this many places. */
const rememberedBytes = 64
const rememberedBits = 16

/**
 * Makes an encoder whose time grows with the length of a pre-token times a constant, however long it is.
 *
 * What makes windows exact: tokens `a b c …` are what byte-pair merging gives for their joined bytes if, and only if, each
 * pair of neighbours is what it gives for the two alone. (Up to the first merge across a boundary, what happens within two
 * neighbours is what would happen to them alone, in the same order; so if no pair would be merged across, none ever is.)
 * So a window may start at any token end of the window before, once the token before that end and the first token after
 * it have been seen to stay apart.
 */
export function bytePairEncoder(vocabulary: ByteVocabulary): BytePairEncoder {
  const { longest } = vocabulary
  const regular = workspace(vocabulary, windowBytes)
  const small: Workspace = { ...regular, size: smallWindowBytes }
  const { merger, buffer: bytes } = regular

  // A cache with one place for each hash, so that it is bounded, needs no clearing and keeps what occurs often.
  const keyBytes = new Uint8Array(rememberedBytes << rememberedBits)
  /** Two numbers a place: hash, and count with length. */
  const keys = new Int32Array(2 << rememberedBits)

  let fitted = 0
  let fittedTokens = 0
  /** Whether the last count left the ends of its tokens in the merger. */
  let merged = false

  function count(text: string, from: number, to: number): number {
    merged = false
    if (to - from > longPiece) return countLong(text, from, to, Number.POSITIVE_INFINITY, regular)
    let length = 0
    let hash = 0
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at)
      if (unit >= 0x80) {
        length = encodeUtf8(text, from, to, bytes)
        hash = 0
        for (let byte = 0; byte < length; byte++) hash = (Math.imul(hash, hashFactor) + (bytes[byte] as number)) | 0
        break
      }
      bytes[length++] = unit
      hash = (Math.imul(hash, hashFactor) + unit) | 0
    }
    if (length === 1) return 1
    if (length <= longest && vocabulary.rank(bytes, 0, length, hash) !== noRank) return 1
    const place = Math.imul(hash ^ (hash >>> 13), 0x85eb_ca6b) >>> (32 - rememberedBits)
    const base = place * rememberedBytes
    if (length <= rememberedBytes && keys[2 * place] === hash && ((keys[2 * place + 1] as number) & 0xff) === length) {
      let at = 0
      while (at < length && keyBytes[base + at] === bytes[at]) at++
      if (at === length) return (keys[2 * place + 1] as number) >> 8
    }
    const tokens = merger.merge(bytes, 0, length)
    merged = true
    if (length <= rememberedBytes) {
      for (let at = 0; at < length; at++) keyBytes[base + at] = bytes[at] as number
      keys[2 * place] = hash
      keys[2 * place + 1] = (tokens << 8) | length
    }
    return tokens
  }

  function countUpTo(text: string, from: number, to: number, budget: number): number {
    if (to - from <= longPiece) {
      const tokens = count(text, from, to)
      if (tokens <= budget) return tokens
      if (merged) {
        fit(text, from, to, budget)
        return tokens
      }
    }
    return countLong(text, from, to, budget, budget <= smallBudget ? small : regular)
  }

  /** Finds how far `budget` of the tokens reach whose ends the merger holds. */
  function fit(text: string, from: number, to: number, budget: number): void {
    fitted = from
    fittedTokens = 0
    let reached = 0
    let token = 0
    for (let at = from; at < to && token < budget; ) {
      const width = isPair(text, at, to) ? 2 : 1
      reached += byteLength(text.charCodeAt(at), width)
      at += width
      while (token < budget && (merger.ends[token] as number) < reached) token++
      if (token < budget && merger.ends[token] === reached) {
        fitted = at
        fittedTokens = ++token
      }
    }
  }

  function countLong(text: string, from: number, to: number, budget: number, space: Workspace): number {
    fitted = from
    fittedTokens = 0
    const { size, merger, buffer, indexes } = space
    let { ends, nextEnds } = space
    let filled = 0
    let unit = from
    let tokens = 0
    indexes[0] = from
    const encodeFrom = (start: number, target: Int32Array): number => {
      while (filled < start + size && unit < to) {
        const width = isPair(text, unit, to) ? 2 : 1
        const begin = filled
        filled += encodeCodePoint(text, unit, width, buffer, begin)
        for (let at = begin + 1; at < filled; at++) indexes[at] = -1
        unit += width
        indexes[filled] = unit
      }
      const parts = merger.merge(buffer, start, filled)
      for (let at = 0; at < parts; at++) target[at] = merger.ends[at] as number
      return parts
    }
    let windowTokens = encodeFrom(0, ends)
    for (;;) {
      const last = unit >= to
      let accepted = windowTokens
      let nextTokens = 0
      if (!last) {
        // The tokens near the window's end may still be merged with what follows: leave them to the next window.
        const settled = size - (size >> 3)
        while (accepted > 0 && (ends[accepted - 1] as number) > settled) accepted--
        // Over the budget already: the tokens so far are exact for what they cover, whatever follows.
        if (tokens + accepted <= budget)
          for (; accepted > 0; accepted--) {
            const cut = ends[accepted - 1] as number
            nextTokens = encodeFrom(cut, nextEnds)
            if (staysApart(merger, buffer, accepted > 1 ? (ends[accepted - 2] as number) : 0, cut, nextEnds[0] as number)) break
          }
        // Not seen in practice: no token of this window can be told without what follows it.
        if (accepted === 0) return countLong(text, from, to, budget, workspace(vocabulary, size * 8))
      }
      for (let at = 0; at < accepted; at++) {
        if (++tokens > budget) return tokens
        const index = indexes[ends[at] as number] as number
        if (index >= 0) {
          fitted = index
          fittedTokens = tokens
        }
      }
      if (last) return tokens
      const cut = ends[accepted - 1] as number
      buffer.copyWithin(0, cut, filled)
      indexes.copyWithin(0, cut, filled + 1)
      filled -= cut
      for (let at = 0; at < nextTokens; at++) nextEnds[at] = (nextEnds[at] as number) - cut
      const spare = ends
      ends = nextEnds
      nextEnds = spare
      windowTokens = nextTokens
    }
  }

  return {
    count,
    countUpTo,
    get fitted() {
      return fitted
    },
    get fittedTokens() {
      return fittedTokens
    },
  }
}

/** What the windows of one size are worked on in. */
interface Workspace {
  readonly size: number
  readonly merger: BytePairMerge
  readonly buffer: Uint8Array
  /** The index in the text that each byte position stands for, or -1 within a code point. */
  readonly indexes: Int32Array
  readonly ends: Int32Array
  readonly nextEnds: Int32Array
}

function workspace(vocabulary: ByteVocabulary, size: number): Workspace {
  // A window may start close to the end of the one before and be retried from further back: less than two sizes and a code point.
  const room = 2 * size + 4
  return {
    size,
    merger: bytePairMerge(vocabulary, room),
    buffer: new Uint8Array(room),
    indexes: new Int32Array(room + 1),
    ends: new Int32Array(room),
    nextEnds: new Int32Array(room),
  }
}

/** Whether merging leaves `[from, middle)` and `[middle, to)`, both tokens, apart. */
function staysApart(merger: BytePairMerge, buffer: Uint8Array, from: number, middle: number, to: number): boolean {
  return merger.merge(buffer, from, to) === 2 && merger.ends[0] === middle
}

function isPair(text: string, at: number, limit: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && at + 1 < limit && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}

/** Writes `text[from, to)` as UTF-8 and returns the number of bytes; a lone surrogate becomes U+FFFD. */
function encodeUtf8(text: string, from: number, to: number, target: Uint8Array): number {
  let filled = 0
  for (let at = from; at < to; ) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      target[filled++] = unit
      at++
    } else {
      const width = isPair(text, at, to) ? 2 : 1
      filled += encodeCodePoint(text, at, width, target, filled)
      at += width
    }
  }
  return filled
}

/** How many bytes a code point has in UTF-8, given its first code unit. */
function byteLength(unit: number, width: number): number {
  return width === 2 ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
}

/** Writes one code point of `width` code units and returns its number of bytes. */
function encodeCodePoint(text: string, at: number, width: number, target: Uint8Array, filled: number): number {
  const unit = text.charCodeAt(at)
  if (width === 2) {
    const point = ((unit & 0x3ff) << 10) + (text.charCodeAt(at + 1) & 0x3ff) + 0x10000
    target[filled] = 0xf0 | (point >> 18)
    target[filled + 1] = 0x80 | ((point >> 12) & 0x3f)
    target[filled + 2] = 0x80 | ((point >> 6) & 0x3f)
    target[filled + 3] = 0x80 | (point & 0x3f)
    return 4
  }
  if (unit < 0x80) {
    target[filled] = unit
    return 1
  }
  if (unit < 0x800) {
    target[filled] = 0xc0 | (unit >> 6)
    target[filled + 1] = 0x80 | (unit & 0x3f)
    return 2
  }
  const point = (unit & 0xf800) === 0xd800 ? 0xfffd : unit
  target[filled] = 0xe0 | (point >> 12)
  target[filled + 1] = 0x80 | ((point >> 6) & 0x3f)
  target[filled + 2] = 0x80 | (point & 0x3f)
  return 3
}
