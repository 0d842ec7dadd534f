import type { LoadedDocument } from 'ashlar/ingest'
import type { Tree } from 'ashlar/tree'

/** A document of the file and its cuts. */
export interface CutDocument {
  readonly name: string
  readonly loaded: LoadedDocument
  readonly tree: Tree
}
