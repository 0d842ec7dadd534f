import type { LineColumn } from '../text/line-map.ts'
import type { Span } from '../text/span.ts'
import { standardFormat } from '../tree/standard-tree.ts'
import type { DocumentCache, OpenDocument } from './document-cache.ts'
import type { EngineReader, EvidenceRows, ParentRow, WantedEvidence, WindowName } from './engine.ts'
import { type WindowLayout, windowAt } from './layout.ts'

import { type OpenChildren, openChildren } from './parent-children.ts'
import type { ChildAddress, ChildNote, ChildRecord, ChildRecords, Neighbour, WindowPlace } from './store.ts'

/** What {@link assembleChildren} is asked for. Embeddings are those of the workspaces read, by workspace. */
export interface AssembleOptions {
  readonly vectors: ReadonlyMap<string, number> | undefined
  readonly windows: ReadonlyMap<string, number> | undefined
  readonly neighbours: number
  readonly documents: DocumentCache
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
  { vectors, windows, neighbours, documents }: AssembleOptions,
): Promise<ChildRecords> {
  const rows = new ParentRows()
  const families = await reader.families([...new Set(addresses.map(({ parent }) => parent))])
  for (const { parent } of families) rows.add(parent)
  const open = await documents.open(reader, families)
  const found: FoundChild[] = []
  for (const address of addresses) {
    const child = find(address, rows, open)
    if (child !== undefined) found.push(child)
  }
  const keys = found.map((child) => rows.children(child).keys[child.place] as number)
  const places = new WindowPlaces(windows)
  if (windows !== undefined) for (const child of found) places.want(child, neighbours)
  const evidence = await readEvidence(reader, {
    parents: rows.missing(found.flatMap((child) => neighbouringParents(child, neighbours))),
    vectors: vectors === undefined ? new Map() : keysByEmbedding(found, keys, vectors),
    windows: places.wanted,
  })
  for (const { key, children } of evidence.parents) rows.addChildren(key, children)
  const vectorOf = new Map(evidence.vectors.map(({ child, vector }) => [child, vector]))
  const hasNotes = [...open.values()].some((document) => document.hasNotes)
  const notes = new Map(
    hasNotes && keys.length > 0 ? (await reader.notes([...new Set(keys)])).map(({ child, note }) => [child, note]) : [],
  )
  const records = found.map((child, index): ChildRecord => {
    const key = keys[index] as number
    const record = recordOf(child, rows, besides(child, rows, neighbours, places))
    const note = notes.get(key)
    const vector = vectorOf.get(key)
    const window = windows === undefined ? undefined : places.of(child.document, childIndex(child))
    if (note !== undefined) record.note = { child: record.id, ...(JSON.parse(note) as Omit<ChildNote, 'child'>) }
    if (vector !== undefined) record.vector = vector
    if (window !== undefined) record.window = window
    return record
  })
  return {
    children: records,
    windows: new Map(evidence.windows.map(({ document, key, blob }) => [blobName(document, key), blob])),
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, Value>>)
}

/** Parents' rows, each read once and opened once; of those that only hold neighbours nothing but the children. */
class ParentRows {
  readonly rows: Map<number, ParentRow> = new Map()
  readonly #packed = new Map<number, Uint8Array>()
  readonly #children = new Map<number, OpenChildren>()

  add(row: ParentRow): void {
    this.rows.set(row.key, row)
    this.#packed.set(row.key, row.children)
  }

  /** Of those that only hold neighbours. */
  addChildren(key: number, packed: Uint8Array): void {
    this.#packed.set(key, packed)
  }

  missing(keys: readonly number[]): readonly number[] {
    return [...new Set(keys)].filter((key) => !this.#packed.has(key))
  }

  byKey(key: number): OpenChildren {
    const known = this.#children.get(key)
    if (known !== undefined) return known
    const packed = this.#packed.get(key)
    const children = packed === undefined ? noChildren : openChildren(packed)
    this.#children.set(key, children)
    return children
  }

  children({ document, parent }: FoundChild): OpenChildren {
    return this.byKey((document.layout.parents[parent] as { key: number }).key)
  }
}

const noChildren: OpenChildren = { keys: [], leads: [], lengths: [], idOf: () => '' }

function find(
  { key, parent }: ChildAddress,
  rows: ParentRows,
  documents: ReadonlyMap<number, OpenDocument>,
): FoundChild | undefined {
  const row = rows.rows.get(parent)
  const document = row === undefined ? undefined : documents.get(row.document)
  const index = document?.layout.places.get(parent)
  if (document === undefined || index === undefined) return undefined
  const place = rows.byKey(parent).keys.indexOf(key)
  return place < 0 ? undefined : { document, parent: index, place }
}

function childIndex({ document, parent, place }: FoundChild): number {
  return (document.layout.firsts[parent] as number) + place
}

/** Keys of the parents that hold the children up to so many places away. */
function neighbouringParents(child: FoundChild, neighbours: number): number[] {
  const { layout } = child.document
  const { firsts } = layout
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
  const { lengths } = rows.children(child)
  let start = child.document.layout.starts[child.parent] as number
  for (let at = 0; at < child.place; at++) start += lengths[at] as number
  return { start, end: start + (lengths[child.place] as number) }
}

/** A record as long as it is being put together. */
type OpenRecord = { -readonly [Name in keyof ChildRecord]: ChildRecord[Name] }

type Beside = Pick<ChildRecord, 'before' | 'after'>

function recordOf(child: FoundChild, rows: ParentRows, { before, after }: Beside): OpenRecord {
  const { summary, layout } = child.document
  const { starts } = layout
  const children = rows.children(child)
  const id = children.idOf(child.place)
  const lead = children.leads[child.place] as number
  const { start, end } = ownSpan(child, rows)
  const parent = layout.parents[child.parent] as { key: number } & LineColumn
  const parentRow = rows.rows.get(parent.key) as ParentRow
  const index = childIndex(child)
  const section = layout.sectionOf[child.parent] as number
  const first = layout.firstParents[section] as number
  const { key: sectionKey, parents } = layout.sections[section] as { key: number; parents: number }
  const record: OpenRecord = {
    key: children.keys[child.place] as number,
    id,
    lead,
    start: start - lead,
    end,
    kind: summary.format === standardFormat ? 'standard' : 'child',
    workspace: summary.workspace,
    document: summary,
    parent: {
      key: parent.key,
      id: parentRow.id,
      text: parentRow.text,
      start: starts[child.parent] as number,
      end: starts[child.parent + 1] as number,
      line: parent.line,
      column: parent.column,
    },
    section: { key: sectionKey, start: starts[first] as number, end: starts[first + parents] as number },
    index,
    outline: layout.outlines[index] as readonly string[],
    before,
    after,
  }
  const header = layout.headers[index]
  if (header !== undefined) record.header = header
  return record
}

function besides(child: FoundChild, rows: ParentRows, neighbours: number, places: WindowPlaces): Beside {
  if (neighbours === 0) return { before: [], after: [] }
  const collect = (step: 1 | -1): Neighbour[] => {
    const found: Neighbour[] = []
    for (let at = next(child, rows, step); at !== undefined && found.length < neighbours; at = next(at, rows, step)) {
      found.push({
        ...ownSpan(at, rows),
        key: rows.children(at).keys[at.place] as number,
        parent: (at.document.layout.parents[at.parent] as { key: number }).key,
        ...optional('window', places.of(at.document, childIndex(at))),
      })
    }
    return found
  }
  return { before: collect(-1), after: collect(1) }
}

/** The child before or after one; undefined at the ends of the document and of what was read. */
function next({ document, parent, place }: FoundChild, rows: ParentRows, step: 1 | -1): FoundChild | undefined {
  const children = rows.byKey((document.layout.parents[parent] as { key: number }).key)
  if (children.keys[place + step] !== undefined) return { document, parent, place: place + step }
  const beside = document.layout.parents[parent + step]
  if (beside === undefined) return undefined
  const last = rows.byKey(beside.key).keys.length - 1
  return last < 0 ? undefined : { document, parent: parent + step, place: step === 1 ? 0 : last }
}

/** Children whose vectors are wanted under the embedding of their workspace. */
function keysByEmbedding(
  found: readonly FoundChild[],
  keys: readonly number[],
  embeddings: ReadonlyMap<string, number>,
): ReadonlyMap<number, readonly number[]> {
  const wanted = new Map<number, Set<number>>()
  for (const [index, { document }] of found.entries()) {
    const embedding = embeddings.get(document.summary.workspace)
    if (embedding === undefined) continue
    const own = wanted.get(embedding) ?? new Set()
    wanted.set(embedding, own.add(keys[index] as number))
  }
  return new Map(Array.from(wanted, ([embedding, own]) => [embedding, [...own]]))
}

/** Who only reads texts asks for nothing more. */
async function readEvidence(reader: EngineReader, wanted: WantedEvidence): Promise<EvidenceRows> {
  const { parents, vectors, windows } = wanted
  const isNothing = parents.length === 0 && vectors.size === 0 && windows.length === 0
  return isNothing ? { parents: [], vectors: [], windows: [] } : reader.evidence(wanted)
}

function blobName(document: number, key: string): string {
  return `${document}/${key}`
}

/** Which windows children stand in, and the blobs of all that were asked about. */
class WindowPlaces {
  readonly #embeddings: ReadonlyMap<string, number> | undefined
  readonly #wanted = new Map<string, WindowName>()
  /** The same window may stand in several documents, each with a blob of its own: what its blob is called. Layouts are kept between reads. */
  readonly #names = new Map<WindowLayout, string>()

  constructor(embeddings: ReadonlyMap<string, number> | undefined) {
    this.#embeddings = embeddings
  }

  of({ key: document, summary, layout }: OpenDocument, child: number): WindowPlace | undefined {
    const embedding = this.#embeddings?.get(summary.workspace)
    const windows = layout.windows.find((one) => one.embedding === embedding)?.windows
    const window: WindowLayout | undefined = windows === undefined ? undefined : windowAt(windows, child)
    if (embedding === undefined || window === undefined) return undefined
    let key = this.#names.get(window)
    if (key === undefined) {
      key = blobName(document, window.key)
      this.#names.set(window, key)
      this.#wanted.set(key, { embedding, document, key: window.key })
    }
    return { key, place: child - window.first }
  }

  /** Asks for the windows of a child and of its neighbours. */
  want(child: FoundChild, neighbours: number): void {
    const { document } = child
    const index = childIndex(child)
    const last = Math.min(document.layout.outlines.length - 1, index + neighbours)
    for (let at = Math.max(0, index - neighbours); at <= last; at++) this.of(document, at)
  }

  /** All that were asked about. */
  get wanted(): readonly WindowName[] {
    return [...this.#wanted.values()]
  }
}
