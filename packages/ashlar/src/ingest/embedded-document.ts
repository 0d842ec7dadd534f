import type { StoredDocument } from '../store/store.ts'
import type { PreparedDocument } from './prepared-document.ts'

/** A document that can be put. */
export interface EmbeddedDocument {
  readonly prepared: PreparedDocument
  readonly document: StoredDocument
  /** What a journal holds for it: forgotten once it is stored. */
  readonly journaled: readonly string[]
  readonly embedded: number
  readonly reused: number
  readonly windows: number
}
