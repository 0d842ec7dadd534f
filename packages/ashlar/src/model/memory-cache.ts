import { AshlarError } from '../error/ashlar-error.ts'
import type { ModelCache } from './model-cache.ts'

/** How {@link memoryCache} is bounded. */
export interface MemoryCacheOptions {
  /** Most bytes of keys and values together; what was used longest ago goes first. @default 67108864, 64 MiB */
  readonly maxBytes?: number
}

/** What an entry costs beside its key and value, roughly: objects, and its place in a map. */
const overhead = 128

/** A {@link ModelCache} that lasts as long as the process and forgets what was used longest ago. */
export function memoryCache(options: MemoryCacheOptions = {}): ModelCache {
  const { maxBytes = 64 * 1024 * 1024 } = options
  if (!(maxBytes >= 0))
    throw new AshlarError('INVALID_OPTION', `maxBytes must be no less than 0; got ${maxBytes}`, { details: { maxBytes } })
  return new MemoryCache(maxBytes)
}

class MemoryCache implements ModelCache {
  readonly #maxBytes: number
  /** A map keeps the order of insertion, so that its first entry is the one used longest ago. */
  readonly #entries = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async get(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return keys.map((key) => {
      const value = this.#entries.get(key)
      if (value === undefined) return undefined
      this.#entries.delete(key)
      this.#entries.set(key, value)
      return value.slice()
    })
  }

  async set(entries: readonly { readonly key: string; readonly value: Uint8Array }[]): Promise<void> {
    for (const { key, value } of entries) {
      this.#drop(key)
      // Copied, since a vector that was handed out may be written to.
      this.#entries.set(key, value.slice())
      this.#bytes += sizeOf(key, value)
    }
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(key)
    }
  }

  #drop(key: string): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#bytes -= sizeOf(key, value)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#entries.clear()
    this.#bytes = 0
  }
}

function sizeOf(key: string, value: Uint8Array): number {
  return key.length + value.length + overhead
}
