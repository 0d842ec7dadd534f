const encoder = new TextEncoder()
const hexadecimal = /^(?:[0-9a-f]{2})*$/

/** What a digit is worth, by its code unit. */
const digitOf = Uint8Array.from({ length: 103 }, (_, unit) => (unit > 96 ? unit - 87 : unit - 48))

/** Bytes that grow as they are written. Whole numbers take seven bits a byte, the lowest first. */
export class ByteWriter {
  #bytes = new Uint8Array(256)
  #length = 0

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  /** A whole number from 0 to 2^53 - 1. */
  number(value: number): void {
    this.#room(8)
    while (value > 127) {
      this.#bytes[this.#length++] = (value % 128) | 128
      // Shifts would cut off what is above 32 bits.
      value = value > 0x7fffffff ? Math.floor(value / 128) : value >>> 7
    }
    this.#bytes[this.#length++] = value
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.number(value < 0 ? -value * 2 - 1 : value * 2)
  }

  text(value: string): void {
    this.bytes(encoder.encode(value))
  }

  bytes(value: Uint8Array): void {
    this.number(value.length)
    this.#room(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** Any text; hexadecimal digits, which most ids are, take half a byte each. */
  id(value: string): void {
    if (value.length < 200 && hexadecimal.test(value)) {
      this.number(value.length + 1)
      this.#room(value.length / 2)
      for (let at = 0; at < value.length; at += 2) {
        const high = digitOf[value.charCodeAt(at)] as number
        this.#bytes[this.#length++] = (high << 4) | (digitOf[value.charCodeAt(at + 1)] as number)
      }
      return
    }
    this.number(0)
    this.text(value)
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
