import type { CodedVectors, SignCodes } from './sign-codes.ts'

/** Vectors whose codes stand in one row. A write that adds a few vectors rewrites one block, so blocks are small. */
export const blockSize = 256

/** Codes of up to {@link blockSize} vectors, with the keys of their children and documents. */
export interface CodeBlock extends CodedVectors {
  readonly children: Float64Array
  readonly documents: Float64Array
}

/**
 * Reads a block as it is stored: the numbers of vectors and of dimensions, keys of children, keys of documents, factors, offsets,
 * the centre, codes.
 */
export function readCodeBlock(packed: Uint8Array): CodeBlock {
  // Views need the numbers to begin at a multiple of eight.
  const bytes = packed.byteOffset % 8 === 0 ? packed : packed.slice()
  const { buffer, byteOffset } = bytes
  const [count = 0, dimensions = 0] = new Uint32Array(buffer, byteOffset, 2)
  return {
    count,
    children: new Float64Array(buffer, byteOffset + 8, count),
    documents: new Float64Array(buffer, byteOffset + 8 + 8 * count, count),
    factors: new Float32Array(buffer, byteOffset + 8 + 16 * count, count),
    offsets: new Float32Array(buffer, byteOffset + 8 + 20 * count, count),
    centre: new Float32Array(buffer, byteOffset + 8 + 24 * count, dimensions),
    codes: bytes.subarray(8 + 24 * count + 4 * dimensions),
  }
}

function newCodeBlock(count: number, centre: Float32Array, codeBytes: number): { packed: Uint8Array; block: CodeBlock } {
  const packed = new Uint8Array(8 + (24 + codeBytes) * count + 4 * centre.length)
  new Uint32Array(packed.buffer, 0, 2).set([count, centre.length])
  const block = readCodeBlock(packed)
  block.centre.set(centre)
  return { packed, block }
}

type Slot = { readonly document: number } & (
  | { readonly vector: Float32Array }
  | { readonly factor: number; readonly offset: number; readonly code: Uint8Array }
)

/** A block that a write changes. */
export class OpenCodeBlock {
  readonly #slots = new Map<number, Slot>()
  readonly #centre: Float32Array | undefined

  constructor(block?: CodeBlock) {
    if (block === undefined) return
    this.#centre = block.centre
    const bytes = block.codes.byteLength / block.count
    for (let slot = 0; slot < block.count; slot++) {
      this.#slots.set(block.children[slot] as number, {
        document: block.documents[slot] as number,
        factor: block.factors[slot] as number,
        offset: block.offsets[slot] as number,
        code: block.codes.subarray(slot * bytes, (slot + 1) * bytes),
      })
    }
  }

  get count(): number {
    return this.#slots.size
  }

  set(child: number, document: number, vector: Float32Array): void {
    this.#slots.set(child, { document, vector })
  }

  delete(child: number): void {
    this.#slots.delete(child)
  }

  /** As it is stored. A new block's centre is that of the vectors it begins with. */
  pack(signs: SignCodes | undefined): Uint8Array {
    const vectors = Array.from(this.#slots.values()).flatMap((slot) => ('vector' in slot ? [slot.vector] : []))
    const centre = this.#centre ?? centreOf(vectors)
    const [first] = this.#slots.values()
    const bytes = signs?.bytes ?? (first !== undefined && 'code' in first ? first.code.byteLength : 0)
    const { packed, block } = newCodeBlock(this.#slots.size, centre, bytes)
    const turned = signs?.turn(centre)
    let at = 0
    for (const [child, slot] of this.#slots) {
      block.children[at] = child
      block.documents[at] = slot.document
      const numbers =
        'vector' in slot && turned !== undefined ? signs?.encode(slot.vector, turned, block.codes, at * bytes) : undefined
      if ('code' in slot) block.codes.set(slot.code, at * bytes)
      block.factors[at] = 'code' in slot ? slot.factor : (numbers?.factor ?? 0)
      block.offsets[at] = 'code' in slot ? slot.offset : (numbers?.offset ?? 0)
      at++
    }
    return packed
  }
}

/** The mean, drawn towards zero where there are few: those to come need not be like them. */
function centreOf(vectors: readonly Float32Array[]): Float32Array {
  const centre = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) {
    for (let at = 0; at < centre.length; at++) centre[at] = (centre[at] as number) + (vector[at] as number) / (vectors.length + 4)
  }
  return centre
}
