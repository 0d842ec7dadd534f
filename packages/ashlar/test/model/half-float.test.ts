import { expect, test } from 'vitest'
import { halfFloat } from '../../src/model/half-float.ts'

test('all numbers of half precision are what their bits say', () => {
  for (let bits = 0; bits < 0x1_0000; bits++) {
    const exponent = (bits >> 10) & 31
    const significand = Number.parseInt((bits & 0x3ff).toString(2), 2) / 1024
    const size =
      exponent === 31
        ? significand === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : exponent === 0
          ? significand * 2 ** -14
          : (1 + significand) * 2 ** (exponent - 15)
    expect(halfFloat(bits), bits.toString(16)).toBe(bits & 0x8000 ? -size : size)
  }
})

test('the runtime agrees, where it knows such numbers', () => {
  const view = new DataView(new ArrayBuffer(2)) as DataView & { getFloat16?(at: number): number }
  if (view.getFloat16 === undefined) return
  for (let bits = 0; bits < 0x1_0000; bits++) {
    view.setUint16(0, bits)
    expect(halfFloat(bits)).toBe(view.getFloat16(0))
  }
})
