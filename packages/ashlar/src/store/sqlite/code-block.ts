/** Vectors whose codes stand in one row. A write that adds a few vectors rewrites one block, so blocks are small. */
export const blockSize = 256

/** Codes of up to {@link blockSize} vectors, with the keys of their children and documents. */
export interface CodeBlock {
  readonly count: number
  readonly children: Float64Array
  readonly documents: Float64Array
  readonly codes: Uint8Array
}

/** Reads a block as it is stored: keys of children, keys of documents, codes. */
export function readCodeBlock(packed: Uint8Array, count: number): CodeBlock {
  // Views need the numbers to begin at a multiple of eight.
  const bytes = packed.byteOffset % 8 === 0 ? packed : packed.slice()
  return {
    count,
    children: new Float64Array(bytes.buffer, bytes.byteOffset, count),
    documents: new Float64Array(bytes.buffer, bytes.byteOffset + 8 * count, count),
    codes: bytes.subarray(16 * count),
  }
}

/** A block that a write changes. */
export class OpenCodeBlock {
  readonly #slots = new Map<number, { readonly document: number; readonly code: Uint8Array }>()

  constructor(block?: CodeBlock) {
    if (block === undefined) return
    const bytes = block.codes.byteLength / block.count
    for (let slot = 0; slot < block.count; slot++) {
      const code = block.codes.subarray(slot * bytes, (slot + 1) * bytes)
      this.set(block.children[slot] as number, block.documents[slot] as number, code)
    }
  }

  get count(): number {
    return this.#slots.size
  }

  set(child: number, document: number, code: Uint8Array): void {
    this.#slots.set(child, { document, code })
  }

  delete(child: number): void {
    this.#slots.delete(child)
  }

  pack(): Uint8Array {
    const count = this.#slots.size
    const [first] = this.#slots.values()
    const bytes = first?.code.byteLength ?? 0
    const packed = new Uint8Array(count * (16 + bytes))
    const { children, documents, codes } = readCodeBlock(packed, count)
    let slot = 0
    for (const [child, { document, code }] of this.#slots) {
      children[slot] = child
      documents[slot] = document
      codes.set(code, slot * bytes)
      slot++
    }
    return packed
  }
}
