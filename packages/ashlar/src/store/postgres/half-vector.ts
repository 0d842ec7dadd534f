/** The number that each half-precision number is. */
let numbers: Float32Array | undefined

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** A vector in the binary form of a `halfvec`, rounded to half precision here: see {@link readHalfVector}. */
export function halfVectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 2 * vector.length)
  bytes.writeInt16BE(vector.length, 0)
  bytes.writeInt16BE(0, 2)
  for (let at = 0; at < vector.length; at++) bytes.writeUInt16BE(halfBits(vector[at] as number), 4 + 2 * at)
  return bytes
}

/** Reads what `halfvec_send` gives: the number of dimensions, two bytes of nothing, the numbers; all big-endian. */
export function readHalfVector(sent: Uint8Array): Float32Array {
  numbers ??= Float32Array.from({ length: 65_536 }, (_, half) => numberOf(half))
  const vector = new Float32Array(((sent[0] as number) << 8) | (sent[1] as number))
  for (let at = 0; at < vector.length; at++) {
    vector[at] = numbers[((sent[4 + 2 * at] as number) << 8) | (sent[5 + 2 * at] as number)] as number
  }
  return vector
}

/** Rounds to the nearest number of half precision, ties to the even one. Beyond what it can hold becomes the largest; there is one zero. */
export function halfBits(value: number): number {
  float[0] = value
  const all = bits[0] as number
  const sign = (all >>> 16) & 0x8000
  const magnitude = all & 0x7fff_ffff
  if (magnitude >= 0x477f_f000) return sign | 0x7bff
  if (magnitude < 0x3880_0000) {
    // Below 2^-14 halves are equally spaced by 2^-24.
    const steps = Math.abs(float[0] as number) * 16_777_216
    const low = Math.floor(steps)
    const rest = steps - low
    const rounded = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low
    return rounded === 0 ? 0 : sign | rounded
  }
  const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1)
  return sign | ((rounded - 0x3800_0000) >>> 13)
}

function numberOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 31
  const fraction = half & 1_023
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1_024 + fraction) * 2 ** (exponent - 25)
}
