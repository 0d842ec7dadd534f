import type { Span } from './span.ts'

/** Offsets are noted every so many code units; between two notes the text is walked. */
const stride = 1024

/** How many UTF-8 bytes `[from, to)` takes; a lone surrogate takes 3, as the U+FFFD that encoders write for it. */
function byteLength(text: string, from: number, to: number): number {
  let bytes = 0
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(index + 1))) {
      bytes += 4
      index++
    } else bytes += 3
  }
  return bytes
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/**
 * Translates between UTF-16 offsets (Ashlar's) and UTF-8 byte offsets (files, Rust, Go, many services).
 *
 * An offset inside a surrogate pair, or inside the bytes of one character, is moved back to where that character starts.
 *
 * @example
 * const map = new ByteMap('naïve 🪨')
 * console.log(map.toByte(6), map.toUnit(7), map.byteLength) // => 7 6 11
 */
export class ByteMap {
  readonly #text: string
  readonly #notes: Float64Array
  /** Length of the whole text in UTF-8 bytes. */
  readonly byteLength: number

  constructor(text: string) {
    const notes = new Float64Array(Math.floor(text.length / stride) + 1)
    let bytes = 0
    for (let note = 1; note < notes.length; note++) {
      bytes += byteLength(text, this.#align(text, (note - 1) * stride), this.#align(text, note * stride))
      notes[note] = bytes
    }
    this.#text = text
    this.#notes = notes
    this.byteLength = bytes + byteLength(text, this.#align(text, (notes.length - 1) * stride), text.length)
  }

  #align(text: string, unit: number): number {
    if (unit <= 0 || unit >= text.length) return unit
    const high = text.charCodeAt(unit - 1)
    return isLow(text.charCodeAt(unit)) && high >= 0xd800 && high <= 0xdbff ? unit - 1 : unit
  }

  /** The UTF-8 byte offset of a UTF-16 offset. */
  toByte(unit: number): number {
    const within = this.#align(this.#text, Math.min(Math.max(unit, 0), this.#text.length))
    let note = Math.floor(within / stride)
    if (this.#align(this.#text, note * stride) > within) note--
    return (this.#notes[note] as number) + byteLength(this.#text, this.#align(this.#text, note * stride), within)
  }

  /** The UTF-16 offset of a UTF-8 byte offset. */
  toUnit(byte: number): number {
    if (byte >= this.byteLength) return this.#text.length
    let low = 0
    let high = this.#notes.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#notes[middle] as number) <= byte) low = middle
      else high = middle - 1
    }
    let bytes = this.#notes[low] as number
    let unit = this.#align(this.#text, low * stride)
    while (unit < this.#text.length) {
      const next = unit + (isLow(this.#text.charCodeAt(unit + 1)) && this.#text.codePointAt(unit)! > 0xffff ? 2 : 1)
      bytes += byteLength(this.#text, unit, next)
      if (bytes > byte) return unit
      unit = next
    }
    return unit
  }

  /** A span of UTF-16 offsets as a span of UTF-8 byte offsets. */
  toByteSpan(span: Span): Span {
    return { start: this.toByte(span.start), end: this.toByte(span.end) }
  }
}
