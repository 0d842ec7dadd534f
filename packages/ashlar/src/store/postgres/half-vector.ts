/** The shortest text of each half-precision number that was needed so far. */
const texts: (string | undefined)[] = new Array<string | undefined>(65_536)
/** The number that each half-precision number is. */
let numbers: Float32Array | undefined

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/**
 * A vector as the text of a `halfvec`, rounded to half precision here.
 *
 * There are only 65,536 numbers of half precision, so each is printed once: printing is what costs when vectors are written.
 */
export function halfVectorText(vector: Float32Array): string {
  let text = '['
  for (let at = 0; at < vector.length; at++) {
    text += at === 0 ? textOf(vector[at] as number) : `,${textOf(vector[at] as number)}`
  }
  return `${text}]`
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

function textOf(value: number): string {
  const half = halfBits(value)
  const known = texts[half]
  if (known !== undefined) return known
  // Five digits are enough to tell any two numbers of 11 bits apart.
  const text = String(Number(numberOf(half).toPrecision(5)))
  texts[half] = text
  return text
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
