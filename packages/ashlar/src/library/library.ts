import type { GivenDocument } from '../ingest/given-document.ts'
import type { IngestEvent } from '../ingest/ingest-event.ts'
import type { IngestPlan } from '../ingest/ingest-plan.ts'
import type { IngestReceipt } from '../ingest/ingest-receipt.ts'
import type { MayRemove } from '../ingest/run-ingest.ts'
import type { Source } from '../ingest/source.ts'
import type { Hit } from '../search/hit.ts'
import type { SearchOptions, SearchRerank } from '../search/search-options.ts'
import type { SearchResult } from '../search/search-result.ts'
import type { Where } from '../search/where.ts'
import type { Filter, Metadata } from '../store/filter.ts'
import type { Page, RemoveReceipt, Store } from '../store/store.ts'
import type { Place } from '../text/place.ts'
import type { Answer } from './answer.ts'
import type { AnswerOptions } from './answer-from-evidence.ts'
import type { Feedback, FeedbackEntry } from './feedback.ts'
import type { LibraryStats } from './library-stats.ts'
import type { Evidence, RenderedEvidence, RenderOptions } from './render-evidence.ts'
import type { VerifyOptions, VerifyReport } from './verify.ts'

/** What every call takes. */
export interface Abortable {
  readonly signal?: AbortSignal
}

/**
 * Something to add: a document, a text alone, or a `File` or `Blob`. A document without an id is named by its content, so that adding it
 * twice is adding it once.
 */
export type Addable<Fields extends object = Metadata> =
  | string
  | Blob
  | (DistributiveOmit<GivenDocument, 'id' | 'metadata'> & { readonly id?: string; readonly metadata?: Fields })

type DistributiveOmit<Type, Keys extends PropertyKey> = Type extends unknown ? Omit<Type, Keys> : never

export interface AddOptions extends Abortable {
  readonly onEvent?: (event: IngestEvent) => void
}

export interface PlanOptions extends AddOptions {
  /** How many changes of each kind are named. @default 10 */
  readonly examples?: number
  /** False for what `add` would do, which leaves documents with the root that has them. @default true */
  readonly claim?: boolean
}

export interface SyncOptions extends AddOptions {
  /**
   * Whether documents that the source does not list any more are removed; a function is asked once, before the first of them is, and after
   * all else is stored. @default true
   */
  readonly remove?: boolean | MayRemove
}

/** A stored document without its text. */
export interface LibraryEntry<Fields extends object = Metadata> {
  readonly id: string
  readonly workspace: string
  readonly title: string
  /** The format it was cut by: `markdown`. */
  readonly format: string
  /** What was given with it, and what its file says about itself. */
  readonly metadata: Partial<Fields> & Metadata
  /** Code units of its text, and pieces that it was cut into. */
  readonly length: number
  readonly pieces: number
  /** Where it came from: `file:docs/guide.md`. */
  readonly source?: string
  /** What its bytes were read as, and the natural language that it seems to be written in. */
  readonly encoding?: string
  readonly language?: string
}

/** A stored document. */
export interface LibraryDocument<Fields extends object = Metadata> extends LibraryEntry<Fields> {
  readonly text: string
  /** Where a place in the text is found in the file: a page, a cell, a line. */
  placeOf(offset: number): Place
}

export interface LibraryListOptions<Fields extends object = Metadata> extends Abortable {
  readonly where?: Where<Fields> | Filter
  /** `next` of the page before. @default the beginning */
  readonly after?: string
  /** @default 100, at most 1000 */
  readonly limit?: number
}

export interface FeedbackListOptions extends Abortable {
  /** `next` of the page before. @default the beginning */
  readonly after?: string
  /** @default 100, at most 1000 */
  readonly limit?: number
}

/** How a library is searched. */
export interface LibrarySearchOptions<Fields extends object = Metadata>
  extends Omit<SearchOptions<Fields>, 'embedding' | 'rerank'> {
  /** Whether the reranker that the library was opened with reads the best hits, or how. @default whether there is one */
  readonly rerank?: boolean | Omit<SearchRerank, 'reranker'>
}

/** How a question is asked: what is searched, and how it is answered. */
export interface AskOptions<Fields extends object = Metadata>
  extends Omit<AnswerOptions, 'generator' | 'signal'>,
    Omit<LibrarySearchOptions<Fields>, 'maxTokens' | 'counter' | 'signal'>,
    Abortable {
  /** @default the one that the library was opened with */
  readonly generator?: AnswerOptions['generator']
}

/** What an erasure removed, over all documents that were named. */
export interface ErasureReceipt {
  readonly documents: readonly RemoveReceipt[]
  /** Documents that were there and are not any more. */
  readonly removed: number
  readonly rows: number
  /**
   * Whether no trace of any is left in what the engine keeps; see `RemoveReceipt.erased`. Backups, replicas and archives of a log are
   * outside of it.
   */
  readonly erased: boolean
  /** Entries of feedback that were about them. */
  readonly feedback: number
}

/**
 * Documents that can be asked: added, kept in step with their source, searched, read, erased. One handle sees one workspace of one store.
 */
export interface Library<Fields extends object = Metadata> extends AsyncDisposable {
  readonly store: Store
  /**
   * Adds documents or replaces those of the same id, and removes none. What could not be added is in the receipt, item by item.
   */
  add(
    documents: Addable<Fields> | Source | Iterable<Addable<Fields>> | AsyncIterable<Addable<Fields>>,
    options?: AddOptions,
  ): Promise<IngestReceipt>
  /** Says what `sync` would do now, and what it would cost. */
  plan(source: Source, options?: PlanOptions): Promise<IngestPlan>
  /** Makes the library hold what a source lists: adds what is new, replaces what changed, moves what moved, removes what is gone. */
  sync(source: Source, options?: SyncOptions): Promise<IngestReceipt>
  search(query: string, options?: LibrarySearchOptions<Fields>): Promise<SearchResult>
  /** Several searches at once, each with its own result; their queries are embedded together. */
  searchMany(queries: readonly string[], options?: LibrarySearchOptions<Fields>): Promise<readonly SearchResult[]>
  /** Answers a question from what is found, with citations, or says that it is not there. */
  ask(question: string, options?: AskOptions<Fields>): Promise<Answer<Hit>>
  get(id: string, options?: Abortable): Promise<LibraryDocument<Fields> | undefined>
  list(options?: LibraryListOptions<Fields>): Promise<Page<LibraryEntry<Fields>>>
  /**
   * Changes metadata of a document and nothing else; `null` takes a field away. Nothing is embedded again.
   *
   * @returns false where there is no such document.
   */
  update(id: string, metadata: { readonly [Field in keyof Fields]?: Fields[Field] | null }, options?: Abortable): Promise<boolean>
  /** Erases documents, with everything that was made of them. */
  remove(ids: string | readonly string[], options?: Abortable): Promise<ErasureReceipt>
  /** Passages as a text for a model, quoted and marked as data, within a budget. */
  render(hits: readonly Evidence[], options?: RenderOptions): RenderedEvidence
  /** Keeps what somebody says about what was found. */
  feedback(feedback: Feedback, options?: Abortable): Promise<FeedbackEntry>
  /** What was said so far, in the order it was given; nothing where no feedback is kept. */
  listFeedback(options?: FeedbackListOptions): Promise<Page<FeedbackEntry>>
  stats(options?: Abortable): Promise<LibraryStats>
  /** Checks the laws on what is stored. */
  verify(options?: VerifyOptions): Promise<VerifyReport>
  close(): Promise<void>
}
