import { damagedIndex } from './page-seal.ts'

/** Reads what a `ByteBuffer` wrote. Reading beyond the end is refused. */
export class ByteCursor {
  readonly bytes: Uint8Array
  readonly #what: string
  at = 0

  constructor(bytes: Uint8Array, what: string) {
    this.bytes = bytes
    this.#what = what
  }

  number(): number {
    const first = this.bytes[this.at++]
    if (first === undefined) throw this.damaged('it ends too early')
    if (first < 128) return first
    let value = first & 127
    let scale = 128
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw this.damaged('it ends too early')
      value += (byte & 127) * scale
      if (byte < 128) break
      scale *= 128
      if (scale > 2 ** 49) throw this.damaged('it holds a number that is too large')
    }
    if (value > Number.MAX_SAFE_INTEGER) throw this.damaged('it holds a number that is too large')
    return value
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  /** A number of things that take at least `bytes` bytes each, so that damage cannot ask for endless memory. */
  count(bytes: number = 1): number {
    const value = this.number()
    if (value * bytes > this.bytes.length - this.at) throw this.damaged('it promises more than it holds')
    return value
  }

  skip(count: number): void {
    this.at += count
    if (this.at > this.bytes.length) throw this.damaged('it ends too early')
  }

  /** Everything must have been read. */
  end(): void {
    if (this.at !== this.bytes.length) throw this.damaged('it goes on where it should end')
  }

  damaged(why: string): Error {
    return damagedIndex(this.#what, why)
  }
}
