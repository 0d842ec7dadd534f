/** Bytes that grow as they are written and are used again for the next page: postings are too many for anything slower. */
export class ByteBuffer {
  bytes: Uint8Array = new Uint8Array(1024)
  length = 0

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, the lowest first. */
  number(value: number): void {
    if (this.length + 8 > this.bytes.length) this.#grow(8)
    let rest = value
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) | 128
      rest = rest > 0x7fffffff ? Math.floor(rest / 128) : rest >>> 7
    }
    this.bytes[this.length++] = rest
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.number(value < 0 ? -value * 2 - 1 : value * 2)
  }

  append(source: Uint8Array, from: number = 0, to: number = source.length): void {
    if (this.length + to - from > this.bytes.length) this.#grow(to - from)
    // A call costs more than copying a few.
    if (to - from > 32) {
      this.bytes.set(source.subarray(from, to), this.length)
      this.length += to - from
    } else for (let at = from; at < to; at++) this.bytes[this.length++] = source[at] as number
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  #grow(count: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    larger.set(this.written())
    this.bytes = larger
  }
}
