import { ByteBuffer } from './byte-buffer.ts'
import { ByteCursor } from './byte-cursor.ts'
import { FrontReader, FrontWriter } from './front-coding.ts'
import { damagedIndex, openPage, sealPage } from './page-seal.ts'
import { compareTerm, countBefore, type TermList } from './term-bytes.ts'

/** Pages are about this large: small enough to be read for one term, large enough that few are read for many. */
export const pageSize = 32_768

/** Which children hold a term and how often: places in the table of children, rising, and counts beside them. */
export interface PostingList {
  readonly places: Uint32Array
  readonly counts: Uint32Array
  readonly length: number
}

/**
 * Postings in a block. Long lists are blocks, each headed by how far its places reach and how many bytes it has, so that a reader who
 * wants to know about few children passes over most of it.
 */
const blockLength = 128

function isLong({ length }: PostingList, from: number): boolean {
  return length - from > blockLength
}

/** Writes a posting as its distance from the one before, and returns its place. */
function encodePosting(data: ByteBuffer, { places, counts }: PostingList, at: number, before: number): number {
  const place = places[at] as number
  const count = counts[at] as number
  const gap = place - before - 1
  // The lowest bit tells that a count follows: most terms stand in a child once.
  if (count === 1) data.number(gap * 2)
  else {
    data.number(gap * 2 + 1)
    data.number(count - 2)
  }
  return place
}

/** Writes the lists of terms that come in order. A list that does not fit goes on in the next page under the same term. */
export class PostingPagesWriter {
  readonly pages: Uint8Array[] = []
  /** The first term of each page. */
  readonly firstTerms: Uint8Array[] = []
  readonly #directory = new ByteBuffer()
  readonly #data = new ByteBuffer()
  readonly #block = new ByteBuffer()
  readonly #front = new FrontWriter()
  #entries = 0

  /** The list of the child's own text and that of what was generated for it; either may be empty. */
  add(term: Uint8Array, own: PostingList, generated: PostingList): void {
    let ownAt = 0
    let generatedAt = 0
    while (ownAt < own.length || generatedAt < generated.length) {
      if (this.#full()) this.#flush()
      const start = this.#data.length
      const ownFrom = ownAt
      const ownBlocks = isLong(own, ownAt)
      ownAt = this.#encode(own, ownAt)
      const middle = this.#data.length
      const generatedFrom = generatedAt
      const generatedBlocks = isLong(generated, generatedAt)
      if (ownAt === own.length) generatedAt = this.#encode(generated, generatedAt)
      this.#enter(term)
      const hasGenerated = generatedAt > generatedFrom
      this.#directory.number((ownAt - ownFrom) * 4 + (ownBlocks ? 2 : 0) + (hasGenerated ? 1 : 0))
      this.#directory.number(middle - start)
      if (!hasGenerated) continue
      this.#directory.number((generatedAt - generatedFrom) * 2 + (generatedBlocks ? 1 : 0))
      this.#directory.number(this.#data.length - middle)
    }
  }

  finish(): void {
    if (this.#entries > 0) this.#flush()
  }

  #full(): boolean {
    return this.#directory.length + this.#data.length >= pageSize
  }

  #enter(term: Uint8Array): void {
    if (this.#entries === 0) this.firstTerms.push(term)
    this.#front.write(this.#directory, term)
    this.#entries++
  }

  /** Writes as much of a list as the page takes, at least one posting, and returns how far it came. */
  #encode(list: PostingList, from: number): number {
    const room = pageSize - this.#directory.length
    let before = -1
    let at = from
    if (!isLong(list, from)) {
      while (at < list.length && (at === from || this.#data.length < room)) {
        before = encodePosting(this.#data, list, at, before)
        at++
      }
      return at
    }
    while (at < list.length && (at === from || this.#data.length < room)) {
      const start = before
      this.#block.length = 0
      const end = Math.min(list.length, at + blockLength)
      for (; at < end; at++) before = encodePosting(this.#block, list, at, before)
      this.#data.number(before - start)
      this.#data.number(this.#block.length)
      this.#data.append(this.#block.written())
    }
    return at
  }

  #flush(): void {
    const head = new ByteBuffer()
    head.number(this.#entries)
    head.number(this.#directory.length)
    this.pages.push(sealPage([head.written(), this.#directory.written(), this.#data.written()]))
    this.#entries = 0
    this.#directory.length = 0
    this.#data.length = 0
    this.#front.restart()
  }
}

/** A page with its directory decoded; the lists stay packed until they are asked for. */
export interface PostingPage {
  readonly terms: TermList
  readonly bytes: Uint8Array
  /**
   * For each term: how many postings of its own text, where they start and end, whether they are blocks; how many postings of the generated
   * text follow, where these end, whether they are blocks.
   */
  readonly entries: Uint32Array
  /** Memory that the page takes. */
  readonly size: number
}

/** Numbers of one term in {@link PostingPage.entries}. */
const entryWidth = 7

export function readPostingPage(page: Uint8Array | undefined): PostingPage {
  const what = 'page of postings'
  const bytes = openPage(page, what)
  const cursor = new ByteCursor(bytes, what)
  const count = cursor.count(4)
  const directory = cursor.number()
  let dataAt = cursor.at + directory
  const starts = new Uint32Array(count + 1)
  const entries = new Uint32Array(count * entryWidth)
  const front = new FrontReader()
  for (let entry = 0; entry < count; entry++) {
    starts[entry + 1] = front.read(cursor)
    const own = cursor.number()
    const base = entry * entryWidth
    entries[base] = Math.floor(own / 4)
    entries[base + 1] = dataAt
    dataAt += cursor.number()
    entries[base + 2] = dataAt
    entries[base + 3] = (own >> 1) & 1
    if (own % 2 === 1) {
      const generated = cursor.number()
      entries[base + 4] = Math.floor(generated / 2)
      dataAt += cursor.number()
      entries[base + 6] = generated & 1
    }
    entries[base + 5] = dataAt
  }
  if (dataAt !== bytes.length) throw cursor.damaged('its lists do not fill it')
  const terms = { bytes: front.bytes(), starts }
  return { terms, bytes, entries, size: bytes.length + terms.bytes.length + starts.byteLength + entries.byteLength }
}

/** Index of a term in a page, -1 when it is not there. */
export function findTerm({ terms }: PostingPage, term: Uint8Array): number {
  const index = countBefore(terms, term, false)
  return index < terms.starts.length - 1 && compareTerm(terms, index, term) === 0 ? index : -1
}

/** Where a list lies in a page. */
export interface PackedList {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  readonly count: number
  readonly blocks: boolean
}

/** The list of a term's own text, or of what was generated. */
export function listAt({ entries, bytes }: PostingPage, entry: number, generated: boolean): PackedList {
  const base = entry * entryWidth
  const [count, start, end, blocks] = generated ? [4, 2, 5, 6] : [0, 1, 2, 3]
  return {
    bytes,
    count: entries[base + count!] as number,
    start: entries[base + start!] as number,
    end: entries[base + end!] as number,
    blocks: entries[base + blocks!] === 1,
  }
}

/** Rising places from and to which something is asked about: pairs of a first place and the one after the last. */
export type PlaceRanges = Uint32Array

/**
 * Decodes a list and returns how many postings it wrote from `into` on: those that are not marked in `dead`. `most` is the number of
 * children in the segment. With `ranges`, only postings in them are written, and blocks that reach into none are passed over.
 */
export function decodeList(
  list: PackedList,
  into: { readonly places: Uint32Array; readonly counts: Uint32Array; readonly at: number },
  dead: Uint8Array | undefined,
  most: number,
  ranges?: PlaceRanges,
): number {
  const { bytes, start, end, count, blocks } = list
  if (count > most) throw damagedList()
  if (!blocks) {
    const written = decodeRun(bytes, start, end, count, -1, into.places, into.counts, into.at, dead, most)
    return (ranges === undefined ? written : keepWithin(ranges, 0, into.places, into.counts, into.at, written)) - into.at
  }
  let written = into.at
  let at = start
  let before = -1
  let range = 0
  for (let left = count; left > 0; left -= blockLength) {
    let reach = 0
    let length = 0
    let byte = 128
    for (let shift = 0; byte > 127 && shift < 32; shift += 7) {
      byte = bytes[at++] as number
      reach |= (byte & 127) << shift
    }
    byte = 128
    for (let shift = 0; byte > 127 && shift < 32; shift += 7) {
      byte = bytes[at++] as number
      length |= (byte & 127) << shift
    }
    const last = before + reach
    if (reach < 1 || length < 1 || at + length > end || last >= most) throw damagedList()
    if (ranges !== undefined) while (range < ranges.length && (ranges[range + 1] as number) <= before + 1) range += 2
    if (ranges === undefined || (range < ranges.length && (ranges[range] as number) <= last)) {
      const size = Math.min(left, blockLength)
      const decoded = decodeRun(bytes, at, at + length, size, before, into.places, into.counts, written, dead, most)
      written = ranges === undefined ? decoded : keepWithin(ranges, range, into.places, into.counts, written, decoded)
    }
    before = last
    at += length
  }
  if (at !== end) throw damagedList()
  return written - into.at
}

function decodeRun(
  bytes: Uint8Array,
  start: number,
  end: number,
  count: number,
  before: number,
  places: Uint32Array,
  counts: Uint32Array,
  into: number,
  dead: Uint8Array | undefined,
  most: number,
): number {
  let at = start
  let place = before
  let written = into
  for (let posting = 0; posting < count; posting++) {
    let byte = bytes[at++] as number
    let value = byte & 127
    for (let shift = 7; byte > 127 && shift < 32; shift += 7) {
      byte = bytes[at++] as number
      value |= (byte & 127) << shift
    }
    place += (value >>> 1) + 1
    let times = 1
    if ((value & 1) === 1) {
      byte = bytes[at++] as number
      times = 2 + (byte & 127)
      for (let shift = 7; byte > 127 && shift < 32; shift += 7) {
        byte = bytes[at++] as number
        times += ((byte & 127) << shift) >>> 0
      }
    }
    if (dead !== undefined && dead[place] === 1) continue
    places[written] = place
    counts[written++] = times
  }
  // Places rise, so the last tells for all.
  if (at !== end || place >= most) throw damagedList()
  return written
}

/** Drops postings outside of the ranges from the one at `first` on, and returns where those that are left end. */
function keepWithin(
  ranges: PlaceRanges,
  first: number,
  places: Uint32Array,
  counts: Uint32Array,
  from: number,
  to: number,
): number {
  let written = from
  let range = first
  for (let at = from; at < to; at++) {
    const place = places[at] as number
    while (range < ranges.length && (ranges[range + 1] as number) <= place) range += 2
    if (range >= ranges.length) break
    if ((ranges[range] as number) > place) continue
    places[written] = place
    counts[written++] = counts[at] as number
  }
  return written
}

function damagedList(): Error {
  return damagedIndex('page of postings', 'a list names a child that is not there')
}
