import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { ingestDocuments } from '../ingest/ingest-documents.ts'
import type { IngestPlan } from '../ingest/ingest-plan.ts'
import type { IngestReceipt } from '../ingest/ingest-receipt.ts'
import { planIngest } from '../ingest/plan-ingest.ts'
import { type RunIngestOptions, runIngest } from '../ingest/run-ingest.ts'
import type { Source } from '../ingest/source.ts'
import { noUsage } from '../model/usage.ts'
import type { Hit } from '../search/hit.ts'
import { search, searchMany } from '../search/search.ts'
import type { SearchEmbedding, SearchOptions } from '../search/search-options.ts'
import type { SearchResult } from '../search/search-result.ts'
import { compileWhere, type Where } from '../search/where.ts'
import type { Filter, Metadata } from '../store/filter.ts'
import { isReservedName, ownMetadata, reserved } from '../store/reserved-metadata.ts'
import type { DocumentSummary, Page, Store } from '../store/store.ts'
import { unpackPositions } from '../text/packed-positions.ts'
import { placeOf } from '../text/position-map.ts'
import { givenDocuments, isSource } from './addable.ts'
import type { Answer } from './answer.ts'
import { answerFromEvidence } from './answer-from-evidence.ts'
import { Closing } from './closing.ts'
import { type Feedback, type FeedbackEntry, FeedbackLog } from './feedback.ts'
import type {
  Abortable,
  Addable,
  AddOptions,
  AskOptions,
  ErasureReceipt,
  FeedbackListOptions,
  Library,
  LibraryDocument,
  LibraryEntry,
  LibraryListOptions,
  LibrarySearchOptions,
  PlanOptions,
  SyncOptions,
} from './library.ts'
import type { LibraryStats } from './library-stats.ts'
import type { OpenOptions } from './open-options.ts'
import { type Evidence, type RenderedEvidence, type RenderOptions, renderEvidence } from './render-evidence.ts'
import { SearchWatch } from './search-watch.ts'
import { type VerifyOptions, type VerifyReport, verify } from './verify.ts'

/** A {@link Library} over any store. */
export class TreeLibrary<Fields extends object> implements Library<Fields> {
  readonly store: Store
  readonly #ingest: Ingest
  readonly #options: OpenOptions
  readonly #feedback: FeedbackLog | undefined
  readonly #watch = new SearchWatch()

  constructor(options: OpenOptions) {
    const { store, reranker: _reranker, generator: _generator, feedback, closes: _closes, ...ingest } = options
    this.store = store
    this.#options = options
    this.#ingest = { ...ingest, store }
    this.#feedback = feedback && new FeedbackLog(feedback)
  }

  add(
    documents: Addable<Fields> | Source | Iterable<Addable<Fields>> | AsyncIterable<Addable<Fields>>,
    options: AddOptions = {},
  ): Promise<IngestReceipt> {
    return isSource(documents)
      ? this.run(documents, { ...options, remove: false, claim: false })
      : ingestDocuments(givenDocuments(documents), this.#ingest, options)
  }

  plan(source: Source, options: PlanOptions = {}): Promise<IngestPlan> {
    return planIngest(source, this.#ingest, options)
  }

  sync(source: Source, options: SyncOptions = {}): Promise<IngestReceipt> {
    return this.run(source, options)
  }

  /** Ingests a source. */
  protected run(source: Source, options: RunIngestOptions): Promise<IngestReceipt> {
    return runIngest(source, this.#ingest, options)
  }

  async search(query: string, options: LibrarySearchOptions<Fields> = {}): Promise<SearchResult> {
    const [result] = await this.#searched(1, async () => [await search<Fields>(this.store, query, this.#searchOptions(options))])
    return result as SearchResult
  }

  searchMany(queries: readonly string[], options: LibrarySearchOptions<Fields> = {}): Promise<readonly SearchResult[]> {
    return this.#searched(queries.length, () => searchMany<Fields>(this.store, queries, this.#searchOptions(options)))
  }

  async ask(question: string, options: AskOptions<Fields> = {}): Promise<Answer<Hit>> {
    const { generator = this.#options.generator, maxTokens, counter, answerTokens, instructions, ...rest } = options
    const { caller, cache, price, onEvent, signal, ...searching } = rest
    if (generator === undefined) {
      throw new AshlarError('INVALID_OPTION', 'ask needs a generator: give it one, or open the library with one.')
    }
    const result = await this.search(question, { ...searching, ...(signal === undefined ? {} : { signal }) })
    if (result.hits.length === 0) {
      return {
        text: '',
        missing: true,
        reason: 'nothing found',
        citations: [],
        unknown: [],
        hits: [],
        cutOff: false,
        usage: noUsage,
      }
    }
    const given = { maxTokens, counter, answerTokens, instructions, caller, cache, price, onEvent, signal }
    const answer = await answerFromEvidence(question, result.hits, { generator, ...defined(given) })
    return answer.missing ? { ...answer, reason: result.nothing ? 'nothing relevant' : 'not answered' } : answer
  }

  async get(id: string, options: Abortable = {}): Promise<LibraryDocument<Fields> | undefined> {
    const [record] = await this.store.get([id], options)
    if (record === undefined) return undefined
    const { text } = record.tree
    const packed = record.metadata[reserved.positions]
    const positions = typeof packed === 'string' ? unpackPositions(packed) : undefined
    return { ...this.#entry(record), text, placeOf: (offset) => placeOf(positions, text, offset) }
  }

  async list({ where, ...options }: LibraryListOptions<Fields> = {}): Promise<Page<LibraryEntry<Fields>>> {
    const filter = where === undefined ? {} : { where: compileWhere(where as Where | Filter, this.store.scope.fields) }
    const { items, next } = await this.store.list({ ...options, ...filter })
    return { items: items.map((item) => this.#entry(item)), ...(next === undefined ? {} : { next }) }
  }

  async update(
    id: string,
    metadata: { readonly [Field in keyof Fields]?: Fields[Field] | null },
    options: Abortable = {},
  ): Promise<boolean> {
    for (const name of Object.keys(metadata)) refuseReserved(name)
    for (;;) {
      const [record] = await this.store.get([id], options)
      if (record?.workspace !== this.store.scope.workspace) return false
      const changed: Record<string, Metadata[string]> = { ...record.metadata }
      for (const [name, value] of Object.entries(metadata)) {
        if (value === null) delete changed[name]
        else if (value !== undefined) changed[name] = value as Metadata[string]
      }
      const { tree, notes, contentHash } = record
      try {
        await this.store.put([{ tree, notes, metadata: changed, replaces: contentHash }], options)
        return true
      } catch (error) {
        // Somebody else was faster: the change is made to what they wrote.
        if (!isAshlarError(error) || error.code !== 'CHANGED_MEANWHILE') throw error
      }
    }
  }

  async remove(ids: string | readonly string[], options: Abortable = {}): Promise<ErasureReceipt> {
    const named = typeof ids === 'string' ? [ids] : ids
    const documents = await this.store.remove(named, options)
    // Whatever of them is on its way to the store is asked for again by the run that it belongs to, should it still want it.
    await this.#options.journal?.sweep(Number.MAX_SAFE_INTEGER)
    const feedback = (await this.#feedback?.forget(named, options.signal)) ?? 0
    const found = documents.filter(({ found }) => found)
    const rows = found.reduce((sum, { rows }) => sum + rows, 0)
    return { documents, removed: found.length, rows, erased: found.every(({ erased }) => erased), feedback }
  }

  render(hits: readonly Evidence[], options?: RenderOptions): RenderedEvidence {
    return renderEvidence(hits, options)
  }

  feedback(feedback: Feedback, { signal }: Abortable = {}): Promise<FeedbackEntry> {
    if (this.#feedback === undefined) {
      throw new AshlarError('INVALID_OPTION', 'This library keeps no feedback: open it with a store for it, as `feedback`.')
    }
    return this.#feedback.give(feedback, signal)
  }

  async listFeedback(options: FeedbackListOptions = {}): Promise<Page<FeedbackEntry>> {
    return this.#feedback?.list(options) ?? { items: [] }
  }

  async stats(options: Abortable = {}): Promise<LibraryStats> {
    const sums = { documents: 0, pieces: 0, characters: 0 }
    for await (const { children, length } of everyItem((after) => this.store.list({ limit: 1_000, ...after, ...options }))) {
      sums.documents++
      sums.pieces += children
      sums.characters += length
    }
    return {
      workspace: this.store.scope.workspace,
      engine: this.store.supports.engine,
      ...sums,
      embeddings: await this.store.embeddings(options),
      searches: this.#watch.stats,
      feedback: await this.#verdicts(options),
    }
  }

  verify(options?: VerifyOptions): Promise<VerifyReport> {
    return verify(this.store, options)
  }

  async close(): Promise<void> {
    await using stack = new Closing()
    for (const one of this.#options.closes ?? []) stack.use(one)
    stack.defer(() => this.store.close())
    stack.defer(async () => this.#feedback?.close())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #searchOptions({ rerank = true, ...options }: LibrarySearchOptions<Fields>): SearchOptions<Fields> {
    const { embedder, late, caller, price, reranker } = this.#options
    const embedding: SearchEmbedding | undefined = embedder && { embedder, ...late, ...defined({ caller, price }) }
    const reranking = reranker === undefined || rerank === false ? undefined : { reranker, ...(rerank === true ? {} : rerank) }
    return { ...options, ...defined({ embedding, rerank: reranking }) }
  }

  async #searched(count: number, work: () => Promise<readonly SearchResult[]>): Promise<readonly SearchResult[]> {
    const began = performance.now()
    try {
      const results = await work()
      const each = (performance.now() - began) / Math.max(1, count)
      for (const { nothing, degraded } of results) this.#watch.finished(each, { empty: nothing, degraded: degraded.length > 0 })
      return results
    } catch (error) {
      this.#watch.failed()
      throw error
    }
  }

  #entry(summary: DocumentSummary): LibraryEntry<Fields> {
    const { id, workspace, title, format, metadata, length, children } = summary
    const said = (name: string): string | undefined => {
      const value = metadata[name]
      return typeof value === 'string' ? value : undefined
    }
    const facts = { source: said(reserved.source), encoding: said(reserved.encoding), language: said(reserved.language) }
    const own = ownMetadata(metadata) as LibraryEntry<Fields>['metadata']
    return { id, workspace, title, format, metadata: own, length, pieces: children, ...defined(facts) }
  }

  async #verdicts(options: Abortable): Promise<LibraryStats['feedback']> {
    const log = this.#feedback
    if (log === undefined) return undefined
    const counts = { helpful: 0, unhelpful: 0, missing: 0 }
    for await (const { verdict } of everyItem((after) => log.list({ limit: 1_000, ...after, ...options }))) counts[verdict]++
    return counts
  }
}

async function* everyItem<Item>(list: (after: { readonly after?: string }) => Promise<Page<Item>>): AsyncGenerator<Item> {
  let after: string | undefined
  do {
    const page: Page<Item> = await list(after === undefined ? {} : { after })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}

function refuseReserved(name: string): void {
  if (!isReservedName(name)) return
  throw new AshlarError(
    'INVALID_DOCUMENT',
    `Names that begin with ashlar. are the library's own; ${JSON.stringify(name.slice(0, 60))} is one.`,
  )
}

type Defined<Type> = { [Key in keyof Type]?: Exclude<Type[Key], undefined> }

/** Without what is undefined, so that defaults hold. */
function defined<Type extends object>(given: Type): Defined<Type> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Type>
}
