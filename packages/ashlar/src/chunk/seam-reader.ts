import { AshlarError } from '../error/ashlar-error.ts'
import type { Span } from '../text/span.ts'
import { type Format, type Seam, strength } from './seam.ts'

/**
 * Reads a format's seams as far as the packer has come and forgets them behind it, keeping what still holds:
 * the headings above, and the table whose rows are being cut.
 */
export class SeamReader {
  readonly #formatId: string
  readonly #length: number
  readonly #iterator: Iterator<Seam>
  #seams: Seam[] = []
  #head = 0
  #done = false
  #lastAt = 0
  #current: Seam | undefined
  /** The tables with a header that have begun, outermost first; those that have ended are dropped when the next begins. */
  readonly #tables: Seam[] = []
  /** Where chunks must end, as far as the seams have been read, and the first of them that has not been passed. */
  readonly #always: number[] = []
  #nextAlways = 0
  readonly #headings: { level: number; title: string }[] = []
  #outline: readonly string[] = []

  constructor(format: Format, text: string) {
    this.#formatId = format.id
    this.#length = text.length
    this.#iterator = format.seams(text)[Symbol.iterator]()
  }

  /** The titles above the position last given to `advance`, outermost first. */
  get outline(): readonly string[] {
    return this.#outline
  }

  /** The header of the table that `at` continues, if it does. */
  headerAt(at: number): Span | undefined {
    for (let index = this.#tables.length - 1; index >= 0; index--) {
      const { header, end = 0 } = this.#tables[index] as Seam
      if (header !== undefined && at < end) return at >= header.end ? header : undefined
    }
    return undefined
  }

  /** The seam that governs the text just before the first seam kept: what `inside` it has. */
  get current(): Seam | undefined {
    return this.#current
  }

  /** Number of seams kept. */
  get count(): number {
    return this.#seams.length - this.#head
  }

  /** The kept seam at a place in the queue. */
  seam(index: number): Seam {
    return this.#seams[this.#head + index] as Seam
  }

  /** The first place after `position` where a chunk must end, if it is among the seams read. */
  alwaysAfter(position: number): number | undefined {
    const always = this.#always
    while (this.#nextAlways < always.length && (always[this.#nextAlways] as number) <= position) this.#nextAlways++
    return always[this.#nextAlways]
  }

  /** Makes sure that every seam up to and including `position` has been read. */
  readTo(position: number): void {
    while (!this.#done && this.#lastAt <= position) {
      const next = this.#iterator.next()
      if (next.done === true) {
        this.#done = true
        return
      }
      const seam = next.value
      if (!(seam.at >= this.#lastAt && seam.at <= this.#length)) {
        throw new AshlarError(
          'INVALID_SEAM',
          `Format "${this.#formatId}" gave a seam at ${seam.at} after one at ${this.#lastAt} in a text of ${this.#length} code units. Seams must come in rising order and inside the text.`,
          { details: { format: this.#formatId, at: seam.at, after: this.#lastAt, length: this.#length } },
        )
      }
      this.#lastAt = seam.at
      this.#seams.push(seam)
      if (seam.strength >= strength.always) this.#always.push(seam.at)
    }
  }

  /** Forgets the seams before `position`, and takes in the headings and tables that begin at or before `at`. */
  advance(position: number, at: number): void {
    this.readTo(at)
    let index = this.#head
    for (; index < this.#seams.length; index++) {
      const seam = this.#seams[index] as Seam
      if (seam.at >= position) break
      this.#current = seam
    }
    this.#head = index
    if (this.#head > 64 && this.#head * 2 > this.#seams.length) {
      this.#noted -= this.#head
      this.#seams = this.#seams.slice(this.#head)
      this.#head = 0
    }
    this.#note(at)
  }

  /** Index in `#seams` of the first seam whose heading or table has not been taken in. */
  #noted = 0

  #note(at: number): void {
    for (let index = Math.max(this.#noted, 0); index < this.#seams.length; index++) {
      const seam = this.#seams[index] as Seam
      if (seam.at > at) break
      this.#noted = index + 1
      if (seam.header !== undefined) {
        while (this.#tables.length > 0 && (this.#tables.at(-1)?.end ?? 0) <= seam.at) this.#tables.pop()
        this.#tables.push(seam)
      }
      if (seam.heading === undefined) continue
      while (this.#headings.length > 0 && (this.#headings.at(-1)?.level ?? 0) >= seam.heading.level) this.#headings.pop()
      this.#headings.push(seam.heading)
      this.#outline = this.#headings.map((heading) => heading.title)
    }
  }
}
