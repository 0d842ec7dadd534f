/**
 * What was read and decoded of segments, kept between transactions. Segments never change, so nothing in it can be stale; what was not
 * used for longest goes when the limit is reached. One for each engine that is open.
 */
export class PostingsCache {
  readonly limit: number
  readonly #kept = new Map<string, { readonly value: unknown; readonly size: number }>()
  #size = 0

  /** `limit` is in bytes, estimated. */
  constructor(limit: number = 256_000_000) {
    this.limit = limit
  }

  /** Bytes that are kept now. */
  get size(): number {
    return this.#size
  }

  get<Value>(key: string): Value | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value as Value
  }

  set(key: string, value: unknown, size: number): void {
    this.#drop(key)
    if (size > this.limit) return
    this.#kept.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.limit) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}
