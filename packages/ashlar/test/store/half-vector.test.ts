import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { halfBits, halfVectorBytes, readHalfVector } from '../../src/store/postgres/half-vector.ts'

describe('half precision', () => {
  test('rounds to the nearest number, ties to even', () => {
    expect([0, 1, -1, 0.5, 1 + 2 ** -11, 1 + 3 * 2 ** -11, 2 ** -24, 2 ** -25, 3 * 2 ** -25, 65_504, 1e9].map(halfBits)).toEqual([
      0, 0x3c00, 0xbc00, 0x3800, 0x3c00, 0x3c02, 1, 0, 2, 0x7bff, 0x7bff,
    ])
  })

  test('is read back within half a step', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.float({ min: -1, max: 1, noNaN: true }).map((value) => value + 0),
          { minLength: 1, maxLength: 20 },
        ),
        (values) => {
          const read = [...readHalfVector(halfVectorBytes(Float32Array.from(values)))]
          for (const [at, value] of values.entries()) {
            expect(Math.abs((read[at] as number) - value)).toBeLessThanOrEqual(Math.max(2 ** -25, Math.abs(value) * 2 ** -11))
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('every number of half precision survives being sent', () => {
    const changed: number[] = []
    for (let half = 0; half < 0x7c00; half++) {
      const bytes = new Uint8Array([0, 1, 0, 0, half >>> 8, half & 255])
      const [value] = readHalfVector(bytes)
      if (!halfVectorBytes(Float32Array.of(value as number)).equals(bytes)) changed.push(half)
    }
    expect(changed).toEqual([])
  })
})
