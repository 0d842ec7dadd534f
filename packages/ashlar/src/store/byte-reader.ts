import { AshlarError } from '../error/ashlar-error.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const digits: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Reads what a `ByteWriter` wrote. Reading beyond the end, or a number that no writer writes, is refused: what a store has packed may have
 * been damaged since.
 */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #what: string
  #at = 0

  /** `what` is named in errors. */
  constructor(bytes: Uint8Array, what: string) {
    // Drivers hand out subclasses of Uint8Array; one class keeps reading fast.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#what = what
  }

  damaged(why: string): AshlarError {
    return new AshlarError('DAMAGED_STORE', `The store's ${this.#what} cannot be read: ${why}. Put the document again.`, {
      details: { what: this.#what, bytes: this.#bytes.length, at: this.#at },
    })
  }

  byte(): number {
    const value = this.#bytes[this.#at++]
    if (value === undefined) throw this.damaged('it ends too early')
    return value
  }

  number(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (byte < 128) break
      scale *= 128
      if (scale > 2 ** 49) throw this.damaged('it holds a number that is too large')
    }
    if (!Number.isSafeInteger(value)) throw this.damaged('it holds a number that is too large')
    return value
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  /** A number of things that take at least one byte each, so that damage cannot ask for endless memory. */
  count(): number {
    const value = this.number()
    if (value > this.#bytes.length - this.#at) throw this.damaged('it promises more than it holds')
    return value
  }

  text(): string {
    try {
      return decoder.decode(this.bytes())
    } catch (error) {
      if (error instanceof AshlarError) throw error
      throw this.damaged('it holds a text that is none')
    }
  }

  bytes(): Uint8Array {
    const length = this.count()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  id(): string {
    const length = this.number() - 1
    if (length < 0) return this.text()
    if (length >= 200 || length % 2 === 1) throw this.damaged('it holds an id that is none')
    let value = ''
    for (let at = 0; at < length; at += 2) value += digits[this.byte()]
    return value
  }

  /** Passes over an id and gives where it stands, for {@link idAt}. */
  skipId(): number {
    const place = this.#at
    const length = this.number() - 1
    const size = length < 0 ? this.count() : length / 2
    if (length >= 200 || !Number.isInteger(size)) throw this.damaged('it holds an id that is none')
    if (size > this.#bytes.length - this.#at) throw this.damaged('it ends too early')
    this.#at += size
    return place
  }

  /** The id at a place that {@link skipId} gave. */
  idAt(place: number): string {
    this.#at = place
    return this.id()
  }

  /** Everything must have been read. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw this.damaged('it goes on where it should end')
  }
}
