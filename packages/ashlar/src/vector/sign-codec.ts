import { type HadamardRotation, hadamardRotation } from './hadamard-rotation.ts'
import type { TokenCodec, TokenRows, TokenRun } from './token-codec.ts'
import { unitRow } from './vector-length.ts'

/**
 * Keeps one bit a dimension, the signs of the turned state: 48 bytes a token at 384 dimensions.
 *
 * Queries stay whole: the score of a token is the query's turned vector, added up with the token's signs. After the rotation a
 * coordinate of a unit vector is spread like a normal variable of variance 1/d, so that sum is the cosine times √(2d/π), give or take
 * an error of standard deviation .6/√(2d/π) (.04 at 384 dimensions); it is divided by that factor.
 */
export const signCodec: TokenCodec = {
  id: 'sign-1',
  size: (dimensions) => rotationFor(dimensions).width / 8,
  encode({ rows, dimensions }) {
    const rotation = rotationFor(dimensions)
    const size = rotation.width / 8
    const codes = new Uint8Array((rows.length / dimensions) * size)
    for (let from = 0, code = 0; from < rows.length; from += dimensions, code += size) {
      writeSigns(rotation.rotate(rows, from), codes, code)
    }
    return codes
  },
  scorer(query) {
    const { rows, dimensions } = query
    const { width } = rotationFor(dimensions)
    const pieces = rows.length / dimensions
    const pairs = Array.from({ length: Math.ceil(pieces / 2) }, (_, pair) => pairTable(query, 2 * pair))
    const factor = Math.sqrt((2 * width) / Math.PI)
    return {
      best(runs) {
        const found = new Float32Array(runs.length * pieces)
        for (const [pair, { table, upper, lower }] of pairs.entries()) {
          const piece = 2 * pair
          for (const [at, run] of runs.entries()) {
            const most = bestPair(table, run, width / 8)
            found[at * pieces + piece] = toCosine((most / 0x1_0000) | 0, upper, factor)
            if (piece + 1 < pieces) found[at * pieces + piece + 1] = toCosine(most & 0xffff, lower, factor)
          }
        }
        return found
      },
    }
  },
}

const rotations = new Map<number, HadamardRotation>()

function rotationFor(dimensions: number): HadamardRotation {
  const known = rotations.get(dimensions)
  if (known !== undefined) return known
  const made = hadamardRotation(dimensions)
  rotations.set(dimensions, made)
  return made
}

/** Coordinate 8j + k is bit k of byte j; 1 stands for what is not negative. */
function writeSigns(values: Float64Array, codes: Uint8Array, from: number): void {
  for (let at = 0, code = from; at < values.length; code++) {
    let byte = 0
    for (let bit = 1; bit < 256; bit *= 2) if ((values[at++] as number) >= 0) byte |= bit
    codes[code] = byte
  }
}

/** What one piece's sum in whole numbers is worth. */
interface Scale {
  /** Whole numbers to one. */
  readonly step: number
  /** What the lowest sum, 0, stands for: the piece's length in absolute values, negated. */
  readonly floor: number
}

/**
 * Sums for each byte of a code and each value it can have: 256 numbers a byte. The sums of two pieces share a number, one in the
 * upper and one in the lower 16 bits, so that one look-up serves both; both begin at 0, so nothing is carried between them.
 */
interface PairTable {
  readonly table: Uint32Array
  readonly upper: Scale
  readonly lower: Scale
}

function pairTable({ rows, dimensions }: TokenRows, piece: number): PairTable {
  const { width } = rotationFor(dimensions)
  const table = new Uint32Array(32 * width)
  const upper = addPiece(table, rows, piece * dimensions, dimensions, 16)
  const lower = (piece + 1) * dimensions < rows.length ? addPiece(table, rows, (piece + 1) * dimensions, dimensions, 0) : upper
  return { table, upper, lower }
}

function addPiece(table: Uint32Array, rows: Float32Array, from: number, dimensions: number, shift: number): Scale {
  const rotation = rotationFor(dimensions)
  const query = rotation.rotate(unitRow(rows, from, dimensions), 0)
  let total = 0
  for (const value of query) total += Math.abs(value)
  const bytes = rotation.width / 8
  // Each byte's sum is rounded up by less than 1, and all of them together must stay below 2^16.
  const step = total === 0 ? 0 : (0xffff - bytes) / (2 * total)
  const sums = new Float64Array(256)
  for (let byte = 0; byte < bytes; byte++) {
    sums[0] = 0
    for (let bit = 0; bit < 8; bit++) {
      const value = query[8 * byte + bit] as number
      // From the lowest sum on: a coordinate adds twice its size where its sign agrees with the query's.
      if (value < 0) for (let at = 0; at < 1 << bit; at++) sums[at + (1 << bit)] = sums[at] as number
      else for (let at = 0; at < 1 << bit; at++) sums[at + (1 << bit)] = (sums[at] as number) + 2 * value
      if (value < 0) for (let at = 0; at < 1 << bit; at++) sums[at] = (sums[at] as number) - 2 * value
    }
    for (let at = 0; at < 256; at++) {
      const entry = 256 * byte + at
      table[entry] = ((table[entry] as number) | (Math.round((sums[at] as number) * step) << shift)) >>> 0
    }
  }
  return { step, floor: -total }
}

/** The best sums of a run, that of the upper piece in the upper 16 bits. Four bytes a turn: the processor waits for memory less. */
function bestPair(table: Uint32Array, { bytes, from, count }: TokenRun, size: number): number {
  let best = 0
  let bestLower = 0
  const end = from + count * size
  const entries = size * 256
  for (let at = from; at < end; ) {
    let sum = 0
    for (let entry = 0; entry < entries; entry += 1024, at += 4) {
      sum =
        (sum +
          (table[entry + (bytes[at] as number)] as number) +
          (table[entry + 256 + (bytes[at + 1] as number)] as number) +
          (table[entry + 512 + (bytes[at + 2] as number)] as number) +
          (table[entry + 768 + (bytes[at + 3] as number)] as number)) |
        0
    }
    const upper = sum >>> 16
    const lower = sum & 0xffff
    if (upper > best) best = upper
    if (lower > bestLower) bestLower = lower
  }
  return best * 0x1_0000 + bestLower
}

function toCosine(sum: number, { step, floor }: Scale, factor: number): number {
  if (step === 0) return 0
  return Math.max(0, Math.min(1, (sum / step + floor) / factor))
}
