import { AshlarError } from '../../error/ashlar-error.ts'
import { packTable, type TableRow } from './child-table.ts'
import { PackedBlocks, type PostingList } from './packed-blocks.ts'
import { PiecePagesWriter } from './piece-pages.ts'
import { PostingPagesWriter } from './posting-page.ts'
import { type HeadPieces, mostChildren, packHead } from './segment-head.ts'

/** Takes pages that come one after the other, of which the first has this number. */
export type TakePages = (first: number, pages: readonly Uint8Array[]) => Promise<void>

/** Pages that are worth handing on: two megabytes. */
const portion = 64

/**
 * Puts the pages of a segment together: rows first, in order, then terms in order; word pieces of each embedding by rising place.
 *
 * Pages can be handed on as they are made, so that a large segment need not be held in memory: those of all terms first, then those of each
 * embedding.
 */
export class SegmentWriter {
  readonly #count: number
  readonly #tablePages: number
  readonly #table: Uint8Array[]
  readonly #postings = new PostingPagesWriter()
  readonly #own = new PackedBlocks()
  readonly #generated = new PackedBlocks()
  readonly #pieces = new Map<number, PiecePagesWriter>()
  readonly #firstPages = new Map<number, number>()
  /** Of the page that is handed on next. The head has number 0 and is made last. */
  #next = 1

  /** `count` is how many rows there are. */
  constructor(rows: Iterable<TableRow>, count: number) {
    if (count > mostChildren) {
      throw new AshlarError('INVALID_OPTION', `A segment of the lexical index holds at most ${mostChildren} children.`, {
        details: { children: count, most: mostChildren },
      })
    }
    this.#count = count
    this.#table = packTable(rows)
    this.#tablePages = this.#table.length
  }

  /** A term whose lists are not packed yet. */
  term(term: Uint8Array, own: PostingList, generated: PostingList): void {
    this.#own.clear()
    this.#own.add(own)
    this.#generated.clear()
    this.#generated.add(generated)
    this.packedTerm(term, this.#own, this.#generated)
  }

  packedTerm(term: Uint8Array, own: PackedBlocks, generated: PackedBlocks): void {
    this.#postings.add(term, own, generated)
  }

  /** Where the word pieces of an embedding go. */
  pieces(embedding: number): PiecePagesWriter {
    const writer = this.#pieces.get(embedding) ?? new PiecePagesWriter()
    this.#pieces.set(embedding, writer)
    return writer
  }

  /** Whether so many pages of terms are done that they are worth handing on. */
  get hasPortion(): boolean {
    return this.#postings.pages.length >= portion
  }

  /** Hands on the pages of terms that are done. */
  async drainTerms(take: TakePages): Promise<void> {
    await this.#hand(take, [...this.#table.splice(0), ...this.#postings.pages.splice(0)])
  }

  /** The same after the last term. */
  async endTerms(take: TakePages): Promise<void> {
    this.#postings.finish()
    await this.drainTerms(take)
  }

  /** Hands on the pages of an embedding's word pieces that are done; all terms were handed on, and all of the embeddings before. */
  async drainPieces(embedding: number, take: TakePages): Promise<void> {
    if (!this.#firstPages.has(embedding)) this.#firstPages.set(embedding, this.#next)
    await this.#hand(take, this.pieces(embedding).pages.splice(0))
  }

  /** The same after the last child. */
  async endPieces(embedding: number, take: TakePages): Promise<void> {
    this.pieces(embedding).finish()
    await this.drainPieces(embedding, take)
  }

  /** All pages that were not handed on; where some were, that is the head alone. */
  finish(): Uint8Array[] {
    this.#postings.finish()
    const pages = [...this.#table, ...this.#postings.pages]
    const pieces: HeadPieces[] = []
    for (const [embedding, writer] of [...this.#pieces].sort(([a], [b]) => a - b)) {
      const counted = writer.finish()
      const firstPage = this.#firstPages.get(embedding) ?? pages.length + 1
      pieces.push({ embedding, ...counted, firstPage, firstPlaces: Uint32Array.from(writer.firstPlaces) })
      pages.push(...writer.pages)
    }
    return [packHead(this.#count, this.#tablePages, this.#postings.firstTerms, pieces), ...pages]
  }

  async #hand(take: TakePages, pages: readonly Uint8Array[]): Promise<void> {
    if (pages.length === 0) return
    const first = this.#next
    this.#next += pages.length
    await take(first, pages)
  }
}
