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

/** Writes the lists of terms that come in order. A list that does not fit goes on in the next page under the same term. */
export class PostingPagesWriter {
  readonly pages: Uint8Array[] = []
  /** The first term of each page. */
  readonly firstTerms: Uint8Array[] = []
  readonly #directory = new ByteBuffer()
  readonly #data = new ByteBuffer()
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
      ownAt = this.#encode(own, ownAt)
      const middle = this.#data.length
      const generatedFrom = generatedAt
      if (ownAt === own.length) generatedAt = this.#encode(generated, generatedAt)
      this.#enter(term)
      const hasGenerated = generatedAt > generatedFrom
      this.#directory.number((ownAt - ownFrom) * 2 + (hasGenerated ? 1 : 0))
      this.#directory.number(middle - start)
      if (!hasGenerated) continue
      this.#directory.number(generatedAt - generatedFrom)
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
  #encode({ places, counts, length }: PostingList, from: number): number {
    const data = this.#data
    const room = pageSize - this.#directory.length
    let before = -1
    let at = from
    for (; at < length; at++) {
      if (at > from && data.length >= room) break
      const place = places[at] as number
      const count = counts[at] as number
      const gap = place - before - 1
      before = place
      // The lowest bit tells that a count follows: most terms stand in a child once.
      if (count === 1) data.number(gap * 2)
      else {
        data.number(gap * 2 + 1)
        data.number(count - 2)
      }
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
  /** For each term: how many postings of its own text and where they start and end, then the same of the generated text. */
  readonly entries: Uint32Array
  /** Memory that the page takes. */
  readonly size: number
}

/** Numbers of one term in {@link PostingPage.entries}. */
export const entryWidth = 5

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
    entries[base] = Math.floor(own / 2)
    entries[base + 1] = dataAt
    dataAt += cursor.number()
    entries[base + 2] = dataAt
    if (own % 2 === 1) {
      entries[base + 3] = cursor.number()
      dataAt += cursor.number()
    }
    entries[base + 4] = dataAt
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

/**
 * Decodes `count` postings and returns how many of them it wrote from `into` on: those that are not marked in `dead`. `most` is the number
 * of children in the segment.
 */
export function decodeList(
  {
    bytes,
    start,
    end,
    count,
  }: { readonly bytes: Uint8Array; readonly start: number; readonly end: number; readonly count: number },
  { places, counts }: { readonly places: Uint32Array; readonly counts: Uint32Array },
  into: number,
  dead: Uint8Array | undefined,
  most: number,
): number {
  if (count > most) throw damagedIndex('page of postings', 'a list is longer than the table of children')
  let at = start
  let place = -1
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
  if (at !== end || place >= most) throw damagedIndex('page of postings', 'a list names a child that is not there')
  return written - into
}
