import { type ChildTable, compareRows, type TableRow } from './child-table.ts'
import { liveSegment } from './live-segment.ts'
import { readPiecePage } from './piece-pages.ts'
import { readPlaces } from './places.ts'
import { decodeList, listAt, type PackedList, type PostingPage, readPostingPage } from './posting-page.ts'
import { PostingsCache } from './postings-cache.ts'
import type { SegmentHead } from './segment-head.ts'
import { readHeads, readPages, readTables, type SegmentReader } from './segment-source.ts'
import { SegmentWriter } from './segment-writer.ts'
import { compareTerm } from './term-bytes.ts'

/** A segment as a merge is planned by. */
export interface SegmentSize {
  readonly id: number
  /** Live and dead ones. */
  readonly children: number
  readonly dead: number
}

/** A merge takes what is at most so many times as large as everything smaller together. */
const reach = 3

/**
 * Which segments to merge into one; none when there are no more than `most` and no large part of one is dead. So few stay that a search
 * is fast, and each child is written again only about as often as the logarithm of the index grows.
 */
export function planMerge(segments: readonly SegmentSize[], most: number = 8): number[] {
  const sorted = [...segments].sort((a, b) => live(a) - live(b) || a.id - b.id)
  const wasteful = sorted.filter(({ children, dead }) => dead * 2 > children).map(({ id }) => id)
  if (sorted.length <= most) return wasteful
  let taken = 0
  let sum = 0
  for (const segment of sorted) {
    const enough = sorted.length - taken + 1 <= most
    if (enough && live(segment) > reach * sum) break
    sum += live(segment)
    taken++
  }
  return [...new Set([...sorted.slice(0, taken).map(({ id }) => id), ...wasteful])]
}

function live({ children, dead }: SegmentSize): number {
  return children - dead
}

/** How large the live segments are. */
export async function segmentSizes(reader: SegmentReader, cache: PostingsCache = new PostingsCache()): Promise<SegmentSize[]> {
  const listed = await reader.segments()
  const heads = await readHeads(
    reader,
    cache,
    listed.map(({ id }) => id),
  )
  const marked = listed.filter(({ tombstones }) => tombstones > 0).map(({ id }) => id)
  const dead = new Map<number, Set<number>>()
  for (const { segment, places } of marked.length === 0 ? [] : await reader.tombstones(marked)) {
    const known = dead.get(segment) ?? new Set()
    dead.set(segment, known)
    for (const place of readPlaces(places)) known.add(place)
  }
  return listed.map(({ id }) => ({ id, children: (heads.get(id) as SegmentHead).children, dead: dead.get(id)?.size ?? 0 }))
}

/**
 * One segment with the live children of several; undefined when none is live. It takes the place of those segments and their tombstones
 * in one transaction, in which nobody else may add tombstones to them.
 */
export async function mergeSegments(
  reader: SegmentReader,
  segments: readonly number[],
  cache: PostingsCache = new PostingsCache(),
): Promise<Uint8Array[] | undefined> {
  const heads = await readHeads(reader, cache, segments)
  const tables = await readTables(reader, cache, heads)
  const tombstones = await reader.tombstones(segments)
  const sources = segments.map((id) => {
    const head = heads.get(id) as SegmentHead
    const rows = tombstones.filter(({ segment }) => segment === id).map(({ places }) => places)
    const { table, dead } = liveSegment(id, head, tables.get(id) as ChildTable, rows)
    return new MergeSource(reader, id, head, table, dead)
  })
  const rows = sources.flatMap((source) => source.rows()).sort(compareRows)
  if (rows.length === 0) return undefined
  for (const [place, { source, oldPlace }] of rows.entries()) source.newPlaces[oldPlace] = place
  const writer = new SegmentWriter(rows)
  await mergeTerms(sources, writer)
  await mergePieces(sources, rows, writer)
  return writer.finish()
}

interface MergedRow extends TableRow {
  readonly source: MergeSource
  readonly oldPlace: number
}

async function mergeTerms(sources: readonly MergeSource[], writer: SegmentWriter): Promise<void> {
  const own = new MergedList()
  const generated = new MergedList()
  for (const source of sources) await source.load()
  for (;;) {
    const open = sources.filter((source) => source.term !== undefined)
    if (open.length === 0) return
    let least = open[0]!.term as Uint8Array
    for (const source of open) if (source.compare(least) < 0) least = source.term as Uint8Array
    own.length = 0
    generated.length = 0
    for (const source of open) {
      // A long list goes on in the next page.
      while (source.term !== undefined && source.compare(least) === 0) {
        source.take(own, generated)
        if (source.advance()) await source.load()
      }
    }
    own.sort()
    generated.sort()
    if (own.length + generated.length > 0) writer.term(least, own, generated)
  }
}

async function mergePieces(sources: readonly MergeSource[], rows: readonly MergedRow[], writer: SegmentWriter): Promise<void> {
  const embeddings = new Set(sources.flatMap(({ head }) => head.pieces.map(({ embedding }) => embedding)))
  for (const embedding of embeddings) {
    const found = new Map<number, Uint32Array>()
    for (const source of sources) await source.readPieces(embedding, found)
    for (const place of rows.keys()) {
      const ids = found.get(place)
      if (ids !== undefined) writer.pieces(embedding, place, ids)
    }
  }
}

/** A list that grows and is used again. */
class MergedList {
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

  /** Lists of several segments follow one another in order, unless a document lies in several. */
  sort(): void {
    let sorted = true
    for (let at = 1; sorted && at < this.length; at++) sorted = (this.places[at - 1] as number) < (this.places[at] as number)
    if (sorted) return
    const pairs = new Float64Array(this.length)
    for (let at = 0; at < this.length; at++)
      pairs[at] = (this.places[at] as number) * 2 ** 24 + Math.min(this.counts[at] as number, 2 ** 24 - 1)
    pairs.sort()
    for (let at = 0; at < this.length; at++) {
      this.places[at] = Math.floor((pairs[at] as number) / 2 ** 24)
      this.counts[at] = (pairs[at] as number) % 2 ** 24
    }
  }
}

const pagesAtOnce = 16

/** A segment that is read from its first term to its last. */
class MergeSource {
  readonly head: SegmentHead
  /** For each place its place in the merged segment. Dead ones have none and are never asked for. */
  readonly newPlaces: Uint32Array
  /** The term that is read next. */
  term: Uint8Array | undefined
  readonly #reader: SegmentReader
  readonly #id: number
  readonly #table: ChildTable
  readonly #dead: Uint8Array | undefined
  #waiting: PostingPage[] = []
  #nextPage: number
  #entry = 0

  constructor(reader: SegmentReader, id: number, head: SegmentHead, table: ChildTable, dead: Uint8Array | undefined) {
    this.#reader = reader
    this.#id = id
    this.head = head
    this.#table = table
    this.#dead = dead
    this.newPlaces = new Uint32Array(table.count)
    this.#nextPage = 1 + head.tablePages
  }

  rows(): MergedRow[] {
    const { keys, ownLengths, generatedLengths, parents, sections, documents } = this.#table
    const rows: MergedRow[] = []
    for (let place = 0; place < keys.length; place++) {
      if (this.#dead?.[place] === 1) continue
      rows.push({
        key: keys[place] as number,
        parent: parents.keys[parents.of[place] as number] as number,
        section: sections.keys[sections.of[place] as number] as number,
        document: documents.keys[documents.of[place] as number] as number,
        ownLength: ownLengths[place] as number,
        generatedLength: generatedLengths[place] as number,
        source: this,
        oldPlace: place,
      })
    }
    return rows
  }

  compare(term: Uint8Array): number {
    return compareTerm((this.#waiting[0] as PostingPage).terms, this.#entry, term)
  }

  /** Adds the postings of the present term in the present page. */
  take(own: MergedList, generated: MergedList): void {
    const page = this.#waiting[0] as PostingPage
    this.#append(own, listAt(page, this.#entry, false))
    this.#append(generated, listAt(page, this.#entry, true))
  }

  #append(list: MergedList, packed: PackedList): void {
    if (packed.count === 0) return
    list.room(Math.min(packed.count, this.#table.count))
    const from = list.length
    const into = { places: list.places, counts: list.counts, at: from }
    list.length += decodeList(packed, into, this.#dead, this.#table.count)
    for (let at = from; at < list.length; at++) list.places[at] = this.newPlaces[list.places[at] as number] as number
  }

  /** Goes to the next term; true when pages must be read first. */
  advance(): boolean {
    this.#entry++
    if (this.#entry < (this.#waiting[0] as PostingPage).terms.starts.length - 1) {
      this.#show()
      return false
    }
    this.#waiting.shift()
    this.#entry = 0
    if (this.#waiting.length === 0) return true
    this.#show()
    return false
  }

  async load(): Promise<void> {
    const end = 1 + this.head.tablePages + this.head.firstTerms.starts.length - 1
    const count = Math.min(pagesAtOnce, end - this.#nextPage)
    const wanted = Array.from({ length: count }, (_, at) => ({ segment: this.#id, page: this.#nextPage + at }))
    this.#nextPage += count
    this.#waiting = (await readPages(this.#reader, wanted)).map(readPostingPage)
    this.#show()
  }

  #show(): void {
    const page = this.#waiting[0]
    this.term = page?.terms.bytes.subarray(page.terms.starts[this.#entry], page.terms.starts[this.#entry + 1])
  }

  /** Puts the word pieces of live children into `found` by their new places. */
  async readPieces(embedding: number, found: Map<number, Uint32Array>): Promise<void> {
    const pieces = this.head.pieces.find((one) => one.embedding === embedding)
    if (pieces === undefined) return
    const wanted = [...pieces.firstPlaces.keys()].map((page) => ({ segment: this.#id, page: pieces.firstPage + page }))
    for (const page of await readPages(this.#reader, wanted)) {
      for (const { place, ids } of readPiecePage(page)) {
        if (this.#dead?.[place] !== 1) found.set(this.newPlaces[place] as number, ids)
      }
    }
  }
}
