import { type HadamardRotation, hadamardRotation } from '../../vector/hadamard-rotation.ts'

/** What one query adds up: for each byte of a code and each of its 256 values the sum of eight coordinates. */
export interface QueryTable {
  readonly bytes: number
  readonly sums: Int16Array
}

/** Scores lie between this and its negative. */
const highestScore = 32_000

/** Scores of a scan, from the least to the highest. */
export const scoreRange: number = 2 * highestScore + 128

/**
 * Codes of vectors: the sign of each coordinate after a fixed rotation, one bit each. The query stays whole: the sum of its coordinates,
 * each with the sign that the code has there, ranks vectors nearly as their cosines do.
 */
export class SignCodes {
  /** Bytes of a code. */
  readonly bytes: number
  readonly #rotation: HadamardRotation

  constructor(dimensions: number) {
    this.#rotation = hadamardRotation(dimensions)
    this.bytes = this.#rotation.width / 8
  }

  /** Writes the code of a vector to `codes` from the byte `at` on. */
  encode(vector: Float32Array, codes: Uint8Array, at: number): void {
    const turned = this.#rotation.rotate(vector, 0)
    for (let byte = 0; byte < this.bytes; byte++) {
      let bits = 0
      for (let bit = 0; bit < 8; bit++) bits |= Number((turned[byte * 8 + bit] as number) > 0) << bit
      codes[at + byte] = bits
    }
  }

  query(vector: Float32Array): QueryTable {
    const turned = this.#rotation.rotate(vector, 0)
    const most = turned.reduce((sum, value) => sum + Math.abs(value), 0)
    const scale = most === 0 ? 0 : highestScore / most
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
    return { bytes: this.bytes, sums }
  }
}

/** Scores `count` codes into `scores` from `to` on: none is below 0 nor as high as {@link scoreRange}. */
export function scanCodes({ bytes, sums }: QueryTable, codes: Uint8Array, count: number, scores: Uint16Array, to: number): void {
  let at = 0
  for (let slot = 0; slot < count; slot++) {
    let sum = highestScore + 64
    // Codes have a multiple of eight bytes.
    for (let table = 0, end = bytes * 256; table < end; table += 2048, at += 8) {
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
    scores[to + slot] = sum
  }
}
