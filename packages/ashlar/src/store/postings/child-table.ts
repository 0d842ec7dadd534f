import { ByteBuffer } from './byte-buffer.ts'
import { ByteCursor } from './byte-cursor.ts'
import { damagedIndex, openPage, sealPage } from './page-seal.ts'

const childrenPerPage = 8192

/** Where the pieces of one level lie in the table: each holds the places from its first to the first of the next. */
export interface LevelRuns {
  /** Key of each piece. */
  readonly keys: Float64Array
  /** First place of each piece, and the number of places behind the last. */
  readonly first: Uint32Array
  /** For each place the piece that it belongs to. */
  readonly of: Uint32Array
}

/** The children of a segment. Those of one document, section and parent stand together, in the order of their keys. */
export interface ChildTable {
  readonly count: number
  readonly keys: Float64Array
  readonly ownLengths: Uint32Array
  readonly generatedLengths: Uint32Array
  readonly parents: LevelRuns
  readonly sections: LevelRuns
  readonly documents: LevelRuns
}

/** A row of the table before it is packed. */
export interface TableRow {
  readonly key: number
  readonly parent: number
  readonly section: number
  readonly document: number
  readonly ownLength: number
  readonly generatedLength: number
}

/** Puts the pieces of each level together. */
export function compareRows(a: Omit<TableRow, 'ownLength' | 'generatedLength'>, b: typeof a): number {
  return a.document - b.document || a.section - b.section || a.parent - b.parent || a.key - b.key
}

/** The pages of a table whose rows come in order. No more of them are held than a page has. */
export function packTable(rows: Iterable<TableRow>): Uint8Array[] {
  const pages: Uint8Array[] = []
  let part: TableRow[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < childrenPerPage) continue
    pages.push(packPage(part))
    part = []
  }
  if (part.length > 0) pages.push(packPage(part))
  return pages
}

function packPage(rows: readonly TableRow[]): Uint8Array {
  const buffer = new ByteBuffer()
  buffer.number(rows.length)
  writeRuns(buffer, rows, 'document')
  writeRuns(buffer, rows, 'section')
  writeRuns(buffer, rows, 'parent')
  let before = 0
  for (const { key } of rows) {
    buffer.signed(key - before)
    before = key
  }
  for (const { ownLength } of rows) buffer.number(ownLength)
  const generated = rows.some(({ generatedLength }) => generatedLength > 0)
  buffer.number(generated ? 1 : 0)
  if (generated) for (const { generatedLength } of rows) buffer.number(generatedLength)
  return sealPage([buffer.written()])
}

function writeRuns(buffer: ByteBuffer, rows: readonly TableRow[], level: 'document' | 'section' | 'parent'): void {
  let before = 0
  let at = 0
  while (at < rows.length) {
    const key = (rows[at] as TableRow)[level]
    let end = at + 1
    while (end < rows.length && (rows[end] as TableRow)[level] === key) end++
    buffer.signed(key - before)
    buffer.number(end - at)
    before = key
    at = end
  }
}

const what = 'table of children'

/** The table of `count` children that {@link packTable} packed. */
export function readTable(pages: readonly (Uint8Array | undefined)[], count: number): ChildTable {
  const cursors = pages.map((page) => new ByteCursor(openPage(page, what), what))
  const keys = new Float64Array(count)
  const ownLengths = new Uint32Array(count)
  const generatedLengths = new Uint32Array(count)
  const runs = { document: new RunReader(count), section: new RunReader(count), parent: new RunReader(count) }
  let place = 0
  for (const cursor of cursors) {
    const rows = cursor.count()
    if (place + rows > count) throw cursor.damaged('it holds more children than it should')
    runs.document.read(cursor, place, rows)
    runs.section.read(cursor, place, rows)
    runs.parent.read(cursor, place, rows)
    let key = 0
    for (let at = place; at < place + rows; at++) {
      key += cursor.signed()
      keys[at] = key
    }
    for (let at = place; at < place + rows; at++) ownLengths[at] = cursor.number()
    if (cursor.number() === 1) for (let at = place; at < place + rows; at++) generatedLengths[at] = cursor.number()
    cursor.end()
    place += rows
  }
  if (place !== count) throw damagedIndex(what, 'it holds fewer children than it should')
  return {
    count,
    keys,
    ownLengths,
    generatedLengths,
    parents: runs.parent.done(),
    sections: runs.section.done(),
    documents: runs.document.done(),
  }
}

/** Memory that a table takes. */
export function tableSize({ count, parents, sections, documents }: ChildTable): number {
  return count * 28 + (parents.keys.length + sections.keys.length + documents.keys.length) * 12
}

class RunReader {
  readonly #keys: number[] = []
  readonly #first: number[] = []
  readonly #of: Uint32Array

  constructor(count: number) {
    this.#of = new Uint32Array(count)
  }

  read(cursor: ByteCursor, from: number, rows: number): void {
    let key = 0
    let at = from
    while (at < from + rows) {
      key += cursor.signed()
      const length = cursor.number()
      if (length === 0 || at + length > from + rows) throw cursor.damaged('a piece ends in the wrong place')
      // A piece may go on from the page before.
      if (at !== from || this.#keys.at(-1) !== key) {
        this.#keys.push(key)
        this.#first.push(at)
      }
      this.#of.fill(this.#keys.length - 1, at, at + length)
      at += length
    }
  }

  done(): LevelRuns {
    return {
      keys: Float64Array.from(this.#keys),
      first: Uint32Array.from([...this.#first, this.#of.length]),
      of: this.#of,
    }
  }
}
