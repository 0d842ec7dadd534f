/**
 * Where one character stands, found as the packer moves on.
 *
 * The next occurrence beyond what was asked for is remembered, so that each stretch of the text is searched once, natively,
 * and a character that does not occur costs one search for the whole text. Searching afresh for each window would cost a
 * call a window, or, unbounded, be quadratic.
 */
export class MarkIndex {
  readonly #text: string
  readonly #mark: string
  /** The positions in `[#from, #to]` are known. */
  #from = 0
  #to = -1
  /** The first occurrence after `#to`. */
  #next: number
  /** The known positions, rising: the first `count` entries. */
  at: Int32Array = new Int32Array(16)
  count = 0

  constructor(text: string, mark: string) {
    this.#text = text
    this.#mark = mark
    this.#next = this.#search(0)
  }

  #search(from: number): number {
    const found = this.#text.indexOf(this.#mark, from)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }

  /** Makes the positions in `[low, high]` known; others may be known as well. */
  cover(low: number, high: number): void {
    if (low > this.#to + 1) {
      this.count = 0
      this.#from = low
      this.#to = low - 1
      if (this.#next < low) this.#next = this.#search(low)
    } else if (low < this.#from) this.#coverBefore(low)
    if (high <= this.#to) return
    if (this.#next <= high) {
      this.#forgetBefore(low - (high - low))
      for (; this.#next <= high; this.#next = this.#search(this.#next + 1)) this.#add(this.#next)
    }
    this.#to = high
  }

  #add(position: number): void {
    if (this.count === this.at.length) this.#grow(this.count + 1)
    this.at[this.count++] = position
  }

  #grow(length: number): void {
    const larger = new Int32Array(2 * length)
    larger.set(this.at.subarray(0, this.count))
    this.at = larger
  }

  /** Overlap looks back a little: search the stretch that was passed over, and nothing after it. */
  #coverBefore(low: number): void {
    const stretch = this.#text.slice(low, this.#from)
    const found: number[] = []
    for (let at = stretch.indexOf(this.#mark); at !== -1; at = stretch.indexOf(this.#mark, at + 1)) found.push(low + at)
    this.#from = low
    if (found.length === 0) return
    if (this.count + found.length > this.at.length) this.#grow(this.count + found.length)
    this.at.copyWithin(found.length, 0, this.count)
    this.at.set(found)
    this.count += found.length
  }

  #forgetBefore(low: number): void {
    if (low <= this.#from) return
    let kept = 0
    while (kept < this.count && (this.at[kept] as number) < low) kept++
    this.at.copyWithin(0, kept, this.count)
    this.count -= kept
    this.#from = low
  }
}
