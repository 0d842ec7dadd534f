import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openProductKernel } from '../../src/vector/product-kernel.ts'
import { multiply, rowProducts } from '../../src/vector/row-products.ts'

const vectors = (dimensions: number, most: number): fc.Arbitrary<Float32Array[]> =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, min: -8, max: 8 }), { maxLength: most })

describe('rowProducts', () => {
  test('this runtime has what the kernel needs', () => {
    expect(openProductKernel()).toBeDefined()
  })

  test('is the same to the last bit with and without WebAssembly, whatever the sizes', () => {
    const sizes = fc.integer({ min: 1, max: 41 }).chain((dimensions) => fc.tuple(vectors(dimensions, 20), vectors(dimensions, 9)))
    fc.assert(
      fc.property(sizes, ([rows, query]) => {
        const products = new Float64Array(rows.length * query.length)
        if (query.length > 0) multiply(rows, query, products)
        expect(rowProducts(rows, query)).toEqual(products)
      }),
    )
  })

  test('gives products row after row, also of more rows than are held at once', () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => Float32Array.of(at, 1, 0))
    const products = rowProducts(rows, [Float32Array.of(1, 0, 5), Float32Array.of(2, 3, 5), Float32Array.of(0, 0, 1)])
    for (const at of rows.keys()) expect([...products.subarray(3 * at, 3 * at + 3)]).toEqual([at, 2 * at + 3, 0])
  })
})
