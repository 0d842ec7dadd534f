import { analyseNumbered, type NumberedAnalysis } from '../text/analyse.ts'
import type { DocumentRow, NoteRow, ParentRow, RowBatch, SegmentRow, TombstoneRow, VectorRow, WindowRow } from './engine.ts'
import { buildSegment } from './postings/build-segment.ts'
import { packPlaces } from './postings/places.ts'
import type { Postings } from './postings/postings.ts'
import type { SegmentChild } from './postings/segment-child.ts'
import type { SectionToIndex } from './section-to-index.ts'
import type { ChildNote } from './store.ts'

/** Collects what one transaction writes; the lexical part of it becomes one segment. */
export class RowCollector implements RowBatch {
  readonly documents: DocumentRow[] = []
  readonly parents: ParentRow[] = []
  readonly vectors: VectorRow[] = []
  readonly windows: WindowRow[] = []
  readonly notes: NoteRow[] = []
  readonly segments: SegmentRow[] = []
  readonly tombstones: TombstoneRow[] = []
  readonly gone: {
    readonly documents: number[]
    readonly parents: number[]
    readonly children: number[]
    readonly notes: number[]
    readonly windows: { readonly embedding: number; readonly document: number; readonly key: string }[]
    readonly segments: number[]
  } = { documents: [], parents: [], children: [], notes: [], windows: [], segments: [] }
  readonly #toIndex: SegmentChild<NumberedAnalysis>[] = []
  readonly #documentsToUnindex: number[] = []
  readonly #childrenToUnindex: number[] = []
  readonly #documentsOfChildren: number[] = []

  /** Puts the children of a section into the lexical index. */
  index({ section, document, children }: SectionToIndex): void {
    for (const { key, parent, text, note, pieces } of children) {
      const generated = note === undefined ? '' : generatedText(JSON.parse(note) as ChildNote)
      this.#toIndex.push({
        key,
        parent,
        section,
        document,
        own: analyseNumbered(text),
        ...(generated === '' ? {} : { generated: analyseNumbered(generated) }),
        ...(pieces.length === 0 ? {} : { pieces }),
      })
    }
  }

  /** Takes a document out of the lexical index, or only some of its children. */
  unindex(document: number, children?: readonly number[]): void {
    if (children === undefined) {
      this.#documentsToUnindex.push(document)
      return
    }
    this.#documentsOfChildren.push(document)
    for (const child of children) this.#childrenToUnindex.push(child)
  }

  /** Rows so far: a child that goes counts once, with its vectors and notes. */
  get count(): { readonly written: number; readonly deleted: number } {
    const { documents, parents, vectors, windows, notes, segments, tombstones, gone } = this
    const written = [documents, parents, vectors, windows, notes, segments, tombstones]
    const deleted = [gone.documents, gone.parents, gone.children, gone.notes, gone.windows, gone.segments]
    return { written: total(written), deleted: total(deleted) }
  }

  /** Makes the segment and the tombstones. `open` opens the index as it is before this write. */
  async finish(segment: number, open: () => Promise<Postings>): Promise<void> {
    if (this.#toIndex.length > 0) this.segments.push({ id: segment, pages: buildSegment(this.#toIndex) })
    if (this.#documentsToUnindex.length + this.#documentsOfChildren.length === 0) return
    const postings = await open()
    const places = [
      ...(this.#documentsToUnindex.length === 0 ? [] : await postings.locate(this.#documentsToUnindex)),
      ...(this.#documentsOfChildren.length === 0
        ? []
        : await postings.locate(this.#documentsOfChildren, new Set(this.#childrenToUnindex))),
    ]
    for (const { segment: from, places: gone } of places) this.tombstones.push({ segment: from, places: packPlaces(gone) })
  }
}

function total(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((sum, list) => sum + list.length, 0)
}

/** What of a note is searched: everything that was written for a reader. */
function generatedText({ context = '', questions = [], keywords = [] }: ChildNote): string {
  return [context, ...questions, keywords.join('\n')].filter((text) => text !== '').join('\n')
}
