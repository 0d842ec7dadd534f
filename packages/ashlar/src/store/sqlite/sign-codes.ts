import { type HadamardRotation, hadamardRotation } from '../../vector/hadamard-rotation.ts'
import { dotProduct } from './dot-product.ts'

/** Codes of vectors that share a centre. */
export interface CodedVectors {
  readonly count: number
  readonly centre: Float32Array
  /** What the sum of signs is multiplied by, one a vector. */
  readonly factors: Float32Array
  /** What the signs get wrong of the product with the centre, one a vector. */
  readonly offsets: Float32Array
  readonly codes: Uint8Array
}

/** A centre as it is, and turned. */
export interface TurnedCentre {
  readonly centre: Float32Array
  readonly turned: Float64Array
}

/** What one query adds up: for each byte of a code and each of its 256 values the sum of eight coordinates. */
export interface CodeQuery {
  readonly vector: Float32Array
  readonly sums: Int16Array
  /** What the sums are multiplied by, so that they are whole numbers. */
  readonly scale: number
}

/** Estimated cosines are told apart to this precision, from -1.5 to 1.5. */
const steps = 20_000

/** Scores of a scan are above 0 and below this. */
export const scoreRange: number = 3 * steps

/**
 * Codes of vectors: the sign of each coordinate of what differs from a centre, after a fixed rotation, one bit each, and two numbers.
 *
 * The query stays whole: the sum of its coordinates, each with the sign that the code has there, times the factor, and the query's
 * product with the centre, estimate the cosine. What that gets wrong along the centre is known beforehand and put right by the offset.
 * Without all this, vectors of models that point all one way would have nearly equal codes.
 */
export class SignCodes {
  /** Bytes of a code. */
  readonly bytes: number
  readonly #rotation: HadamardRotation
  readonly #difference: Float32Array

  constructor(dimensions: number) {
    this.#rotation = hadamardRotation(dimensions)
    this.#difference = new Float32Array(dimensions)
    this.bytes = this.#rotation.width / 8
  }

  turn(centre: Float32Array): TurnedCentre {
    return { centre, turned: this.#rotation.rotate(centre, 0).slice() }
  }

  /** Writes the code of a vector to `codes` from the byte `at` on. */
  encode(
    vector: Float32Array,
    { centre, turned: middle }: TurnedCentre,
    codes: Uint8Array,
    at: number,
  ): { readonly factor: number; readonly offset: number } {
    for (let index = 0; index < vector.length; index++)
      this.#difference[index] = (vector[index] as number) - (centre[index] as number)
    const turned = this.#rotation.rotate(this.#difference, 0)
    let sum = 0
    let squares = 0
    let product = 0
    let signs = 0
    for (let byte = 0; byte < this.bytes; byte++) {
      let bits = 0
      for (let bit = 0; bit < 8; bit++) {
        const coordinate = turned[byte * 8 + bit] as number
        const other = middle[byte * 8 + bit] as number
        squares += coordinate * coordinate
        product += coordinate * other
        if (coordinate > 0) {
          sum += coordinate
          signs += other
          bits |= 1 << bit
        } else {
          sum -= coordinate
          signs -= other
        }
      }
      codes[at + byte] = bits
    }
    const factor = sum === 0 ? 0 : squares / sum
    return { factor, offset: product - factor * signs }
  }

  query(vector: Float32Array): CodeQuery {
    const turned = this.#rotation.rotate(vector, 0)
    const most = turned.reduce((sum, value) => sum + Math.abs(value), 0)
    const scale = most === 0 ? 1 : 32_000 / most
    const sums = new Int16Array(this.bytes * 256)
    for (let byte = 0; byte < this.bytes; byte++) {
      for (let value = 0; value < 256; value++) {
        let sum = 0
        for (let bit = 0; bit < 8; bit++) {
          const coordinate = turned[byte * 8 + bit] as number
          sum += (value >> bit) & 1 ? coordinate : -coordinate
        }
        sums[byte * 256 + value] = Math.round(sum * scale)
      }
    }
    return { vector, sums, scale }
  }
}

/** Bytes of a code that tell enough to pass most vectors over: rotation makes all of them alike. */
export function openingBytes(bytes: number): number {
  return Math.min(bytes, Math.max(16, 8 * Math.ceil(bytes / 32)))
}

/**
 * Scores vectors by the first bytes of their codes into `scores` from `to` on: the higher, the nearer. Those that have less than `least`
 * there already are passed over and get 0.
 */
export function scanCodes(
  { vector, sums, scale }: CodeQuery,
  { codes, factors, offsets, centre, count }: CodedVectors,
  bytes: number,
  scores: Uint16Array,
  to: number,
  least: number,
): void {
  const width = sums.length / 256
  const product = dotProduct(vector, centre)
  const base = (product + 1.5) * steps
  const along = (product / (dotProduct(centre, centre) || 1)) * steps
  // Part of the coordinates has that part of the product.
  const step = ((steps / scale) * width) / bytes
  for (let slot = 0; slot < count; slot++) {
    if ((scores[to + slot] as number) < least) {
      scores[to + slot] = 0
      continue
    }
    const signs = signSum(sums, codes, slot * width, bytes)
    const score = base + signs * step * (factors[slot] as number) + along * (offsets[slot] as number)
    scores[to + slot] = score < 1 ? 1 : score >= scoreRange ? scoreRange - 1 : score | 0
  }
}

/** The query's coordinates with the signs of a code that begins at a byte. The number of bytes is a multiple of eight. */
function signSum(sums: Int16Array, codes: Uint8Array, from: number, bytes: number): number {
  let sum = 0
  for (let table = 0, end = bytes * 256, at = from; table < end; table += 2048, at += 8) {
    sum +=
      (sums[table + (codes[at] as number)] as number) +
      (sums[table + 256 + (codes[at + 1] as number)] as number) +
      (sums[table + 512 + (codes[at + 2] as number)] as number) +
      (sums[table + 768 + (codes[at + 3] as number)] as number) +
      (sums[table + 1024 + (codes[at + 4] as number)] as number) +
      (sums[table + 1280 + (codes[at + 5] as number)] as number) +
      (sums[table + 1536 + (codes[at + 6] as number)] as number) +
      (sums[table + 1792 + (codes[at + 7] as number)] as number)
  }
  return sum
}
