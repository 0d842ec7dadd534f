import type { EmbedderIdentity } from '../model/embedder.ts'
import type { Filter, Metadata } from './filter.ts'
import type { StoreSupports } from './store.ts'

/** A document without its text: one row. Its layout says where its parents stand and which section each belongs to. */
export interface DocumentRow {
  readonly key: number
  readonly workspace: string
  readonly id: string
  readonly title: string
  readonly format: string
  readonly metadata: Metadata
  readonly length: number
  readonly children: number
  readonly contentHash: string
  /** Packed: sections, the parents of each with key, id and start, outlines, headers of tables. The one row that an edit rewrites in full. */
  readonly layout: Uint8Array
}

/** A parent: the only place where text is kept. */
export interface ParentRow {
  readonly key: number
  readonly document: number
  readonly id: string
  readonly text: string
  /** Packed: for each child its key, id, lead and place in the text. */
  readonly children: Uint8Array
}

/** A child's vector under one embedding. */
export interface VectorRow {
  readonly embedding: number
  readonly child: number
  readonly document: number
  readonly contentKey: string
  readonly vector: Float32Array
}

/** The token states of one window. */
export interface WindowRow {
  readonly embedding: number
  readonly document: number
  readonly key: string
  readonly blob: Uint8Array
}

/** What was generated for one child. */
export interface NoteRow {
  readonly child: number
  readonly document: number
  readonly note: string
}

/** A part of the lexical index: immutable, made by one write or one merge. See `store/postings`. */
export interface SegmentRow {
  readonly id: number
  /** Page 0 is the head: what can be told without reading others (counts, which page holds what). */
  readonly pages: readonly Uint8Array[]
}

/** Entries of older segments that a later write replaced or removed: places in a segment's table of children. Only ever added. */
export interface TombstoneRow {
  readonly segment: number
  readonly places: Uint8Array
}

/** An embedding identity and what it is used for. */
export interface EmbeddingRow {
  readonly key: number
  readonly identity: EmbedderIdentity
  readonly active: boolean
}

/** Everything that one transaction writes and deletes. */
export interface RowBatch {
  readonly documents: readonly DocumentRow[]
  readonly parents: readonly ParentRow[]
  readonly vectors: readonly VectorRow[]
  readonly windows: readonly WindowRow[]
  readonly notes: readonly NoteRow[]
  readonly segments: readonly SegmentRow[]
  readonly tombstones: readonly TombstoneRow[]
  /** Keys of rows that go. Vectors and notes go with their child where they are named, windows by key. */
  readonly gone: {
    readonly documents: readonly number[]
    readonly parents: readonly number[]
    readonly children: readonly number[]
    readonly windows: readonly { readonly embedding: number; readonly document: number; readonly key: string }[]
    readonly segments: readonly number[]
  }
}

/** What a reader can look up. Everything read in one transaction belongs to one moment. */
export interface EngineReader {
  documentsById(ids: readonly string[]): Promise<readonly DocumentRow[]>
  documentsByKey(keys: readonly number[]): Promise<readonly DocumentRow[]>
  /** Documents in the order of their ids by code point, after one id. */
  listDocuments(where: Filter | undefined, after: string | undefined, limit: number): Promise<readonly DocumentRow[]>
  /** Keys of the documents that satisfy a filter, rising. */
  documentsWhere(where: Filter): Promise<readonly number[]>
  parents(keys: readonly number[]): Promise<readonly ParentRow[]>
  parentsOf(documents: readonly number[]): Promise<readonly ParentRow[]>
  notes(children: readonly number[]): Promise<readonly NoteRow[]>
  /** `vector` may be left out where only content keys are asked for. */
  vectors(embedding: number, children: readonly number[]): Promise<readonly VectorRow[]>
  windows(
    embedding: number,
    documents: readonly number[],
    keys: readonly string[] | 'all keys, no blobs',
  ): Promise<readonly WindowRow[]>
  /** Children whose vectors are nearest, by cosine, ties by key. */
  nearest(
    embedding: number,
    vector: Float32Array,
    limit: number,
    where: Filter | undefined,
  ): Promise<readonly { readonly child: number; readonly cosine: number }[]>
  /**
   * The live segments, and how many rows of tombstones each has. Segments never change and tombstones are only added, so these numbers
   * tell whether what was read before still holds.
   */
  segments(): Promise<readonly { readonly id: number; readonly tombstones: number }[]>
  tombstones(segments: readonly number[]): Promise<readonly TombstoneRow[]>
  /** Pages of segments, in the order asked for. */
  pages(wanted: readonly { readonly segment: number; readonly page: number }[]): Promise<readonly Uint8Array[]>
  embeddings(): Promise<readonly (EmbeddingRow & { readonly children: number })[]>
}

/** What a writer can do besides. A transaction that throws leaves nothing behind. */
export interface EngineWriter extends EngineReader {
  /** Keeps other writers of these documents out until the transaction ends. */
  lock(documents: readonly string[]): Promise<void>
  /** The next free keys; never given again, also when the transaction fails. */
  takeKeys(count: number): Promise<number>
  /** The key of an identity, made when it is new. */
  declareEmbedding(identity: EmbedderIdentity): Promise<number>
  setActive(embedding: number): Promise<void>
  forgetEmbedding(embedding: number): Promise<void>
  write(batch: RowBatch): Promise<{ readonly written: number; readonly deleted: number }>
}

/** Where rows are kept. An engine stores and looks up; validation, differences, ranking and packing are the store's. */
export interface Engine extends AsyncDisposable {
  readonly supports: StoreSupports
  read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Merges segments by `merge`, and whatever else the engine has to tidy; called by nobody but `maintain`. */
  maintain(signal?: AbortSignal): Promise<void>
}
