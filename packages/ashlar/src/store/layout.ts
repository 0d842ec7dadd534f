import type { Span } from '../text/span.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** Where the pieces of a document stand and what their structure says, everything but their texts and ids. */
export interface Layout {
  readonly sections: readonly SectionLayout[]
  readonly parents: readonly ParentLayout[]
  /** One a child, like `headers`. */
  readonly outlines: readonly (readonly string[])[]
  readonly headers: readonly (Span | undefined)[]
  readonly windows: readonly WindowsLayout[]
}

/** A piece above children. Pieces of a level follow one another without a gap. */
interface PieceLayout {
  readonly key: number
  readonly outline: readonly string[]
  readonly header: Span | undefined
}

interface SectionLayout extends PieceLayout {
  /** How many parents it has. */
  readonly parents: number
}

interface ParentLayout extends PieceLayout {
  /** Units of text, and how many children it has. */
  readonly length: number
  readonly children: number
  /** Where it begins, so that a line can be told without reading what stands before. */
  readonly line: number
  readonly column: number
}

/** The windows of one embedding, in order. */
export interface WindowsLayout {
  readonly embedding: number
  readonly windows: readonly WindowLayout[]
}

export interface WindowLayout {
  readonly key: string
  /** Index of its first child, and of the one after its last. */
  readonly first: number
  readonly after: number
}

const version = 1

/** A layout as bytes. Outlines and headers, which neighbours mostly share, are written once for each run of children. */
export function packLayout(layout: Layout): Uint8Array {
  const writer = new ByteWriter()
  const titles = new Indexed()
  const outlines = new Indexed()
  // Pieces under the same headings mostly share one array.
  const known = new Map<readonly string[], number>()
  const outlineOf = (outline: readonly string[]): number => {
    const index = known.get(outline) ?? outlines.add(outline.map((title) => titles.add(title)).join(' '))
    known.set(outline, index)
    return index
  }
  for (const outline of outlinesOf(layout)) outlineOf(outline)
  writer.byte(version)
  writer.number(titles.keys.length)
  for (const title of titles.keys) writer.text(title)
  writer.number(outlines.keys.length)
  for (const outline of outlines.keys) {
    const path = outline === '' ? [] : outline.split(' ')
    writer.number(path.length)
    for (const title of path) writer.number(Number(title))
  }
  const piece = ({ outline, header }: Omit<PieceLayout, 'key'>): void => {
    writer.number(outlineOf(outline))
    writeHeader(writer, header)
  }
  let before = 0
  const key = (value: number): void => {
    writer.signed(value - before)
    before = value
  }
  writer.number(layout.sections.length)
  for (const section of layout.sections) {
    key(section.key)
    writer.number(section.parents)
    piece(section)
  }
  writer.number(layout.parents.length)
  let line = 1
  for (const parent of layout.parents) {
    key(parent.key)
    writer.number(parent.length)
    writer.number(parent.children)
    writer.number(parent.line - line)
    writer.number(parent.column)
    line = parent.line
    piece(parent)
  }
  writer.number(layout.outlines.length)
  for (let first = 0; first < layout.outlines.length; ) {
    const outline = layout.outlines[first] as readonly string[]
    const header = layout.headers[first]
    const same = outlineOf(outline)
    let after = first + 1
    while (
      after < layout.outlines.length &&
      outlineOf(layout.outlines[after] as readonly string[]) === same &&
      layout.headers[after]?.start === header?.start &&
      layout.headers[after]?.end === header?.end
    )
      after++
    writer.number(after - first)
    piece({ outline, header })
    first = after
  }
  writer.number(layout.windows.length)
  for (const { embedding, windows } of layout.windows) {
    writer.number(embedding)
    writer.number(windows.length)
    let end = 0
    for (const window of windows) {
      writer.number(window.first - end)
      writer.number(window.after - window.first)
      writer.id(window.key)
      end = window.after
    }
  }
  return writer.done()
}

/** The layout that {@link packLayout} packed. */
export function readLayout(bytes: Uint8Array): Layout {
  const reader = new ByteReader(bytes, 'layout of a document')
  if (reader.byte() !== version) throw reader.damaged('it was written by another version')
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[reader.number()]
    if (item === undefined) throw reader.damaged('it names something that it does not hold')
    return item
  }
  const titles = Array.from({ length: reader.count() }, () => reader.text())
  const outlines = Array.from({ length: reader.count() }, () => Array.from({ length: reader.count() }, () => pick(titles)))
  let key = 0
  const nextKey = (): number => {
    key += reader.signed()
    return key
  }
  const sections = Array.from({ length: reader.count() }, () => ({
    key: nextKey(),
    parents: reader.number(),
    outline: pick(outlines),
    header: readHeader(reader),
  }))
  let line = 1
  const nextLine = (): number => {
    line += reader.number()
    return line
  }
  const parents = Array.from({ length: reader.count() }, () => ({
    key: nextKey(),
    length: reader.number(),
    children: reader.number(),
    line: nextLine(),
    column: reader.number(),
    outline: pick(outlines),
    header: readHeader(reader),
  }))
  const children = sum(parents, (parent) => parent.children)
  if (sum(sections, (section) => section.parents) !== parents.length) throw reader.damaged('its parents and sections differ')
  const count = reader.number()
  if (count !== children) throw reader.damaged('its children and parents differ')
  const childOutlines: (readonly string[])[] = []
  const headers: (Span | undefined)[] = []
  while (childOutlines.length < count) {
    const run = reader.number()
    const outline = pick(outlines)
    const header = readHeader(reader)
    if (run === 0 || run > count - childOutlines.length) throw reader.damaged('its outlines do not fit its children')
    for (let at = 0; at < run; at++) {
      childOutlines.push(outline)
      headers.push(header)
    }
  }
  const windows = Array.from({ length: reader.count() }, () => {
    const embedding = reader.number()
    let end = 0
    const all = Array.from({ length: reader.count() }, () => {
      const first = end + reader.number()
      end = first + reader.number()
      if (end > count) throw reader.damaged('it has windows beyond its children')
      return { key: reader.id(), first, after: end }
    })
    return { embedding, windows: all }
  })
  reader.end()
  return { sections, parents, outlines: childOutlines, headers, windows }
}

/** The window that holds a child, by its index. */
export function windowAt(windows: readonly WindowLayout[], child: number): WindowLayout | undefined {
  const window = windows[windowFrom(windows, child)]
  return window !== undefined && window.first <= child ? window : undefined
}

/** Index of the first window that ends after a child. */
export function windowFrom(windows: readonly WindowLayout[], child: number): number {
  let low = 0
  let high = windows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((windows[middle] as WindowLayout).after <= child) low = middle + 1
    else high = middle
  }
  return low
}

function* outlinesOf({ sections, parents, outlines }: Layout): Generator<readonly string[]> {
  for (const { outline } of sections) yield outline
  for (const { outline } of parents) yield outline
  yield* outlines
}

function writeHeader(writer: ByteWriter, header: Span | undefined): void {
  writer.number(header === undefined ? 0 : header.start + 1)
  if (header !== undefined) writer.number(header.end - header.start)
}

function readHeader(reader: ByteReader): Span | undefined {
  const start = reader.number() - 1
  return start < 0 ? undefined : { start, end: start + reader.number() }
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0)
}

/** Strings in the order of their first appearance. */
class Indexed {
  readonly keys: string[] = []
  readonly #places = new Map<string, number>()

  /** The place of a string, new or not. */
  add(key: string): number {
    const place = this.#places.get(key)
    if (place !== undefined) return place
    this.#places.set(key, this.keys.length)
    this.keys.push(key)
    return this.keys.length - 1
  }
}
