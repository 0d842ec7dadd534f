import { ByteBuffer } from './byte-buffer.ts'
import { ByteCursor } from './byte-cursor.ts'
import { FrontReader, FrontWriter } from './front-coding.ts'
import type { PackedBlocks } from './packed-blocks.ts'
import type { PackedList } from './packed-list.ts'
import { openPage, sealPage } from './page-seal.ts'
import { compareTerm, countBefore, type TermList } from './term-bytes.ts'

/** Pages are about this large: small enough to be read for one term, large enough that few are read for many. */
export const pageSize = 32_768

/** What is one block needs no head. */
function isLong({ blocks }: PackedBlocks, from: number): boolean {
  return blocks - from > 1
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
  add(term: Uint8Array, own: PackedBlocks, generated: PackedBlocks): void {
    let ownAt = 0
    let generatedAt = 0
    while (ownAt < own.blocks || generatedAt < generated.blocks) {
      if (this.#full()) this.#flush()
      const start = this.#data.length
      const ownFrom = ownAt
      ownAt = this.#write(own, ownAt)
      const middle = this.#data.length
      const generatedFrom = generatedAt
      if (ownAt === own.blocks) generatedAt = this.#write(generated, generatedAt)
      this.#enter(term)
      const hasGenerated = generatedAt > generatedFrom
      this.#directory.number(own.count(ownFrom, ownAt) * 4 + (isLong(own, ownFrom) ? 2 : 0) + (hasGenerated ? 1 : 0))
      this.#directory.number(middle - start)
      if (!hasGenerated) continue
      this.#directory.number(generated.count(generatedFrom, generatedAt) * 2 + (isLong(generated, generatedFrom) ? 1 : 0))
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

  /** Writes as many blocks of a list as the page takes, at least one, and returns how far it came. */
  #write(list: PackedBlocks, from: number): number {
    if (from === list.blocks) return from
    if (!isLong(list, from)) {
      list.write(this.#data, from, -1)
      return from + 1
    }
    const room = pageSize - this.#directory.length
    let before = -1
    let at = from
    while (at < list.blocks && (at === from || this.#data.length < room)) {
      list.writeHeaded(this.#data, at, before)
      before = list.last(at)
      at++
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
