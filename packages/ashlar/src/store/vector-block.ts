/** A child and how near it is. */
export interface NearChild {
  readonly child: number
  readonly cosine: number
}

/** Vectors of one embedding in one flat block without holes, searched by going through all of them. */
export class VectorBlock {
  readonly #dimensions: number
  #numbers: Float32Array
  readonly #children: number[] = []
  readonly #documents: number[] = []
  readonly #contentKeys: string[] = []
  readonly #slots = new Map<number, number>()

  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#numbers = new Float32Array(dimensions * 16)
  }

  get size(): number {
    return this.#children.length
  }

  set(child: number, document: number, contentKey: string, vector: Float32Array): void {
    const slot = this.#slots.get(child) ?? this.#children.length
    if ((slot + 1) * this.#dimensions > this.#numbers.length) {
      const larger = new Float32Array(this.#numbers.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#slots.set(child, slot)
    this.#children[slot] = child
    this.#documents[slot] = document
    this.#contentKeys[slot] = contentKey
    this.#numbers.set(vector, slot * this.#dimensions)
  }

  /** The last vector takes the place of one that goes. */
  delete(child: number): void {
    const slot = this.#slots.get(child)
    if (slot === undefined) return
    const last = this.#children.length - 1
    this.#numbers.copyWithin(slot * this.#dimensions, last * this.#dimensions, (last + 1) * this.#dimensions)
    this.#slots.set(this.#children[last] as number, slot)
    for (const list of [this.#children, this.#documents, this.#contentKeys] as unknown[][]) list[slot] = list.pop()
    // Popping the last one wrote it back to where it was.
    if (slot === last) for (const list of [this.#children, this.#documents, this.#contentKeys]) list.length = last
    this.#slots.delete(child)
  }

  get(child: number): { readonly document: number; readonly contentKey: string; readonly vector: Float32Array } | undefined {
    const slot = this.#slots.get(child)
    if (slot === undefined) return undefined
    return {
      document: this.#documents[slot] as number,
      contentKey: this.#contentKeys[slot] as string,
      vector: this.#numbers.slice(slot * this.#dimensions, (slot + 1) * this.#dimensions),
    }
  }

  contentKey(child: number): string | undefined {
    const slot = this.#slots.get(child)
    return slot === undefined ? undefined : this.#contentKeys[slot]
  }

  /** Adds the nearest children to those found in other blocks. */
  nearest(vector: Float32Array, found: Nearest, allows: (document: number) => boolean): void {
    const numbers = this.#numbers
    const dimensions = this.#dimensions
    for (let slot = 0, at = 0; slot < this.#children.length; slot++, at += dimensions) {
      if (!allows(this.#documents[slot] as number)) continue
      let cosine = 0
      for (let index = 0; index < dimensions; index++) cosine += (numbers[at + index] as number) * (vector[index] as number)
      found.offer(this.#children[slot] as number, cosine)
    }
  }
}

/** The best so far, as a heap whose root is the first to go. */
export class Nearest {
  readonly #limit: number
  readonly #heap: NearChild[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(child: number, cosine: number): void {
    const heap = this.#heap
    const one = { child, cosine }
    if (heap.length < this.#limit) {
      heap.push(one)
      this.#rise(heap.length - 1)
    } else if (isWorse(heap[0] as NearChild, one)) {
      heap[0] = one
      this.#sink()
    }
  }

  /** The highest cosine first, ties by key. */
  sorted(): readonly NearChild[] {
    return this.#heap.toSorted((left, right) => (isWorse(left, right) ? 1 : -1))
  }

  #rise(at: number): void {
    const heap = this.#heap
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isWorse(heap[at] as NearChild, heap[above] as NearChild)) return
      swap(heap, at, above)
      at = above
    }
  }

  #sink(): void {
    const heap = this.#heap
    for (let at = 0; ; ) {
      let worst = at
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && isWorse(heap[below] as NearChild, heap[worst] as NearChild)) worst = below
      }
      if (worst === at) return
      swap(heap, at, worst)
      at = worst
    }
  }
}

function isWorse(left: NearChild, right: NearChild): boolean {
  return left.cosine < right.cosine || (left.cosine === right.cosine && left.child > right.child)
}

function swap(heap: NearChild[], left: number, right: number): void {
  const one = heap[left] as NearChild
  heap[left] = heap[right] as NearChild
  heap[right] = one
}
