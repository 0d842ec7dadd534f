import { AshlarError } from '../error/ashlar-error.ts'
import type { Journal } from './journal.ts'

/** How {@link memoryCache} is bounded. */
export interface MemoryCacheOptions {
  /** Most bytes of keys and values together; what was used longest ago goes first. @default 67108864, 64 MiB */
  readonly maxBytes?: number
}

/** What an entry costs beside its key and value, roughly: objects, and its place in a map. */
const overhead = 128

/** A {@link ModelCache} that lasts as long as the process and forgets what was used longest ago. */
export function memoryCache(options: MemoryCacheOptions = {}): Journal {
  const { maxBytes = 64 * 1024 * 1024 } = options
  if (!(maxBytes >= 0))
    throw new AshlarError('INVALID_OPTION', `maxBytes must be no less than 0; got ${maxBytes}`, { details: { maxBytes } })
  return new MemoryCache(maxBytes)
}

class MemoryCache implements Journal {
  readonly #maxBytes: number
  /** A map keeps the order of insertion, so that its first entry is the one used longest ago. */
  readonly #entries = new Map<string, { readonly value: Uint8Array; readonly used: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async get(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return keys.map((key) => {
      const entry = this.#entries.get(key)
      if (entry === undefined) return undefined
      this.#entries.delete(key)
      this.#entries.set(key, { value: entry.value, used: Date.now() })
      return entry.value.slice()
    })
  }

  async set(entries: readonly { readonly key: string; readonly value: Uint8Array }[]): Promise<void> {
    for (const { key, value } of entries) {
      this.#drop(key)
      // Copied, since a vector that was handed out may be written to.
      this.#entries.set(key, { value: value.slice(), used: Date.now() })
      this.#bytes += sizeOf(key, value)
    }
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(key)
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#drop(key)
  }

  async sweep(before: number): Promise<void> {
    for (const [key, { used }] of this.#entries) {
      if (used >= before) break
      this.#drop(key)
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= sizeOf(key, entry.value)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#entries.clear()
    this.#bytes = 0
  }
}

function sizeOf(key: string, value: Uint8Array): number {
  return key.length + value.length + overhead
}
