/**
 * A vector in half precision, ties to the even number: what the store that keeps least of a vector has of it. Scores are worked out from
 * this in every store, so that they are the same to the last bit. Parts are at most 1.
 */
export function roundToHalf(vector: Float32Array): Float32Array {
  const rounded = Float32Array.from(vector)
  const bits = new Uint32Array(rounded.buffer)
  for (let at = 0; at < rounded.length; at++) {
    const value = rounded[at] as number
    if (Math.abs(value) >= smallestNormal) {
      const all = bits[at] as number
      // Of 23 bits behind the point 10 stay.
      bits[at] = (all + 0xfff + ((all >>> 13) & 1)) & ~0x1fff
    } else {
      // Next to .75 single precision has the steps that half precision has next to 0.
      rounded[at] = Math.fround(value + 0.75) - 0.75
    }
  }
  return rounded
}

const smallestNormal = 2 ** -14
