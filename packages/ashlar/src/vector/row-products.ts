import { type OpenProductKernel, openProductKernel } from './product-kernel.ts'

/** Rows that are multiplied in one go, so that the kernel's memory stays small. */
const atOnce = 256
const pageBytes = 65_536

let kernel: OpenProductKernel | false | undefined

/**
 * The product of every row with every vector, row after row. Each is made of four sums side by side, so that it is the same to the last
 * bit whether WebAssembly works it out or, where a runtime has none, JavaScript, which takes about four times as long.
 */
export function rowProducts(rows: readonly Float32Array[], vectors: readonly Float32Array[]): Float64Array {
  const products = new Float64Array(rows.length * vectors.length)
  if (products.length === 0) return products
  kernel ??= openProductKernel() ?? false
  if (kernel === false) multiply(rows, vectors, products)
  else multiplyWith(kernel, rows, vectors, products)
  return products
}

/** Numbers that a vector is filled up to. */
function widthOf(vector: Float32Array): number {
  return Math.ceil(vector.length / 4) * 4
}

function multiplyWith(
  { memory, run }: OpenProductKernel,
  rows: readonly Float32Array[],
  vectors: readonly Float32Array[],
  products: Float64Array,
): void {
  const width = widthOf(vectors[0] as Float32Array)
  const count = vectors.length + (vectors.length & 1)
  const scratchAt = 8 * width * count
  const productsAt = scratchAt + 8 * width
  const rowsAt = productsAt + 8 * count * atOnce
  const missing = rowsAt + 4 * width * atOnce - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  const wide = new Float64Array(memory.buffer, 0, width * count).fill(0)
  for (const [at, vector] of vectors.entries()) wide.set(vector, at * width)
  const found = new Float64Array(memory.buffer, productsAt, count * atOnce)
  const held = new Float32Array(memory.buffer, rowsAt, width * atOnce).fill(0)
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = Math.min(atOnce, rows.length - from)
    for (let at = 0; at < some; at++) held.set(rows[from + at] as Float32Array, at * width)
    run(rowsAt, rowsAt + 4 * width * some, 0, scratchAt, scratchAt, productsAt, productsAt)
    for (let at = 0; at < some; at++)
      products.set(found.subarray(at * count, at * count + vectors.length), (from + at) * vectors.length)
  }
}

/** The same without WebAssembly. Exported for the test that compares both. */
export function multiply(rows: readonly Float32Array[], vectors: readonly Float32Array[], products: Float64Array): void {
  const width = widthOf(vectors[0] as Float32Array)
  const wide = vectors.map((vector) => filledUp(vector, width))
  const held = new Float64Array(width)
  let at = 0
  for (const row of rows) {
    held.set(row)
    for (const vector of wide) products[at++] = product(held, vector)
  }
}

function filledUp(vector: Float32Array, width: number): Float64Array {
  const wide = new Float64Array(width)
  wide.set(vector)
  return wide
}

function product(left: Float64Array, right: Float64Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let at = 0; at < left.length; at += 4) {
    first += (left[at] as number) * (right[at] as number)
    second += (left[at + 1] as number) * (right[at + 1] as number)
    third += (left[at + 2] as number) * (right[at + 2] as number)
    fourth += (left[at + 3] as number) * (right[at + 3] as number)
  }
  return first + second + third + fourth
}
