import type { Span } from './span.ts'

/** A place for people: both numbers start at 1, the column counts UTF-16 code units. */
export interface LineColumn {
  readonly line: number
  readonly column: number
}

/**
 * Translates between offsets and lines. LF, CR and CRLF each end a line, and a CRLF is one line end.
 *
 * Built once per text in one pass; each look-up is a binary search.
 *
 * @example
 * const map = new LineMap('one\r\ntwo\rthree')
 * console.log(JSON.stringify(map.at(5))) // => {"line":2,"column":1}
 * console.log(map.offset({ line: 3, column: 2 })) // => 10
 */
export class LineMap {
  readonly #text: string
  readonly #starts: Uint32Array

  constructor(text: string) {
    let starts = new Uint32Array(Math.max(16, text.length >>> 5))
    let count = 1
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code !== 0x0a && code !== 0x0d) continue
      if (code === 0x0d && text.charCodeAt(index + 1) === 0x0a) index++
      if (count === starts.length) {
        const larger = new Uint32Array(count * 2)
        larger.set(starts)
        starts = larger
      }
      starts[count++] = index + 1
    }
    this.#text = text
    this.#starts = starts.slice(0, count)
  }

  /** How many lines the text has; a line break at its end begins a last, empty one. */
  get lineCount(): number {
    return this.#starts.length
  }

  /** The line and column of an offset. Offsets outside the text are moved to its nearest end. */
  at(offset: number): LineColumn {
    const within = Math.min(Math.max(offset, 0), this.#text.length)
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#starts[middle] as number) <= within) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: within - (this.#starts[low] as number) + 1 }
  }

  /** The offset of a line and column; a column beyond the line's end gives the line's end. */
  offset(place: LineColumn): number {
    const line = this.line(place.line)
    return Math.min(line.start + Math.max(place.column - 1, 0), line.end)
  }

  /** The span of a line (from 1), without its line break. A line outside the text gives an empty span at its nearest end. */
  line(number: number): Span {
    if (number < 1) return { start: 0, end: 0 }
    const start = this.#starts[number - 1]
    if (start === undefined) return { start: this.#text.length, end: this.#text.length }
    let end = this.#starts[number] ?? this.#text.length
    if (number < this.#starts.length) {
      end--
      if (this.#text.charCodeAt(end) === 0x0a && end > start && this.#text.charCodeAt(end - 1) === 0x0d) end--
    }
    return { start, end }
  }
}
