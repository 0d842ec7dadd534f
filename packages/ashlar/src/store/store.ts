import type { EmbedderIdentity } from '../model/embedder.ts'
import type { LineColumn } from '../text/line-map.ts'
import type { Span } from '../text/span.ts'
import type { Tree } from '../tree/tree.ts'
import type { FieldTypes, Filter, Metadata } from './filter.ts'

/** What an engine is and does beyond the least that the contract asks, as data. */
export interface StoreSupports {
  /** Its name, for people: `memory`, `sqlite`, `postgres`. */
  readonly engine: string
  /** Whether what was written survives the end of the process. */
  readonly durable: boolean
  /** Whether several processes may have the same data open at once. */
  readonly shared: boolean
  /** Whether a vector search finds every nearest neighbour, or nearly all. */
  readonly exactVectors: boolean
}

/** What a store is opened for. */
export interface StoreScope {
  /** Where everything is written, and read first. */
  readonly workspace: string
  /** Workspaces that are read as well, such as documents shared by all tenants. Never written. @default none */
  readonly alsoRead?: readonly string[]
  /** The metadata fields that filters may name, and what they hold. @default none */
  readonly fields?: FieldTypes
}

/** Something that was generated for a child, kept beside its text. */
export interface ChildNote {
  /** The child it belongs to, by its id. */
  readonly child: string
  readonly context?: string
  readonly questions?: readonly string[]
  readonly keywords?: readonly string[]
  /** Where it came from; kept and given back as it is. */
  readonly provenance?: Readonly<Record<string, unknown>>
}

/** A stretch of consecutive children whose token states are kept as one opaque blob. */
export interface StoredWindow {
  /** Hash of the exact input of the model and of its identity: only when it changes is the window embedded again. */
  readonly key: string
  /** Index of its first child in the tree, and of the one after its last. */
  readonly first: number
  readonly after: number
  /** Left out, with `pieces`, where the store has a blob under this key for this document already. */
  readonly blob?: Uint8Array
  /** For each of its children the distinct word pieces of its tokens, rising; document frequencies come from them. */
  readonly pieces?: readonly Uint32Array[]
}

/**
 * The vectors of one document under one embedding identity. A document may have those of several; an identity that a write does not name
 * keeps what it has of the children that stay.
 */
export interface DocumentEmbedding {
  readonly identity: EmbedderIdentity
  /** One a child, in the order of the tree; left out where the store has one under the same content key for that child already. */
  readonly vectors: readonly (Float32Array | undefined)[]
  /** For each child the hash of what was embedded for it and of the identity. */
  readonly contentKeys: readonly string[]
  /** In the order of the tree; `embedLate` makes them. @default none */
  readonly windows?: readonly StoredWindow[]
}

/** Everything that is kept about one document. It is written as a whole and replaces what was there, atomically. */
export interface StoredDocument {
  readonly tree: Tree
  readonly metadata?: Metadata
  readonly notes?: readonly ChildNote[]
  readonly embeddings?: readonly DocumentEmbedding[]
  /**
   * Written only if this is the `contentHash` of what is stored now, null if nothing is; otherwise the whole `put` is refused with
   * `CHANGED_MEANWHILE`. For who has read a document in order to change it. @default whatever is there is replaced
   */
  readonly replaces?: string | null
}

/** What a write did. It resolves after the commit and never before. */
export interface PutReceipt {
  readonly document: string
  /** False when everything was there already: nothing was written. */
  readonly changed: boolean
  /**
   * Rows written and deleted, whatever their table; a child that goes counts once, with its vectors and notes. Where documents were
   * written together, the first of them has the rows of the lexical index.
   */
  readonly rows: { readonly written: number; readonly deleted: number }
  /** Children that are new to the document, kept, and gone. */
  readonly children: { readonly added: number; readonly kept: number; readonly removed: number }
}

/** What an erasure removed. */
export interface RemoveReceipt {
  readonly document: string
  /** False when there was no such document. */
  readonly found: boolean
  /** The document, its parents, children (with their vectors and notes) and windows. */
  readonly rows: number
  /**
   * Whether nothing of it is left in what the engine keeps: no row, no part of the lexical index, and with SQLite no byte of the file or its
   * log. False where there was no such document, where `purge` was switched off, and where somebody still read the log:
   * `maintain({ purge: true })` does the rest.
   */
  readonly erased: boolean
}

/** How {@link Store.remove} works. */
export interface RemoveOptions {
  /**
   * Also writes the parts of the lexical index again that had words of the documents, also of what they held before: that costs as much as
   * those parts are large (about 0.3 s of CPU with 40,000 children), and other writers of the workspace wait. Who removes many documents
   * one by one switches it off and calls `maintain({ purge: true })` once. @default true
   */
  readonly purge?: boolean
  readonly signal?: AbortSignal
}

/** A document without its text. */
export interface DocumentSummary {
  readonly id: string
  readonly workspace: string
  readonly title: string
  readonly format: string
  readonly metadata: Metadata
  readonly length: number
  readonly children: number
  /** Hash of text, structure, metadata and notes: equal when a write would change nothing but vectors. */
  readonly contentHash: string
}

/** A document as it was put, vectors aside unless they were asked for. */
export interface DocumentRecord extends DocumentSummary {
  readonly tree: Tree
  readonly notes: readonly ChildNote[]
  /** There where it was asked for and the document has vectors of that identity. */
  readonly embedding?: StoredEmbedding
}

/**
 * A document's vectors under one identity as they are kept: what was put, so that it can be put again, there or elsewhere, without a
 * single call to a model. A child that has no vector has none here, and an empty content key.
 */
export interface StoredEmbedding extends DocumentEmbedding {
  /** With blobs and word pieces. */
  readonly windows: readonly Required<StoredWindow>[]
}

/** What {@link Store.get} is asked for besides text and notes. */
export interface GetOptions {
  /** Gives each document's vectors and windows under this identity. @default none */
  readonly embedding?: EmbedderIdentity
  readonly signal?: AbortSignal
}

export interface ListOptions {
  readonly where?: Filter
  /** Where the page before ended. @default the beginning */
  readonly after?: string
  /** @default 100, at most 1000 */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Some of a list, in the order of document ids (by code point), and where to go on; no `next` on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}

/** A term of a query as the analyser gives it. */
export interface QueryTerm {
  readonly term: string
  /** How often it stands in the query, times what its kind weighs. */
  readonly weight: number
}

/** What {@link Store.nominate} looks for. */
export interface NominationQuery {
  /** Children whose vectors are nearest. */
  readonly vector?: {
    readonly identity: EmbedderIdentity
    readonly values: Float32Array
    readonly limit: number
    /** Word pieces of the query, where it is asked how many children have each. @default none */
    readonly pieces?: Uint32Array
  }
  /** Pieces of each level that hold the terms. */
  readonly terms?: {
    readonly terms: readonly QueryTerm[]
    /** Most pieces of each level; those above children nominate all of theirs. */
    readonly limits: { readonly child: number; readonly parent: number; readonly section: number; readonly document: number }
  }
  /** Children that are scored too, by key, whether a leg nominates them or not; a filter still holds. @default none */
  readonly children?: readonly number[]
  readonly where?: Filter
  readonly signal?: AbortSignal
}

/** BM25 of a child and of what surrounds it, not divided by anything. Term counts of a level are sums over its children. */
export interface LexicalScores {
  readonly child: number
  readonly parent: number
  readonly section: number
  readonly document: number
}

/** Where a child is found: its key, and its parent's. */
export interface ChildAddress {
  readonly key: number
  readonly parent: number
}

/** A child that some leg nominated. Every one carries its exact lexical scores, whichever leg it came from. */
export interface NominatedChild extends ChildAddress {
  /** The pieces around it, by key: children of one parent share its key. */
  readonly section: number
  readonly document: number
  readonly lexical: LexicalScores
  /** There where the vector leg returned it. */
  readonly cosine?: number
}

/** What the engines nominated, and what scoring needs to know about the workspace. */
export interface Nominations {
  readonly children: readonly NominatedChild[]
  /** The lowest cosine that the vector leg returned when it returned as many as it was asked for; undefined when it returned all. */
  readonly lastCosine?: number
  /** Children in the workspaces read, and how many of them hold each term of the query. */
  readonly count: number
  readonly frequencies: ReadonlyMap<string, number>
  /** How many children have each word piece that was asked about, under the identity of the query's vector; those that none has are left out. */
  readonly pieceFrequencies: ReadonlyMap<number, number>
}

/** What {@link Store.children} is asked for besides text and place. */
export interface ChildrenOptions {
  /** Gives each child's vector under this identity. */
  readonly vectors?: EmbedderIdentity
  /** Gives the blobs of the windows that the children and their neighbours stand in. */
  readonly windows?: EmbedderIdentity
  /** How many children on each side are named as neighbours. @default 0 */
  readonly neighbours?: number
  readonly signal?: AbortSignal
}

/** A child's place in the token states of a window: {@link ChildRecords.windows} has the blob under this key. */
export interface WindowPlace {
  readonly key: string
  readonly place: number
}

/** A child beside another one: as much as scoring needs of it. Its span is its own part, without what it repeats of the child before. */
export interface Neighbour extends Span, ChildAddress {
  /** There where windows were asked for and it has one. */
  readonly window?: WindowPlace
}

/** A child with everything that scoring, reading and citing need. Its span includes `lead` units repeated from the child before. */
export interface ChildRecord extends Span {
  readonly key: number
  readonly lead: number
  readonly id: string
  /** `child` of a parent that was cut into several, or `standard`: a chunk that stands for itself, see `standardTree`. */
  readonly kind: 'standard' | 'child'
  readonly workspace: string
  readonly document: DocumentSummary
  /** The parent's text and place, its line and column included; the child's own part, from `start + lead` on, is a slice of it. */
  readonly parent: Span & LineColumn & { readonly key: number; readonly id: string; readonly text: string }
  readonly section: Span & { readonly key: number }
  readonly index: number
  readonly outline: readonly string[]
  readonly header?: Span
  readonly note?: ChildNote
  /** The children before and after it in the document, the nearest first: as many on each side as were asked for. */
  readonly before: readonly Neighbour[]
  readonly after: readonly Neighbour[]
  readonly vector?: Float32Array
  readonly window?: WindowPlace
}

export interface ChildRecords {
  /** In the order asked for; a child that is gone meanwhile is left out. */
  readonly children: readonly ChildRecord[]
  readonly windows: ReadonlyMap<string, Uint8Array>
}

/** An embedding identity that the workspace has vectors of. */
export interface EmbeddingState {
  readonly identity: EmbedderIdentity
  /** Whether searches use it. One at most does; another can be built beside it. */
  readonly active: boolean
  readonly children: number
}

/** How thorough {@link Store.maintain} is. */
export interface MaintainOptions {
  /**
   * Also rewrites every part of the lexical index that still holds words of what was replaced, or removed without `purge`. They cannot be found or read
   * through the store before that either, but they are on the disk. @default false
   */
  readonly purge?: boolean
  readonly signal?: AbortSignal
}

/**
 * Keeps documents as trees and finds pieces of them again. A handle sees the workspaces it was opened for and no others; no call can name
 * one.
 *
 * Engines nominate, Ashlar scores: `nominate` returns a few hundred candidates by whatever index is fastest, with exact lexical scores;
 * `children` fetches what scoring and reading need for those that remain. Keys are integers of the engine and mean nothing elsewhere.
 */
export interface Store extends AsyncDisposable {
  readonly supports: StoreSupports
  readonly scope: Readonly<Required<StoreScope>>
  /** Writes documents, each in one transaction. What is there already is not written again. */
  put(documents: readonly StoredDocument[], options?: { readonly signal?: AbortSignal }): Promise<readonly PutReceipt[]>
  /** Erases documents and everything made of them. */
  remove(documents: readonly string[], options?: RemoveOptions): Promise<readonly RemoveReceipt[]>
  get(documents: readonly string[], options?: GetOptions): Promise<readonly (DocumentRecord | undefined)[]>
  list(options?: ListOptions): Promise<Page<DocumentSummary>>
  nominate(query: NominationQuery): Promise<Nominations>
  /** Fetches children by what `nominate` said about them. */
  children(children: readonly ChildAddress[], options?: ChildrenOptions): Promise<ChildRecords>
  /** The embedding identities there are. */
  embeddings(options?: { readonly signal?: AbortSignal }): Promise<readonly EmbeddingState[]>
  /**
   * Adds an identity beside the one in use, makes searches use one, or forgets one that is not in use. The first that a workspace gets
   * vectors of is added and used without being asked for.
   */
  embedding(
    identity: EmbedderIdentity,
    change: 'add' | 'use' | 'forget',
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>
  /** Merges, refreshes statistics, builds what large workspaces need. Safe at any time; nothing depends on it but speed. */
  maintain(options?: MaintainOptions): Promise<void>
  close(): Promise<void>
}
