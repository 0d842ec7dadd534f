/** Turns vectors of one length by a fixed random rotation: lengths and angles stay, and no coordinate is special any more. */
export interface HadamardRotation {
  /** Coordinates of a turned vector: the dimensions, filled up to a multiple of 64. */
  readonly width: number
  /** Turns the row that begins at `from`. The result is overwritten by the next call. */
  rotate(rows: Float32Array, from: number): Float64Array
}

const seed = 0x41_53_48_4c

/**
 * Makes the rotation for vectors of `dimensions` numbers, the same on every machine.
 *
 * Signs are flipped at random and each block goes through a Walsh-Hadamard transform, twice, with the blocks shuffled into one another
 * in between. One round would leave a block whose numbers are large as it is; 384 numbers are three blocks of 128.
 */
export function hadamardRotation(dimensions: number): HadamardRotation {
  const width = lowestBit(dimensions) >= 64 ? dimensions : Math.ceil(dimensions / 64) * 64
  const block = lowestBit(width)
  const blocks = width / block
  const random = randomSigns(seed)
  // The scale of both transforms goes into the first signs, so that it costs nothing.
  const first = Float64Array.from({ length: width }, () => random() / block)
  const second = Float64Array.from({ length: width }, random)
  const shuffled = Int32Array.from({ length: width }, (_, at) => (at % blocks) * block + Math.floor(at / blocks))
  const before = new Float64Array(width)
  const after = new Float64Array(width)
  return {
    width,
    rotate(rows, from) {
      for (let at = 0; at < dimensions; at++) before[at] = (rows[from + at] as number) * (first[at] as number)
      before.fill(0, dimensions)
      for (let at = 0; at < width; at += block) transform(before, at, block)
      for (let at = 0; at < width; at++) after[at] = (before[shuffled[at] as number] as number) * (second[at] as number)
      for (let at = 0; at < width; at += block) transform(after, at, block)
      return after
    },
  }
}

function transform(values: Float64Array, from: number, length: number): void {
  for (let half = 1; half < length; half *= 2) {
    for (let at = from; at < from + length; at += 2 * half) {
      for (let low = at; low < at + half; low++) {
        const a = values[low] as number
        const b = values[low + half] as number
        values[low] = a + b
        values[low + half] = a - b
      }
    }
  }
}

function lowestBit(value: number): number {
  return value & -value
}

/** Xorshift over 32 bits: enough to draw signs, and the same everywhere. */
function randomSigns(start: number): () => 1 | -1 {
  let state = start
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state < 0 ? -1 : 1
  }
}
