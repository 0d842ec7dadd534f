import { newWasmMemory, type WasmMemory } from '../../vector/wasm-memory.ts'
import { blockSize, type CodeBlock } from './code-block.ts'
import { dotProduct } from './dot-product.ts'
import { groupSize, openScanKernel, type ScanKernel } from './scan-kernel.ts'
import type { CodeQuery } from './sign-codes.ts'

/** A block whose codes lie in the memory of a scanner. */
export interface HeldBlock {
  readonly count: number
  readonly children: Float64Array
  readonly documents: Float64Array
  readonly centre: Float32Array
  readonly address: number
  /** Bytes of the memory that it takes. */
  readonly size: number
}

/** Estimated cosines are told apart to this precision, from -1.5 to 1.5. */
const steps = 20_000

/** Scores of a scan are above 0 and below this. */
export const scoreRange: number = 3 * steps

const pageBytes = 65_536
/** Pages that are added beyond need, so that the memory grows seldom. */
const spare = 63

/** Holds codes in a memory of WebAssembly and scans them there, sixteen at once. */
export class CodeScanner {
  readonly #memory: WasmMemory = newWasmMemory()
  readonly #kernel: ScanKernel = openScanKernel(this.#memory, { capacity: blockSize, most: scoreRange - 1 })
  /** Stretches of the memory that nobody uses any more, by their size. */
  readonly #free = new Map<number, number[]>()
  #end = 0

  /** Copies a block into the memory. */
  hold(block: CodeBlock): HeldBlock {
    const bytes = block.codes.byteLength / block.count
    const size = blockSize * (8 + bytes)
    const address = this.#take(size)
    new Float32Array(this.#memory.buffer, address, blockSize).set(block.factors)
    new Float32Array(this.#memory.buffer, address + 4 * blockSize, blockSize).set(block.offsets)
    interleaveCodes(block.codes, bytes, new Uint8Array(this.#memory.buffer, address + 8 * blockSize, blockSize * bytes))
    // Copies, since views would keep the whole of what was read.
    const { count, children, documents, centre } = block
    return { count, children: children.slice(), documents: documents.slice(), centre: centre.slice(), address, size }
  }

  release({ address, size }: Pick<HeldBlock, 'address' | 'size'>): void {
    const free = this.#free.get(size) ?? []
    this.#free.set(size, free)
    free.push(address)
  }

  /** Scores of all vectors, block after block: the higher, the nearer. They are valid until the next call of any method. */
  scan(blocks: readonly HeldBlock[], { vector, tables, scale, shift }: CodeQuery): Uint16Array {
    const count = blocks.reduce((sum, block) => sum + block.count, 0)
    const tablesAt = this.#take(tables.byteLength)
    // The last group may have fewer codes than it has scores.
    const size = 2 ** Math.ceil(Math.log2(2 * (count + groupSize)))
    const scoresAt = this.#take(size)
    new Uint8Array(this.#memory.buffer, tablesAt, tables.byteLength).set(tables)
    const bytes = tables.byteLength / 32
    let at = scoresAt
    for (const block of blocks) {
      const product = dotProduct(vector, block.centre)
      const base = (product + 1.5) * steps
      const along = (product / (dotProduct(block.centre, block.centre) || 1)) * steps
      const groups = Math.ceil(block.count / groupSize)
      this.#kernel(block.address, groups, bytes, tablesAt, at, scale * steps, shift * steps, base, along)
      at += 2 * block.count
    }
    this.release({ address: tablesAt, size: tables.byteLength })
    this.release({ address: scoresAt, size })
    return new Uint16Array(this.#memory.buffer, scoresAt, count)
  }

  #take(size: number): number {
    const known = this.#free.get(size)?.pop()
    if (known !== undefined) return known
    const address = this.#end
    // Views need addresses that are multiples of eight.
    const end = address + Math.ceil(size / 8) * 8
    const missing = end - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes) + spare)
    this.#end = end
    return address
  }
}

/** Puts the same byte of sixteen codes side by side, those of the first eight codes at even places. */
function interleaveCodes(codes: Uint8Array, bytes: number, into: Uint8Array): void {
  const count = codes.byteLength / bytes
  for (let slot = 0; slot < count; slot++) {
    const lane = slot % groupSize
    const place = lane < 8 ? 2 * lane : 2 * lane - 15
    const group = (slot - lane) * bytes
    for (let byte = 0; byte < bytes; byte++) into[group + byte * groupSize + place] = codes[slot * bytes + byte] as number
  }
}
