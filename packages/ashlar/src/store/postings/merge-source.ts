import type { ChildTable, TableRow } from './child-table.ts'
import type { PackedBlocks } from './packed-blocks.ts'
import { decodeList, type PackedList } from './packed-list.ts'
import type { PiecePagesWriter } from './piece-pages.ts'
import { readPiecePage } from './piece-pages.ts'
import { listAt, type PostingPage, pageSize, readPostingPage } from './posting-page.ts'
import type { HeadPieces, SegmentHead } from './segment-head.ts'
import { readPages, type SegmentReader } from './segment-source.ts'

/** A child of a segment that is merged. */
export interface MergedRow extends TableRow {
  readonly source: MergeSource
  readonly oldPlace: number
}

/** Live postings of one term, by their places in the merged segment. Grows and is used again. */
export class MergedList {
  places: Uint32Array = new Uint32Array(1024)
  counts: Uint32Array = new Uint32Array(1024)
  length = 0

  room(count: number): void {
    if (this.length + count <= this.places.length) return
    const size = (this.length + count) * 2
    const places = new Uint32Array(size)
    const counts = new Uint32Array(size)
    places.set(this.places.subarray(0, this.length))
    counts.set(this.counts.subarray(0, this.length))
    this.places = places
    this.counts = counts
  }
}

/** Pages that all sources of a merge hold ready together, and those of word pieces that one of them reads at once. */
const mostPages = 36
const mostPiecePages = 16

/** A segment that is read from its first term to its last. */
export class MergeSource {
  readonly head: SegmentHead
  /** How many of its children are live. */
  readonly count: number
  /** Where the sources are told apart that have the same term: the one that comes first in the merged segment. */
  order = 0
  /** How far all places are moved on; undefined where they are not moved alike, or some are dead. Then {@link newPlaces} tells. */
  shift: number | undefined
  /** For each place its place in the merged segment. Dead ones have none and are never asked for. */
  newPlaces: Uint32Array = new Uint32Array(0)
  readonly #reader: SegmentReader
  readonly #id: number
  readonly #table: ChildTable
  readonly #dead: Uint8Array | undefined
  #waiting: PostingPage[] = []
  #page: PostingPage | undefined
  #nextPage: number
  #entry = 0
  #pagesAtOnce = 1

  constructor(reader: SegmentReader, id: number, head: SegmentHead, table: ChildTable, dead: Uint8Array | undefined) {
    this.#reader = reader
    this.#id = id
    this.head = head
    this.#table = table
    this.#dead = dead
    this.count = dead === undefined ? table.count : table.count - dead.reduce((sum, one) => sum + one, 0)
    this.#nextPage = 1 + head.tablePages
  }

  get hasDead(): boolean {
    return this.count < this.#table.count
  }

  get firstRow(): MergedRow {
    return this.#row(this.#dead === undefined ? 0 : this.#dead.indexOf(0))
  }

  get lastRow(): MergedRow {
    return this.#row(this.#dead === undefined ? this.#table.count - 1 : this.#dead.lastIndexOf(0))
  }

  /** The live ones of its children, in order. */
  *rows(): Generator<MergedRow, void, undefined> {
    for (let place = 0; place < this.#table.count; place++) if (this.#dead?.[place] !== 1) yield this.#row(place)
  }

  /** Says how many sources are merged: the more there are, the less each holds ready. */
  share(sources: number): void {
    this.#pagesAtOnce = Math.max(2, Math.floor(mostPages / sources))
  }

  /** Room for new places. */
  scatter(): void {
    this.newPlaces = new Uint32Array(this.#table.count)
  }

  /** Whether all terms were read. */
  get isDone(): boolean {
    return this.#page === undefined
  }

  /** The term that is read next. */
  term(): Uint8Array {
    const { bytes, starts } = (this.#page as PostingPage).terms
    return bytes.slice(starts[this.#entry], starts[this.#entry + 1])
  }

  /** Below 0, 0 or above, as the present term comes before, is or comes after another. */
  compare(term: Uint8Array): number {
    const { bytes, starts } = (this.#page as PostingPage).terms
    return compareBytes(bytes, starts[this.#entry] as number, starts[this.#entry + 1] as number, term, 0, term.length)
  }

  isBefore(other: MergeSource): boolean {
    const { bytes, starts } = (this.#page as PostingPage).terms
    const { bytes: others, starts: otherStarts } = (other.#page as PostingPage).terms
    const order = compareBytes(
      bytes,
      starts[this.#entry] as number,
      starts[this.#entry + 1] as number,
      others,
      otherStarts[other.#entry] as number,
      otherStarts[other.#entry + 1] as number,
    )
    return order < 0 || (order === 0 && this.order < other.order)
  }

  /** The present term's postings in the present page, packed. */
  packed(generated: boolean): PackedList {
    return listAt(this.#page as PostingPage, this.#entry, generated)
  }

  /** Adds a list of this source to one whose places all come before. */
  copy(list: PackedList, into: PackedBlocks, room: MergedList): void {
    if (list.count === 0) return
    if (this.shift !== undefined) {
      into.copy(list, this.shift, this.#table.count)
      return
    }
    room.length = 0
    this.decode(list, room)
    into.add(room)
  }

  /** Adds the live postings of a list of this source. */
  decode(list: PackedList, into: MergedList): void {
    if (list.count === 0) return
    into.room(Math.min(list.count, this.#table.count))
    const from = into.length
    into.length += decodeList(list, { places: into.places, counts: into.counts, at: from }, this.#dead, this.#table.count)
    for (let at = from; at < into.length; at++) into.places[at] = this.newPlace(into.places[at] as number)
  }

  newPlace(place: number): number {
    return this.shift === undefined ? (this.newPlaces[place] as number) : place + this.shift
  }

  /** Goes to the next term; true when pages must be read first. */
  advance(): boolean {
    this.#entry++
    if (this.#entry < (this.#page as PostingPage).terms.starts.length - 1) return false
    this.#waiting.shift()
    this.#entry = 0
    this.#page = this.#waiting[0]
    return this.#page === undefined
  }

  async load(): Promise<void> {
    const end = 1 + this.head.tablePages + this.head.firstTerms.starts.length - 1
    const count = Math.min(this.#pagesAtOnce, end - this.#nextPage)
    const wanted = Array.from({ length: count }, (_, at) => ({ segment: this.#id, page: this.#nextPage + at }))
    this.#nextPage += count
    this.#waiting = (await readPages(this.#reader, wanted)).map(readPostingPage)
    this.#page = this.#waiting[0]
  }

  /** Writes the word pieces of live children, whose places all come after what is written. Pages are taken over where they can be. */
  async copyPieces(embedding: number, writer: PiecePagesWriter): Promise<void> {
    const pieces = this.#pieces(embedding)
    if (pieces === undefined) return
    const { shift } = this
    if (shift !== undefined) writer.counts(pieces.ids, pieces.frequencies)
    for await (const { first, page } of this.#piecePages(pieces)) {
      if (shift !== undefined && page.length * 2 > pageSize) writer.copy(first + shift, page)
      else if (shift !== undefined) for (const { place, ids } of readPiecePage(page, first)) writer.write(place + shift, ids)
      else
        for (const { place, ids } of readPiecePage(page, first))
          if (this.#dead?.[place] !== 1) writer.add(this.newPlace(place), ids)
    }
  }

  /** Puts the word pieces of live children into `found` by their new places. */
  async readPieces(embedding: number, found: Map<number, Uint32Array>): Promise<void> {
    const pieces = this.#pieces(embedding)
    if (pieces === undefined) return
    for await (const { first, page } of this.#piecePages(pieces)) {
      for (const { place, ids } of readPiecePage(page, first)) if (this.#dead?.[place] !== 1) found.set(this.newPlace(place), ids)
    }
  }

  #pieces(embedding: number): HeadPieces | undefined {
    return this.head.pieces.find((one) => one.embedding === embedding)
  }

  /** The pages of word pieces, each with the place of its first child. */
  async *#piecePages({
    firstPage,
    firstPlaces,
  }: HeadPieces): AsyncGenerator<{ readonly first: number; readonly page: Uint8Array }, void, undefined> {
    for (let from = 0; from < firstPlaces.length; from += mostPiecePages) {
      const places = firstPlaces.subarray(from, from + mostPiecePages)
      const wanted = Array.from(places, (_, at) => ({ segment: this.#id, page: firstPage + from + at }))
      for (const [at, page] of (await readPages(this.#reader, wanted)).entries()) yield { first: places[at] as number, page }
    }
  }

  #row(place: number): MergedRow {
    const { keys, ownLengths, generatedLengths, parents, sections, documents } = this.#table
    return {
      key: keys[place] as number,
      parent: parents.keys[parents.of[place] as number] as number,
      section: sections.keys[sections.of[place] as number] as number,
      document: documents.keys[documents.of[place] as number] as number,
      ownLength: ownLengths[place] as number,
      generatedLength: generatedLengths[place] as number,
      source: this,
      oldPlace: place,
    }
  }
}

function compareBytes(a: Uint8Array, startA: number, endA: number, b: Uint8Array, startB: number, endB: number): number {
  const shorter = Math.min(endA - startA, endB - startB)
  for (let at = 0; at < shorter; at++) {
    const difference = (a[startA + at] as number) - (b[startB + at] as number)
    if (difference !== 0) return difference
  }
  return endA - startA - (endB - startB)
}
