import { type HadamardRotation, hadamardRotation } from '../../vector/hadamard-rotation.ts'

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

/** What one query adds up: for each half of a byte of a code and each of its 16 values the sum of four coordinates. */
export interface CodeQuery {
  readonly vector: Float32Array
  /** Whole numbers from 0 to 127. */
  readonly tables: Uint8Array
  /** The sum of numbers from the tables, times the scale and with the shift, is that of the coordinates. */
  readonly scale: number
  readonly shift: number
}

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
    const halves = Array.from({ length: this.bytes * 2 }, (_, half) => turned.subarray(4 * half, 4 * half + 4))
    const reaches = halves.map((half) => half.reduce((sum, value) => sum + Math.abs(value), 0))
    // Two numbers must fit into a byte, and all of a code into two.
    const most = Math.min(127, Math.floor(65_535 / halves.length))
    const scale = (2 * Math.max(...reaches)) / most || 1
    const tables = new Uint8Array(halves.length * 16)
    for (const [at, half] of halves.entries()) {
      for (let value = 0; value < 16; value++) {
        const sum = half.reduce((sum, coordinate, bit) => sum + ((value >> bit) & 1 ? coordinate : -coordinate), 0)
        tables[at * 16 + value] = Math.round((sum + (reaches[at] as number)) / scale)
      }
    }
    return { vector, tables, scale, shift: -reaches.reduce((sum, reach) => sum + reach, 0) }
  }
}
