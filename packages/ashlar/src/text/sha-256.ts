/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of 8. */
const { rounds, initial } = constants()

function constants(): { rounds: Int32Array; initial: Int32Array } {
  const primes: number[] = []
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  // Exact integer roots: floating point would be off by one in the last bit for some primes.
  const fraction = (prime: number, power: bigint): number => {
    const scaled = BigInt(prime) << (32n * power)
    let root = BigInt(Math.floor(prime ** (1 / Number(power)) * 2 ** 32))
    while (root ** power > scaled) root--
    while ((root + 1n) ** power <= scaled) root++
    return Number(root & 0xffffffffn)
  }
  return {
    rounds: Int32Array.from(primes, (prime) => fraction(prime, 3n) | 0),
    initial: Int32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2n) | 0),
  }
}

const encoder = new TextEncoder()
const schedule = new Int32Array(64)
const state = new Int32Array(8)
let bytes = new Uint8Array(4096)

/** Two hexadecimal digits for each byte. */
const hexadecimal: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The part of Node's `crypto` that is used, and how it is reached without an import that a browser would trip over. */
type NativeHash = (algorithm: 'sha256', text: string, encoding: 'hex') => string
type Runtime = { process?: { getBuiltinModule?: (name: string) => { hash?: NativeHash } | undefined } }

/** Node, Deno and Bun hash in native code, several times faster than any script can; elsewhere there is none. */
const native: NativeHash | undefined = (globalThis as Runtime).process?.getBuiltinModule?.('crypto')?.hash

/**
 * SHA-256 of a text in UTF-8, as hexadecimal digits, cut to `bits`.
 *
 * Synchronous and the same everywhere, also in browsers, whose own digest is asynchronous. A lone surrogate is hashed as
 * U+FFFD, which is what UTF-8 encoders write for it.
 *
 * @example
 * console.log(sha256('ashlar', 64)) // => 3d30e39f19381678
 */
export function sha256(text: string, bits: 64 | 128 | 256 = 256): string {
  return native === undefined ? pureSha256(text, bits) : native('sha256', text, 'hex').slice(0, bits / 4)
}

/** The same in plain script, for runtimes without a synchronous digest. */
export function pureSha256(text: string, bits: 64 | 128 | 256 = 256): string {
  const needed = text.length * 3 + 72
  if (bytes.length < needed) bytes = new Uint8Array(needed * 2)
  const length = encoder.encodeInto(text, bytes).written
  const total = (length + 72) & ~63
  bytes[length] = 0x80
  bytes.fill(0, length + 1, total - 4)
  // The length field is 64 bits of the message's bits; texts beyond 512 MB need its upper half.
  const high = Math.floor(length / 0x20000000)
  for (let index = 0; index < 4; index++) {
    bytes[total - 5 - index] = high >>> (8 * index)
    bytes[total - 1 - index] = (length << 3) >>> (8 * index)
  }
  state.set(initial)
  for (let offset = 0; offset < total; offset += 64) compress(offset)
  let digest = ''
  for (let word = 0; word < bits / 32; word++) {
    const value = state[word] as number
    digest += `${hexadecimal[value >>> 24]}${hexadecimal[(value >>> 16) & 255]}${hexadecimal[(value >>> 8) & 255]}${hexadecimal[value & 255]}`
  }
  return digest
}

function compress(offset: number): void {
  const w = schedule
  const k = rounds
  const input = bytes
  for (let index = 0, at = offset; index < 16; index++, at += 4) {
    w[index] =
      ((input[at] as number) << 24) |
      ((input[at + 1] as number) << 16) |
      ((input[at + 2] as number) << 8) |
      (input[at + 3] as number)
  }
  for (let index = 16; index < 64; index++) {
    const x = w[index - 15] as number
    const y = w[index - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[index] = ((w[index - 16] as number) + s0 + (w[index - 7] as number) + s1) | 0
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let index = 0; index < 64; index++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (k[index] as number) + (w[index] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = ((state[0] as number) + a) | 0
  state[1] = ((state[1] as number) + b) | 0
  state[2] = ((state[2] as number) + c) | 0
  state[3] = ((state[3] as number) + d) | 0
  state[4] = ((state[4] as number) + e) | 0
  state[5] = ((state[5] as number) + f) | 0
  state[6] = ((state[6] as number) + g) | 0
  state[7] = ((state[7] as number) + h) | 0
}
