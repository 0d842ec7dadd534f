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
 * Signs are flipped at random, each block goes through a Walsh-Hadamard transform, and the blocks are mirrored into one another, so that
 * a block whose numbers are large shares them with the rest: 384 numbers are three blocks of 128.
 */
export function hadamardRotation(dimensions: number): HadamardRotation {
  const width = lowestBit(dimensions) >= 64 ? dimensions : Math.ceil(dimensions / 64) * 64
  const block = lowestBit(width)
  const blocks = width / block
  const random = randomSigns(seed)
  const signs = Float64Array.from({ length: width }, () => random() / Math.sqrt(block))
  const values = new Float64Array(width)
  const padded = new Float32Array(width)
  return {
    width,
    rotate(rows, from) {
      if (dimensions === width) openTransform(rows, from, signs, values)
      else {
        padded.set(rows.subarray(from, from + dimensions))
        openTransform(padded, 0, signs, values)
      }
      closeTransform(values, block)
      if (blocks > 1) mirrorBlocks(values, block, 2 / blocks)
      return values
    },
  }
}

/** Flips the signs, and takes the first two steps of the transform on the way: runs of four numbers. */
function openTransform(rows: Float32Array, from: number, signs: Float64Array, values: Float64Array): void {
  for (let at = 0; at < values.length; at += 4) {
    const a = (rows[from + at] as number) * (signs[at] as number)
    const b = (rows[from + at + 1] as number) * (signs[at + 1] as number)
    const c = (rows[from + at + 2] as number) * (signs[at + 2] as number)
    const d = (rows[from + at + 3] as number) * (signs[at + 3] as number)
    values[at] = a + b + (c + d)
    values[at + 1] = a - b + (c - d)
    values[at + 2] = a + b - (c + d)
    values[at + 3] = a - b - (c - d)
  }
}

/** The other steps of the transform of each block, in place, two in one pass over the numbers as long as there are two. */
function closeTransform(values: Float64Array, block: number): void {
  let step = 4
  for (; 2 * step < block; step *= 4) {
    for (let at = 0; at < values.length; at += 4 * step) {
      for (let first = at; first < at + step; first++) {
        const second = first + step
        const third = second + step
        const fourth = third + step
        const a = values[first] as number
        const b = values[second] as number
        const c = values[third] as number
        const d = values[fourth] as number
        values[first] = a + b + (c + d)
        values[second] = a - b + (c - d)
        values[third] = a + b - (c + d)
        values[fourth] = a - b - (c - d)
      }
    }
  }
  if (step === block) return
  for (let at = 0; at < values.length; at += block) {
    for (let first = at; first < at + step; first++) {
      const a = values[first] as number
      const b = values[first + step] as number
      values[first] = a + b
      values[first + step] = a - b
    }
  }
}

/** Takes twice the mean over all blocks off each number: a reflection, and one that no block keeps to itself. */
function mirrorBlocks(values: Float64Array, block: number, share: number): void {
  for (let first = 0; first < block; first++) {
    let sum = 0
    for (let at = first; at < values.length; at += block) sum += values[at] as number
    const taken = sum * share
    for (let at = first; at < values.length; at += block) values[at] = (values[at] as number) - taken
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
