import { assembleModule, type Code, wasm } from './wasm-assembler.ts'
import { instantiate, newWasmMemory, type WasmMemory } from './wasm-memory.ts'

/**
 * Multiplies rows of single precision by vectors of double precision, all of them as long as `scratch`, whose length is a multiple of 32
 * bytes; the vectors are an even number. Products come row after row. Addresses are in bytes, and those of ends are the first behind.
 */
type ProductKernel = (
  rows: number,
  rowsEnd: number,
  vectors: number,
  vectorsEnd: number,
  scratch: number,
  scratchEnd: number,
  products: number,
) => void

/** A kernel and the memory that it works on. */
export interface OpenProductKernel {
  readonly memory: WasmMemory
  readonly run: ProductKernel
}

/** Undefined where the runtime lets no code be made, or lays numbers out in another order than the kernel's memory. */
export function openProductKernel(): OpenProductKernel | undefined {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) return undefined
  try {
    const memory = newWasmMemory()
    const parameters = ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'] as const
    const locals = ['i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'] as const
    return { memory, run: instantiate(assembleModule(parameters, locals, kernelBody()), memory) as ProductKernel }
  } catch {
    return undefined
  }
}

/** Two vectors a turn, so that the processor has four sums to work on; each product is made of four sums like that of `rowProduct`. */
function kernelBody(): Code {
  const { get, set, loop, branchIf, i32, v128, f64, f64x2 } = wasm
  const [row, rowsEnd, vectors, vectorsEnd, scratch, scratchEnd, products] = [0, 1, 2, 3, 4, 5, 6] as const
  const [at, vector, low, high, first, second, third, fourth] = [7, 8, 9, 10, 11, 12, 13, 14] as const
  const forward = (local: number, by: Code): Code => set(local, i32.add(get(local), by))
  const length = i32.add(get(scratchEnd), i32.mul(get(scratch), i32.const(-1)))
  const add = (sum: number, part: number, address: Code, offset: number): Code =>
    set(sum, f64x2.add(get(sum), f64x2.mul(get(part), v128.load(address, offset))))
  const total = (one: number, other: number): Code =>
    f64.add(
      f64.add(f64.add(f64x2.extractLane(get(one), 0), f64x2.extractLane(get(one), 1)), f64x2.extractLane(get(other), 0)),
      f64x2.extractLane(get(other), 1),
    )
  const promoteRow = [
    set(at, get(scratch)),
    loop([
      v128.store(get(at), 0, f64x2.promoteLow(v128.loadHalf(get(row), 0))),
      v128.store(get(at), 16, f64x2.promoteLow(v128.loadHalf(get(row), 8))),
      forward(row, i32.const(16)),
      forward(at, i32.const(32)),
      branchIf(0, i32.lessUnsigned(get(at), get(scratchEnd))),
    ]),
  ]
  const multiplyTwo = [
    [first, second, third, fourth].map((sum) => set(sum, v128.zero)),
    set(at, get(scratch)),
    loop([
      set(low, v128.load(get(at), 0)),
      set(high, v128.load(get(at), 16)),
      add(first, low, get(vector), 0),
      add(second, high, get(vector), 16),
      add(third, low, i32.add(get(vector), length), 0),
      add(fourth, high, i32.add(get(vector), length), 16),
      forward(vector, i32.const(32)),
      forward(at, i32.const(32)),
      branchIf(0, i32.lessUnsigned(get(at), get(scratchEnd))),
    ]),
    f64.store(get(products), 0, total(first, second)),
    f64.store(get(products), 8, total(third, fourth)),
    forward(products, i32.const(16)),
    forward(vector, length),
  ]
  return loop([
    promoteRow,
    set(vector, get(vectors)),
    loop([multiplyTwo, branchIf(0, i32.lessUnsigned(get(vector), get(vectorsEnd)))]),
    branchIf(0, i32.lessUnsigned(get(row), get(rowsEnd))),
  ])
}
