import type { EmbedderIdentity } from '../model/embedder.ts'
import type { Filter, Metadata } from './filter.ts'
import type { StoreSupports } from './store.ts'

/*
 * How an engine is opened is its own affair, but it is opened for a list of workspaces: the first is written and read, the others are
 * only read. Every lookup answers from all of them and from no other. Keys are positive integers below 2^52, unique over all workspaces of the
 * engine, whatever they are keys of.
 */

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
  /** A key that was taken for this state of the row: another state, before or after, has another. */
  readonly version: number
  /** How many of its children have a note. */
  readonly notes: number
  /** Packed: sections, parents with key and length, outlines, headers of tables, windows. The one row that an edit rewrites in full. */
  readonly layout: Uint8Array
  /** Packed: ids of sections and parents, hashes of what belongs to each parent. Only read for the next write. */
  readonly fingerprints: Uint8Array
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

/** A parent, and the version of its document: whoever knows the document in this version need not read it again. */
export interface FamilyRow {
  readonly parent: ParentRow
  readonly version: number
}

/** A child's vector under one embedding. */
export interface VectorRow {
  readonly embedding: number
  readonly child: number
  readonly document: number
  readonly contentKey: string
  /** Of the embedding's dimensions, all numbers finite, of length 1 or all zeros. */
  readonly vector: Float32Array
}

/** The token states of one window. One row for each key of a document and embedding. */
export interface WindowRow {
  readonly embedding: number
  readonly document: number
  readonly key: string
  readonly blob: Uint8Array
  /** Packed: the word pieces of its children. */
  readonly pieces: Uint8Array
}

/** Which window: one of a document and embedding has this key. */
export type WindowName = Pick<WindowRow, 'embedding' | 'document' | 'key'>

/** What is looked up to score children. */
export interface WantedEvidence {
  /** Parents of neighbours: nobody reads their text. */
  readonly parents: readonly number[]
  /** Children whose vectors are wanted, by embedding. */
  readonly vectors: ReadonlyMap<number, readonly number[]>
  /** Windows whose token states are wanted: their word pieces are for writers. */
  readonly windows: readonly WindowName[]
}

export interface EvidenceRows {
  readonly parents: readonly Pick<ParentRow, 'key' | 'children'>[]
  readonly vectors: readonly Pick<VectorRow, 'child' | 'vector'>[]
  readonly windows: readonly Pick<WindowRow, 'document' | 'key' | 'blob'>[]
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
  readonly workspace: string
  /** `dimensions` is always there. */
  readonly identity: EmbedderIdentity
  /** At most one of a workspace. */
  readonly active: boolean
}

/** An embedding and how many vectors it has. */
export interface CountedEmbedding extends EmbeddingRow {
  readonly children: number
}

/** A segment and how many rows of tombstones it has. */
export interface ListedSegment {
  readonly id: number
  readonly workspace: string
  readonly tombstones: number
}

/** The embeddings and segments of the workspaces read. */
export interface IndexState {
  readonly embeddings: readonly CountedEmbedding[]
  readonly segments: readonly ListedSegment[]
}

/** Everything that one transaction writes and deletes. A row whose key is there already replaces that row. */
export interface RowBatch {
  readonly documents: readonly DocumentRow[]
  readonly parents: readonly ParentRow[]
  readonly vectors: readonly VectorRow[]
  readonly windows: readonly WindowRow[]
  readonly notes: readonly NoteRow[]
  readonly segments: readonly SegmentRow[]
  readonly tombstones: readonly TombstoneRow[]
  /** Rows that go; a key that is not there is passed over. */
  readonly gone: {
    /** With a document go all its parents, vectors, windows and notes. */
    readonly documents: readonly number[]
    readonly parents: readonly number[]
    /** Their vectors, under every embedding, and their notes. */
    readonly children: readonly number[]
    /** Notes of children that stay. */
    readonly notes: readonly number[]
    readonly windows: readonly WindowName[]
    /** With a segment go its tombstones. */
    readonly segments: readonly number[]
  }
}

/** What a writer keeps others out of. */
export type Lock =
  /** These documents; and whoever locks embeddings or segments waits, while writers of other documents go on. */
  | { readonly documents: readonly string[] }
  /** The workspace's embeddings, and with them all its documents. */
  | 'embeddings'
  /** The workspace's segments, and with them all its documents. */
  | 'segments'

/** Where a list goes on: after this document. */
export interface DocumentPosition {
  readonly id: string
  readonly workspace: string
}

/**
 * What a reader can look up. Everything read in one transaction belongs to one moment. What is not there is left out of the answers;
 * their order does not matter where nothing is said about it. Keys asked for are distinct and may be many thousands.
 */
export interface EngineReader {
  /** Of all workspaces: the same id may be there in several. */
  documentsById(ids: readonly string[]): Promise<readonly DocumentRow[]>
  /** `fingerprints` may be left empty. */
  documentsByKey(keys: readonly number[]): Promise<readonly DocumentRow[]>
  /** Parents with the versions of their documents. */
  families(parents: readonly number[]): Promise<readonly FamilyRow[]>
  /**
   * Documents in the order of their ids by code point, then of their workspaces by code point. `layout` and `fingerprints` may be left
   * empty.
   */
  listDocuments(where: Filter | undefined, after: DocumentPosition | undefined, limit: number): Promise<readonly DocumentRow[]>
  /** Keys of the documents that satisfy a filter, rising. */
  documentsWhere(where: Filter): Promise<readonly number[]>
  parents(keys: readonly number[]): Promise<readonly ParentRow[]>
  parentsOf(documents: readonly number[]): Promise<readonly ParentRow[]>
  notes(children: readonly number[]): Promise<readonly NoteRow[]>
  vectors(embedding: number, children: readonly number[]): Promise<readonly VectorRow[]>
  /** The content key of each child's vector. */
  contentKeys(embedding: number, children: readonly number[]): Promise<ReadonlyMap<number, string>>
  windows(wanted: readonly WindowName[]): Promise<readonly WindowRow[]>
  /** What scores are worked out from, in one lookup. */
  evidence(wanted: WantedEvidence): Promise<EvidenceRows>
  /**
   * Children whose vectors under any of the embeddings (one of each workspace at most) are nearest, by cosine, the highest first, ties by
   * key. `vector` has length 1.
   */
  nearest(
    embeddings: readonly number[],
    vector: Float32Array,
    limit: number,
    where: Filter | undefined,
  ): Promise<readonly { readonly child: number; readonly cosine: number }[]>
  /**
   * The live segments, and how many rows of tombstones each has. Segments never change and tombstones are only added, so these numbers
   * tell whether what was read before still holds.
   */
  segments(): Promise<readonly ListedSegment[]>
  tombstones(segments: readonly number[]): Promise<readonly TombstoneRow[]>
  /** Pages of segments, in the order asked for. */
  pages(wanted: readonly { readonly segment: number; readonly page: number }[]): Promise<readonly Uint8Array[]>
  /** Of all workspaces, in the order of their keys, with the number of vectors of each. */
  embeddings(): Promise<readonly CountedEmbedding[]>
  /** What a search needs to know first: `embeddings` and `segments` in one lookup. */
  indexState(): Promise<IndexState>
}

/**
 * What a writer can do besides, in the workspace that is written. A transaction that throws leaves nothing behind.
 *
 * Locks come first, and what is read after a lock was granted includes all that was committed before. The one `write` comes last, after
 * all reading: whether a transaction sees its own rows is left to the engine.
 */
export interface EngineWriter extends EngineReader {
  /** Waits until nobody else holds what is asked for, and holds it until the transaction ends. At most once in a transaction. */
  lock(lock: Lock): Promise<void>
  /** The first of `count` consecutive keys, never given before nor again, also when the transaction fails. */
  takeKeys(count: number): Promise<number>
  /** Adds an identity under a key that was taken for it. */
  addEmbedding(key: number, identity: EmbedderIdentity): Promise<void>
  /** Makes an embedding the active one, and no other. */
  useEmbedding(embedding: number): Promise<void>
  /** Deletes an embedding with its vectors and windows. */
  forgetEmbedding(embedding: number): Promise<void>
  /**
   * Writes pages of a segment from the one with the number `first` on; its head follows with {@link write}, in the same transaction.
   * @default all pages of a segment are written at once
   */
  addPages?(segment: number, first: number, pages: readonly Uint8Array[]): Promise<void>
  write(batch: RowBatch): Promise<void>
}

/** Where rows are kept. An engine stores and looks up; validation, differences, ranking and packing are the store's. */
export interface Engine extends AsyncDisposable {
  readonly supports: StoreSupports
  /** True while files of the engine's own still hold something that a committed transaction has deleted. @default false */
  readonly hasTraces?: boolean
  read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Resolves after the commit. Work may be run again from its beginning where the engine has to give way to another writer. */
  write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Tidies what is the engine's own (statistics, indexes of large workspaces); segments are merged by the store. */
  maintain(signal?: AbortSignal): Promise<void>
}
