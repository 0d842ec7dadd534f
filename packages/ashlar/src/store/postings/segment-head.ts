import { analyserVersion } from '../../text/analyse.ts'
import { ByteBuffer } from './byte-buffer.ts'
import { ByteCursor } from './byte-cursor.ts'
import { FrontReader, FrontWriter } from './front-coding.ts'
import { openPage, sealPage } from './page-seal.ts'
import { countBefore, type TermList } from './term-bytes.ts'

const format = 2

/** A segment may hold no more children: places and their gaps are read as 32-bit integers. */
export const mostChildren: number = 2 ** 28

/** The word pieces of one embedding in a segment. */
export interface HeadPieces {
  readonly embedding: number
  /** Pieces, rising, and how many children have each. */
  readonly ids: Uint32Array
  readonly frequencies: Uint32Array
  /** The pages that tell which child has which, and the first place of each. */
  readonly firstPage: number
  readonly firstPlaces: Uint32Array
}

/** What a segment's first page tells about the others. */
export interface SegmentHead {
  readonly children: number
  /** Pages of the table of children follow the head, then those of postings, then those of word pieces. */
  readonly tablePages: number
  /** The first term of each page of postings. */
  readonly firstTerms: TermList
  readonly pieces: readonly HeadPieces[]
  /** Memory that it takes. */
  readonly size: number
}

export function packHead(
  children: number,
  tablePages: number,
  firstTerms: readonly Uint8Array[],
  pieces: readonly HeadPieces[],
): Uint8Array {
  const buffer = new ByteBuffer()
  buffer.number(format)
  buffer.number(analyserVersion)
  buffer.number(children)
  buffer.number(tablePages)
  buffer.number(firstTerms.length)
  const front = new FrontWriter()
  for (const term of firstTerms) front.write(buffer, term)
  buffer.number(pieces.length)
  for (const { embedding, ids, frequencies, firstPage, firstPlaces } of pieces) {
    buffer.number(embedding)
    buffer.number(firstPage)
    writeRising(buffer, firstPlaces)
    writeRising(buffer, ids)
    for (const frequency of frequencies) buffer.number(frequency)
  }
  return sealPage([buffer.written()])
}

const what = 'head of a segment'

export function readHead(page: Uint8Array | undefined): SegmentHead {
  const bytes = openPage(page, what)
  const cursor = new ByteCursor(bytes, what)
  if (cursor.number() !== format) throw cursor.damaged('it was written by another version')
  const analyser = cursor.number()
  if (analyser !== analyserVersion) {
    throw cursor.damaged(`its texts were analysed by version ${analyser} of the analyser, and this is version ${analyserVersion}`)
  }
  const children = cursor.number()
  if (children > mostChildren) throw cursor.damaged('it promises more children than a segment may hold')
  const tablePages = cursor.number()
  const starts = new Uint32Array(cursor.count(2) + 1)
  const front = new FrontReader()
  for (let at = 1; at < starts.length; at++) starts[at] = front.read(cursor)
  const pieces = Array.from({ length: cursor.count(3) }, (): HeadPieces => {
    const embedding = cursor.number()
    const firstPage = cursor.number()
    const firstPlaces = readRising(cursor)
    const ids = readRising(cursor)
    const frequencies = new Uint32Array(ids.length)
    for (let at = 0; at < ids.length; at++) frequencies[at] = cursor.number()
    return { embedding, ids, frequencies, firstPage, firstPlaces }
  })
  cursor.end()
  return { children, tablePages, firstTerms: { bytes: front.bytes(), starts }, pieces, size: bytes.length * 4 }
}

/** The pages that hold postings of a term: from one page to before another. */
export function pagesOf(
  { tablePages, firstTerms }: SegmentHead,
  term: Uint8Array,
): { readonly from: number; readonly to: number } {
  const base = 1 + tablePages
  const before = countBefore(firstTerms, term, false)
  const to = countBefore(firstTerms, term, true)
  return { from: base + Math.max(before - 1, 0), to: base + to }
}

/** Rising numbers as their differences. */
export function writeRising(buffer: ByteBuffer, values: Uint32Array): void {
  buffer.number(values.length)
  let before = 0
  for (const value of values) {
    buffer.number(value - before)
    before = value
  }
}

export function readRising(cursor: ByteCursor): Uint32Array {
  const values = new Uint32Array(cursor.count())
  let value = 0
  for (let at = 0; at < values.length; at++) {
    value += cursor.number()
    values[at] = value
  }
  return values
}
