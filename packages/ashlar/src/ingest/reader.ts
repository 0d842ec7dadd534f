import type { Embedder } from '../model/embedder.ts'
import type { Tree } from '../tree/tree.ts'
import type { TreeOptions } from '../tree/tree-options.ts'
import type { EmbeddedWindow } from '../vector/embed-late.ts'
import type { LateOptions } from '../vector/late-options.ts'
import type { LoadedDocument, LoadInput } from './loader.ts'

/** Bytes that become a document. */
export interface ReadInput extends LoadInput {
  /** The document's id. */
  readonly document: string
  /** @default what the loader finds in it */
  readonly title?: string
  /** Sizes of the pieces. @default those of `buildTree` */
  readonly tree?: Omit<TreeOptions, 'document' | 'title' | 'format'>
  /** How windows of it would be embedded, by a model that a thread can have: a reader with threads may do that as well. */
  readonly late?: ThreadLate
}

/** What decides about windows, where a thread can make them. */
export interface ThreadLate extends Pick<LateOptions, 'window' | 'stopWords'> {
  readonly embedder: Required<Pick<Embedder, 'identity' | 'forThread'>>
}

/** A document as it was read and cut. */
export interface ReadDocument {
  readonly tree: Tree
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string
  /** What the loader said, its text aside: that is in the tree. */
  readonly loaded: Omit<LoadedDocument, 'text'>
  /** All windows, embedded, where the reader was asked and does so. */
  readonly windows?: readonly EmbeddedWindow[]
}

/** Reads bytes as text and cuts it: `inProcessReader`, or `workerReader` of `ashlar/node`, which does so on all cores. */
export interface Reader {
  /** How many documents are read at once. */
  readonly concurrency: number
  /** Whether a document that was read by this loader (`pdf/1`) would be read by the same now. */
  isCurrent(loader: string): boolean
  /** @throws AshlarError that belongs to this document alone. */
  read(input: ReadInput, signal?: AbortSignal): Promise<ReadDocument>
}
