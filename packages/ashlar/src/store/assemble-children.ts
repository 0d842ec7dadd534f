import type { Span } from '../text/span.ts'
import { standardFormat } from '../tree/standard-tree.ts'
import type { DocumentRow, EngineReader, ParentRow } from './engine.ts'
import { type Layout, readLayout, type WindowLayout, windowAt } from './layout.ts'
import { type PackedChild, readChildren } from './parent-children.ts'
import type { ChildAddress, ChildNote, ChildRecord, ChildRecords, Neighbour, WindowPlace } from './store.ts'
import { summaryOf } from './summary-of.ts'

/** What {@link assembleChildren} is asked for. Embeddings are those of the workspaces read, by workspace. */
export interface AssembleOptions {
  readonly vectors: ReadonlyMap<string, number> | undefined
  readonly windows: ReadonlyMap<string, number> | undefined
  readonly neighbours: number
}

/** A document's row, opened, with where everything in it stands. */
interface OpenDocument {
  readonly row: DocumentRow
  readonly layout: Layout
  /** For each parent where it starts and the index of its first child; after the last, the ends. */
  readonly starts: readonly number[]
  readonly firsts: readonly number[]
  readonly places: ReadonlyMap<number, number>
}

/** A child in its parent. */
interface FoundChild {
  readonly document: OpenDocument
  /** Index of the parent in the document, and of the child in the parent. */
  readonly parent: number
  readonly place: number
}

/** Children with their places, neighbours and windows, from as few reads as there are tables. */
export async function assembleChildren(
  reader: EngineReader,
  addresses: readonly ChildAddress[],
  { vectors, windows, neighbours }: AssembleOptions,
): Promise<ChildRecords> {
  const rows = new ParentRows(reader)
  await rows.read(addresses.map(({ parent }) => parent))
  const documents = await openDocuments(reader, rows)
  const found: FoundChild[] = []
  for (const address of addresses) {
    const child = find(address, rows, documents)
    if (child !== undefined) found.push(child)
  }
  if (neighbours > 0) await rows.read(found.flatMap((child) => neighbouringParents(child, neighbours)))

  const keys = found.map((child) => rows.children(child)[child.place]?.key as number)
  const notes = new Map(keys.length === 0 ? [] : (await reader.notes([...new Set(keys)])).map(({ child, note }) => [child, note]))
  const vectorOf = vectors === undefined ? undefined : await readVectors(reader, found, keys, vectors)
  const places = new WindowPlaces(windows)
  const records = found.map((child, index): ChildRecord => {
    const key = keys[index] as number
    const note = notes.get(key)
    const vector = vectorOf?.get(key)
    return {
      ...recordOf(child, rows, note),
      ...besides(child, rows, neighbours, places),
      ...optional('vector', vector),
      ...optional('window', places.of(child.document, childIndex(child))),
    }
  })
  return { children: records, windows: await places.read(reader) }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, Value>>)
}

/** Parents' rows, each read once and opened once. */
class ParentRows {
  readonly rows: Map<number, ParentRow> = new Map()
  readonly #children = new Map<number, readonly PackedChild[]>()
  readonly #reader: EngineReader

  constructor(reader: EngineReader) {
    this.#reader = reader
  }

  async read(keys: readonly number[]): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.rows.has(key))
    for (const row of missing.length === 0 ? [] : await this.#reader.parents(missing)) this.rows.set(row.key, row)
  }

  byKey(key: number): readonly PackedChild[] {
    const known = this.#children.get(key)
    if (known !== undefined) return known
    const row = this.rows.get(key)
    const children = row === undefined ? [] : readChildren(row.children)
    this.#children.set(key, children)
    return children
  }

  children({ document, parent }: FoundChild): readonly PackedChild[] {
    return this.byKey((document.layout.parents[parent] as { key: number }).key)
  }
}

async function openDocuments(reader: EngineReader, { rows }: ParentRows): Promise<ReadonlyMap<number, OpenDocument>> {
  const keys = new Set([...rows.values()].map(({ document }) => document))
  const documents = keys.size === 0 ? [] : await reader.documentsByKey([...keys])
  return new Map(documents.map((row) => [row.key, openDocument(row)]))
}

function openDocument(row: DocumentRow): OpenDocument {
  const layout = readLayout(row.layout)
  const starts = [0]
  const firsts = [0]
  for (const { length, children } of layout.parents) {
    starts.push((starts.at(-1) as number) + length)
    firsts.push((firsts.at(-1) as number) + children)
  }
  return { row, layout, starts, firsts, places: new Map(layout.parents.map(({ key }, index) => [key, index])) }
}

function find(
  { key, parent }: ChildAddress,
  rows: ParentRows,
  documents: ReadonlyMap<number, OpenDocument>,
): FoundChild | undefined {
  const row = rows.rows.get(parent)
  const document = row === undefined ? undefined : documents.get(row.document)
  const index = document?.places.get(parent)
  const place = rows.byKey(parent).findIndex((child) => child.key === key)
  return document === undefined || index === undefined || place < 0 ? undefined : { document, parent: index, place }
}

function childIndex({ document, parent, place }: FoundChild): number {
  return (document.firsts[parent] as number) + place
}

/** Keys of the parents that hold the children up to so many places away. */
function neighbouringParents(child: FoundChild, neighbours: number): number[] {
  const { layout, firsts } = child.document
  const index = childIndex(child)
  const keys: number[] = []
  for (let at = child.parent - 1; at >= 0 && (firsts[at + 1] as number) > index - neighbours; at--)
    keys.push((layout.parents[at] as { key: number }).key)
  for (let at = child.parent + 1; at < layout.parents.length && (firsts[at] as number) <= index + neighbours; at++)
    keys.push((layout.parents[at] as { key: number }).key)
  return keys
}

/** The own part of a child. */
function ownSpan(child: FoundChild, rows: ParentRows): Span {
  const children = rows.children(child)
  let start = child.document.starts[child.parent] as number
  for (let at = 0; at < child.place; at++) start += (children[at] as PackedChild).length
  return { start, end: start + (children[child.place] as PackedChild).length }
}

function recordOf(
  child: FoundChild,
  rows: ParentRows,
  note: string | undefined,
): Omit<ChildRecord, 'before' | 'after' | 'vector' | 'window'> {
  const { row, layout, starts } = child.document
  const { key, id, lead } = rows.children(child)[child.place] as PackedChild
  const { start, end } = ownSpan(child, rows)
  const parent = layout.parents[child.parent] as { key: number }
  const parentRow = rows.rows.get(parent.key) as ParentRow
  const index = childIndex(child)
  let section = 0
  let first = 0
  for (; first + (layout.sections[section]?.parents ?? 0) <= child.parent; section++)
    first += layout.sections[section]?.parents ?? 0
  const { key: sectionKey, parents } = layout.sections[section] as { key: number; parents: number }
  return {
    key,
    id,
    lead,
    start: start - lead,
    end,
    kind: row.format === standardFormat ? 'standard' : 'child',
    workspace: row.workspace,
    document: summaryOf(row),
    parent: {
      key: parent.key,
      id: parentRow.id,
      text: parentRow.text,
      start: starts[child.parent] as number,
      end: starts[child.parent + 1] as number,
    },
    section: { key: sectionKey, start: starts[first] as number, end: starts[first + parents] as number },
    index,
    outline: layout.outlines[index] as readonly string[],
    ...optional('header', layout.headers[index]),
    ...optional('note', note === undefined ? undefined : { child: id, ...(JSON.parse(note) as Omit<ChildNote, 'child'>) }),
  }
}

function besides(
  child: FoundChild,
  rows: ParentRows,
  neighbours: number,
  places: WindowPlaces,
): { readonly before: readonly Neighbour[]; readonly after: readonly Neighbour[] } {
  const collect = (step: 1 | -1): Neighbour[] => {
    const found: Neighbour[] = []
    for (let at = next(child, rows, step); at !== undefined && found.length < neighbours; at = next(at, rows, step)) {
      found.push({
        ...ownSpan(at, rows),
        key: (rows.children(at)[at.place] as PackedChild).key,
        parent: (at.document.layout.parents[at.parent] as { key: number }).key,
        ...optional('window', places.of(at.document, childIndex(at))),
      })
    }
    return found
  }
  return neighbours === 0 ? { before: [], after: [] } : { before: collect(-1), after: collect(1) }
}

/** The child before or after one; undefined at the ends of the document and of what was read. */
function next({ document, parent, place }: FoundChild, rows: ParentRows, step: 1 | -1): FoundChild | undefined {
  const children = rows.byKey((document.layout.parents[parent] as { key: number }).key)
  if (children[place + step] !== undefined) return { document, parent, place: place + step }
  const beside = document.layout.parents[parent + step]
  if (beside === undefined) return undefined
  const last = rows.byKey(beside.key).length - 1
  return last < 0 ? undefined : { document, parent: parent + step, place: step === 1 ? 0 : last }
}

async function readVectors(
  reader: EngineReader,
  found: readonly FoundChild[],
  keys: readonly number[],
  embeddings: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, Float32Array>> {
  const vectors = new Map<number, Float32Array>()
  for (const [workspace, embedding] of embeddings) {
    const own = new Set(keys.filter((_, index) => found[index]?.document.row.workspace === workspace))
    for (const { child, vector } of own.size === 0 ? [] : await reader.vectors(embedding, [...own])) vectors.set(child, vector)
  }
  return vectors
}

/** Which windows children stand in, and the blobs of all that were asked about. */
class WindowPlaces {
  readonly #embeddings: ReadonlyMap<string, number> | undefined
  readonly #wanted = new Map<string, { readonly embedding: number; readonly document: number; readonly key: string }>()

  constructor(embeddings: ReadonlyMap<string, number> | undefined) {
    this.#embeddings = embeddings
  }

  of({ row, layout }: OpenDocument, child: number): WindowPlace | undefined {
    const embedding = this.#embeddings?.get(row.workspace)
    const windows = layout.windows.find((one) => one.embedding === embedding)?.windows
    const window: WindowLayout | undefined = windows === undefined ? undefined : windowAt(windows, child)
    if (embedding === undefined || window === undefined) return undefined
    // The same window may stand in several documents, each with a blob of its own.
    const key = `${row.key}/${window.key}`
    this.#wanted.set(key, { embedding, document: row.key, key: window.key })
    return { key, place: child - window.first }
  }

  async read(reader: EngineReader): Promise<ReadonlyMap<string, Uint8Array>> {
    const rows = this.#wanted.size === 0 ? [] : await reader.windows([...this.#wanted.values()])
    return new Map(rows.map(({ document, key, blob }) => [`${document}/${key}`, blob]))
  }
}
