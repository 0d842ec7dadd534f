import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { halfBits, halfVectorText, readHalfVector } from '../../src/store/postgres/half-vector.ts'

function bytesOf(vector: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4 + 2 * vector.length))
  bytes.setUint16(0, vector.length)
  for (const [at, value] of vector.entries()) bytes.setUint16(4 + 2 * at, halfBits(value))
  return new Uint8Array(bytes.buffer)
}

describe('half precision', () => {
  test('rounds to the nearest number, ties to even', () => {
    expect([0, 1, -1, 0.5, 1 + 2 ** -11, 1 + 3 * 2 ** -11, 2 ** -24, 2 ** -25, 3 * 2 ** -25, 65_504, 1e9].map(halfBits)).toEqual([
      0, 0x3c00, 0xbc00, 0x3800, 0x3c00, 0x3c02, 1, 0, 2, 0x7bff, 0x7bff,
    ])
  })

  test('is read back within half a step, and its text names the same number', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.float({ min: -1, max: 1, noNaN: true }).map((value) => value + 0),
          { minLength: 1, maxLength: 20 },
        ),
        (values) => {
          const read = [...readHalfVector(bytesOf(values))]
          for (const [at, value] of values.entries()) {
            expect(Math.abs((read[at] as number) - value)).toBeLessThanOrEqual(Math.max(2 ** -25, Math.abs(value) * 2 ** -11))
          }
          const printed = JSON.parse(halfVectorText(Float32Array.from(values))) as number[]
          expect(printed.map(halfBits)).toEqual(values.map(halfBits))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('every number of half precision survives being printed', () => {
    for (let half = 0; half < 0x7c00; half++) {
      const bytes = new Uint8Array([0, 1, 0, 0, half >>> 8, half & 255])
      const [value] = readHalfVector(bytes)
      expect(halfBits(Number(halfVectorText(Float32Array.of(value as number)).slice(1, -1)))).toBe(half)
    }
  })
})
