/**
 * Remembers where a character stands next, so that stretches without it need no search of their own.
 *
 * The search runs to the next occurrence however far that is, but is repeated only once that has been passed: the whole
 * text is searched once, and a character that does not occur costs one look.
 */
export class NextMark {
  readonly mark: string
  readonly #text: string
  /** There is none in `[#from, #next)`. */
  #from = 0
  #next: number

  constructor(text: string, mark: string) {
    this.mark = mark
    this.#text = text
    this.#next = this.#search(0)
  }

  #search(from: number): number {
    const found = this.#text.indexOf(this.mark, from)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }

  /** Whether the character may stand in `[start, end)`; false only where it surely does not. */
  mayStandIn(start: number, end: number): boolean {
    if (start < this.#from) return true
    if (this.#next < start) {
      this.#from = start
      this.#next = this.#search(start)
    }
    return this.#next < end
  }
}
