import { expect, test } from 'vitest'
import { roundToHalf } from '../../src/search/round-to-half.ts'
import { halfBits, readHalfVector } from '../../src/store/postgres/half-vector.ts'

test('rounds as the narrowest store does', () => {
  const values = new Float32Array(20_000)
  for (let at = 0; at < values.length; at++) {
    const size = at % 3 === 0 ? 1 : at % 3 === 1 ? 2 ** -(at % 30) : 2 ** -14 * (1 + (at % 7) / 1024)
    values[at] = Math.sin(at * 12.9898) * size
  }
  const special = Float32Array.of(
    0,
    -0,
    1,
    -1,
    2 ** -14,
    2 ** -15,
    2 ** -24,
    2 ** -25,
    3 * 2 ** -25,
    1 - 2 ** -11,
    1 - 2 ** -12,
    1 + 2 ** -11,
  )
  for (const vector of [values, special]) {
    const bytes = Buffer.alloc(4 + 2 * vector.length)
    bytes.writeUInt16BE(vector.length & 0xffff, 0)
    for (const [at, value] of vector.entries()) bytes.writeUInt16BE(halfBits(value), 4 + 2 * at)
    const kept = readHalfVector(bytes)
    const rounded = roundToHalf(vector)
    for (let at = 0; at < vector.length; at++) expect(rounded[at]! + 0).toBe(kept[at]! + 0)
    // Rounding what is rounded changes nothing.
    expect(roundToHalf(rounded)).toEqual(rounded)
  }
})
