import type { AshlarError } from '../error/ashlar-error.ts'
import type { Metadata } from '../store/filter.ts'
import type { ChildNote, DocumentRecord } from '../store/store.ts'
import type { Tree } from '../tree/tree.ts'
import type { EmbeddedWindow } from '../vector/embed-late.ts'
import type { SpareVectors } from './spare-vectors.ts'

/** A document that was read and cut, on its way to the store. */
export interface PreparedDocument {
  readonly id: string
  readonly source: string | undefined
  readonly change: 'new' | 'changed' | 'moved'
  /** Where a moved document was. */
  readonly from: string | undefined
  /** Bytes that were read. */
  readonly bytes: number
  readonly tree: Tree
  readonly metadata: Metadata
  /** What the loader guessed or left out. */
  readonly remarks: readonly string[]
  /** What is stored of it, or of one with the same bytes: vectors and notes are taken from it. */
  readonly stored: DocumentRecord | undefined
  /** What documents had that are about to go. */
  readonly spare?: SpareVectors | undefined
  /** Its windows, where who read it has embedded them. */
  readonly windows?: readonly EmbeddedWindow[] | undefined
  /** What was written about its children. */
  readonly notes: readonly ChildNote[]
}

/** What became of an item that could not be prepared, enriched or embedded. */
export interface FailedDocument extends Pick<PreparedDocument, 'id' | 'source' | 'change' | 'from' | 'bytes'> {
  readonly error: AshlarError
}

export function hasFailed<Document>(document: Document | FailedDocument): document is FailedDocument {
  return typeof document === 'object' && document !== null && 'error' in document
}
