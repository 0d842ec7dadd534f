import { AshlarError } from '../../error/ashlar-error.ts'
import { packTable, type TableRow } from './child-table.ts'
import { PackedBlocks, type PostingList } from './packed-blocks.ts'
import { PiecePagesWriter } from './piece-pages.ts'
import { PostingPagesWriter } from './posting-page.ts'
import { type HeadPieces, mostChildren, packHead } from './segment-head.ts'

/** Puts the pages of a segment together: rows first, in order, then terms in order; word pieces of each embedding by rising place. */
export class SegmentWriter {
  readonly #rows: readonly TableRow[]
  readonly #postings = new PostingPagesWriter()
  readonly #own = new PackedBlocks()
  readonly #generated = new PackedBlocks()
  readonly #pieces = new Map<number, PiecePagesWriter>()

  constructor(rows: readonly TableRow[]) {
    if (rows.length > mostChildren) {
      throw new AshlarError('INVALID_OPTION', `A segment of the lexical index holds at most ${mostChildren} children.`, {
        details: { children: rows.length, most: mostChildren },
      })
    }
    this.#rows = rows
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

  finish(): Uint8Array[] {
    this.#postings.finish()
    const table = packTable(this.#rows)
    const pages = [...table, ...this.#postings.pages]
    const pieces: HeadPieces[] = []
    for (const [embedding, writer] of [...this.#pieces].sort(([a], [b]) => a - b)) {
      const counted = writer.finish()
      pieces.push({ embedding, ...counted, firstPage: pages.length + 1, firstPlaces: Uint32Array.from(writer.firstPlaces) })
      pages.push(...writer.pages)
    }
    return [packHead(this.#rows.length, table.length, this.#postings.firstTerms, pieces), ...pages]
  }
}
