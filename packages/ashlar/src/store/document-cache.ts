import type { DocumentRow, EngineReader, FamilyRow } from './engine.ts'
import { type Layout, readLayout } from './layout.ts'
import type { DocumentSummary } from './store.ts'
import { summaryOf } from './summary-of.ts'

/** What is known of a document: nobody may change it, since many reads share it. */
export interface OpenDocument {
  readonly key: number
  readonly summary: DocumentSummary
  readonly hasNotes: boolean
  readonly layout: OpenLayout
}

/** A layout with where everything in it stands. */
interface OpenLayout extends Layout {
  /** For each parent where it starts and the index of its first child; after the last, the ends. */
  readonly starts: readonly number[]
  readonly firsts: readonly number[]
  /** Index of each parent by its key. */
  readonly places: ReadonlyMap<number, number>
  /** For each parent the index of its section, and for each section that of its first parent. */
  readonly sectionOf: readonly number[]
  readonly firstParents: readonly number[]
}

/** Parents and children that all kept documents may have together: some 16 MB. */
const mostPieces = 250_000

interface KeptDocument {
  readonly document: OpenDocument
  readonly version: number
  readonly pieces: number
}

/**
 * Keeps documents open between reads: opening one costs much more than reading it. Every read finds the version that is there at its
 * moment, and no version is ever given to two states, so nothing old is taken for what is there now.
 */
export class DocumentCache {
  readonly #kept = new Map<number, KeptDocument>()
  #pieces = 0

  /** The documents of parents, by key. */
  async open(reader: EngineReader, families: readonly FamilyRow[]): Promise<ReadonlyMap<number, OpenDocument>> {
    const open = new Map<number, OpenDocument>()
    const missing = new Set<number>()
    for (const { parent, version } of families) {
      const { document } = parent
      if (open.has(document) || missing.has(document)) continue
      const known = this.#kept.get(document)
      if (known?.version === version) open.set(document, known.document)
      else missing.add(document)
    }
    if (missing.size === 0) return open
    for (const row of await reader.documentsByKey([...missing])) open.set(row.key, this.#keep(row))
    return open
  }

  #keep(row: DocumentRow): OpenDocument {
    const { key, version } = row
    const layout = openLayout(readLayout(row.layout))
    const document = { key, summary: frozen(summaryOf(row)), hasNotes: row.notes > 0, layout }
    const pieces = 10 + layout.parents.length + layout.outlines.length
    this.#forget(key)
    this.#kept.set(key, { document, version, pieces })
    this.#pieces += pieces
    for (const oldest of this.#kept.keys()) {
      if (this.#pieces <= mostPieces || oldest === key) break
      this.#forget(oldest)
    }
    return document
  }

  #forget(key: number): void {
    this.#pieces -= this.#kept.get(key)?.pieces ?? 0
    this.#kept.delete(key)
  }
}

function frozen(summary: DocumentSummary): DocumentSummary {
  // The memory engine hands out the rows that it keeps.
  const metadata = structuredClone(summary.metadata)
  for (const value of Object.values(metadata)) Object.freeze(value)
  return Object.freeze({ ...summary, metadata: Object.freeze(metadata) })
}

function openLayout(layout: Layout): OpenLayout {
  for (const outline of layout.outlines) Object.freeze(outline)
  for (const header of layout.headers) if (header !== undefined) Object.freeze(header)
  const starts = [0]
  const firsts = [0]
  for (const [index, { length, children }] of layout.parents.entries()) {
    starts.push((starts[index] as number) + length)
    firsts.push((firsts[index] as number) + children)
  }
  const sectionOf: number[] = []
  const firstParents: number[] = []
  for (const [index, { parents }] of layout.sections.entries()) {
    firstParents.push(sectionOf.length)
    for (let at = 0; at < parents; at++) sectionOf.push(index)
  }
  const places = new Map(layout.parents.map(({ key }, index) => [key, index]))
  return { ...layout, starts, firsts, places, sectionOf, firstParents }
}
