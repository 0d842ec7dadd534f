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
  encode({ rows, dimensions }, which) {
    const rotation = rotationFor(dimensions)
    const size = rotation.width / 8
    const codes = new Uint8Array(which.length * size)
    for (let at = 0; at < which.length; at++) {
      writeSigns(rotation.rotate(rows, (which[at] as number) * dimensions), codes, at * size)
    }
    return codes
  },
  scorer(query) {
    const { rows, dimensions } = query
    const { width } = rotationFor(dimensions)
    const pieces = rows.length / dimensions
    const tables = Array.from({ length: Math.ceil(pieces / 2) }, (_, pair) => pairTable(query, 2 * pair))
    const factor = Math.sqrt((2 * width) / Math.PI)
    return {
      best(runs) {
        const found = new Float32Array(runs.length * pieces)
        const size = width / 8
        const codes = sideBySide(runs, size)
        // A table at a time: it stays in the processor's cache while all tokens pass by.
        for (const [pair, { sums, upper, lower }] of tables.entries()) {
          const piece = 2 * pair
          let from = 0
          for (const [at, { count }] of runs.entries()) {
            const most = bestPair(sums, codes, from, count, size)
            from += count * size
            if (count === 0) continue
            found[at * pieces + piece] = toCosine(Math.floor(most / 0x1_0000), upper, factor)
            if (piece + 1 < pieces) found[at * pieces + piece + 1] = toCosine(most % 0x1_0000, lower, factor)
          }
        }
        return found
      },
    }
  },
}

/** The codes of all runs in one array: reading from many takes half as long again. */
function sideBySide(runs: readonly TokenRun[], size: number): Uint8Array {
  const codes = new Uint8Array(runs.reduce((sum, { count }) => sum + count, 0) * size)
  let at = 0
  for (const { bytes, from, count } of runs) {
    codes.set(bytes.subarray(from, from + count * size), at)
    at += count * size
  }
  return codes
}

const rotations = new Map<number, HadamardRotation>()

function rotationFor(dimensions: number): HadamardRotation {
  const known = rotations.get(dimensions)
  if (known !== undefined) return known
  const made = hadamardRotation(dimensions)
  rotations.set(dimensions, made)
  return made
}

/** Which half of a number of 8 bytes has its sign: the second where numbers are little-endian. */
const signHalf = new Uint8Array(Uint32Array.of(1).buffer)[0] as number

/** Coordinate 8j + k is bit k of byte j; 1 stands for what is not negative. Bits, not comparisons: nobody can foresee a sign. */
function writeSigns(values: Float64Array, codes: Uint8Array, from: number): void {
  const halves = new Int32Array(values.buffer)
  for (let at = signHalf, code = from; at < halves.length; at += 16, code++) {
    codes[code] = ~(
      ((halves[at] as number) >>> 31) |
      (((halves[at + 2] as number) >>> 31) << 1) |
      (((halves[at + 4] as number) >>> 31) << 2) |
      (((halves[at + 6] as number) >>> 31) << 3) |
      (((halves[at + 8] as number) >>> 31) << 4) |
      (((halves[at + 10] as number) >>> 31) << 5) |
      (((halves[at + 12] as number) >>> 31) << 6) |
      (((halves[at + 14] as number) >>> 31) << 7)
    )
  }
}

/** What one piece's sum in whole numbers is worth. */
interface Scale {
  /** Whole numbers to one. */
  readonly step: number
  /** The sum that stands for 0. */
  readonly middle: number
}

/**
 * Sums for each byte of a code and each value it can have: 256 numbers a byte. The sums of two pieces share a number, one in the
 * upper and one in the lower 16 bits, so that one look-up serves both; none falls below 0 or above 65,535, so nothing is carried between them.
 */
interface PairTable {
  readonly sums: Int32Array
  readonly upper: Scale
  readonly lower: Scale
}

function pairTable(query: TokenRows, piece: number): PairTable {
  const upper = wholeNumbers(query, piece)
  const lower = wholeNumbers(query, piece + 1)
  const width = upper.values.length
  const sums = new Int32Array(32 * width)
  for (let byte = 0; byte < width / 8; byte++) {
    const first = 256 * byte
    // From the lowest sum on: a coordinate adds twice its size where the token's sign agrees with the query's.
    for (let at = 8 * byte; at < 8 * byte + 8; at++) {
      const [high, low] = [upper.values[at] as number, lower.values[at] as number]
      sums[first] = (sums[first] as number) + (Math.max(0, -high) << 16) + Math.max(0, -low)
    }
    for (let bit = 0; bit < 8; bit++) {
      const at = 8 * byte + bit
      const added = ((upper.values[at] as number) << 16) + (lower.values[at] as number)
      const known = 1 << bit
      for (let entry = first; entry < first + known; entry++) sums[entry + known] = (sums[entry] as number) + added
    }
  }
  return { sums, upper, lower }
}

/** A piece's turned vector, doubled, in whole numbers whose sizes add up to less than 2^16; zeros where there is no such piece. */
function wholeNumbers({ rows, dimensions }: TokenRows, piece: number): Scale & { readonly values: Int32Array } {
  const rotation = rotationFor(dimensions)
  if (piece * dimensions >= rows.length) return { values: new Int32Array(rotation.width), step: 1, middle: 0 }
  const turned = rotation.rotate(unitRow(rows, piece * dimensions, dimensions), 0)
  let total = 0
  for (let at = 0; at < turned.length; at++) total += Math.abs(turned[at] as number)
  // Rounding adds at most a half to each.
  const step = total === 0 ? 1 : (0xffff - rotation.width / 2) / (2 * total)
  const values = new Int32Array(turned.length)
  let sum = 0
  for (let at = 0; at < turned.length; at++) {
    const value = Math.round(2 * (turned[at] as number) * step)
    values[at] = value
    sum += Math.abs(value)
  }
  return { values, step, middle: sum / 2 }
}

/** The best sums of a run, that of the upper piece times 65,536. Four bytes a turn: the processor waits for memory less. */
function bestPair(sums: Int32Array, bytes: Uint8Array, from: number, count: number, size: number): number {
  let bestUpper = 0
  let bestLower = 0
  const end = from + count * size
  const entries = size * 256
  for (let at = from; at < end; ) {
    let sum = 0
    for (let entry = 0; entry < entries; entry += 1024, at += 4) {
      sum =
        (sum +
          (sums[entry + (bytes[at] as number)] as number) +
          (sums[entry + 256 + (bytes[at + 1] as number)] as number) +
          (sums[entry + 512 + (bytes[at + 2] as number)] as number) +
          (sums[entry + 768 + (bytes[at + 3] as number)] as number)) |
        0
    }
    const upper = sum >>> 16
    const lower = sum & 0xffff
    if (upper > bestUpper) bestUpper = upper
    if (lower > bestLower) bestLower = lower
  }
  return bestUpper * 0x1_0000 + bestLower
}

function toCosine(sum: number, { step, middle }: Scale, factor: number): number {
  return Math.max(0, Math.min(1, (sum - middle) / step / factor))
}
