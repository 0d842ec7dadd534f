import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import { assembleChildren } from './assemble-children.ts'
import { assembleDocument } from './assemble-document.ts'
import { assembleEmbeddings } from './assemble-embeddings.ts'
import { checkFilter } from './check-filter.ts'
import { checkDocumentId } from './check-id.ts'
import { type CheckedDocument, checkDocument, embeddingKey, unitVector } from './checked-document.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { DocumentCache } from './document-cache.ts'
import { embeddingMismatch } from './embedding-mismatch.ts'
import type { DocumentRow, EmbeddingRow, Engine, EngineReader } from './engine.ts'
import type { Filter } from './filter.ts'
import { mergeIndex } from './merge-index.ts'
import { readChildren } from './parent-children.ts'
import { isCrowded } from './postings/plan-merge.ts'
import { openPostings } from './postings/postings.ts'
import { PostingsCache } from './postings/postings-cache.ts'
import { removeDocuments } from './remove-documents.ts'
import type {
  ChildAddress,
  ChildRecords,
  ChildrenOptions,
  DocumentRecord,
  DocumentSummary,
  EmbeddingState,
  GetOptions,
  ListOptions,
  MaintainOptions,
  NominatedChild,
  NominationQuery,
  Nominations,
  Page,
  PutReceipt,
  RemoveOptions,
  RemoveReceipt,
  Store,
  StoredDocument,
  StoreScope,
  StoreSupports,
} from './store.ts'
import { summaryOf } from './summary-of.ts'
import { writeDocuments } from './write-documents.ts'

/** What one call may ask for at most. */
const limits = { documents: 1_000, children: 10_000, neighbours: 100, nominations: 10_000, terms: 10_000, page: 1_000 }

/** What goes into one transaction: enough to make it worth its commit, not so much that others wait long. */
const transaction = { documents: 200, children: 4_000 }

/** Above so many segments a write merges some before it returns. */
const mostSegments = 16

/**
 * Of the children that only words nominated, the best are given: a few long documents would nominate everything in them, and what is not
 * among these cannot be among the best of any search.
 */
const mostByTerms = 2_000

/** How a {@link TreeStore} is opened over an engine. */
export interface TreeStoreOptions {
  /** Checked by `checkScope`, and the one that the engine was opened with. */
  readonly scope: Readonly<Required<StoreScope>>
  readonly engine: Engine
  /** Shared by all handles on the same data. @default a new one */
  readonly cache?: PostingsCache
}

type Signal = { readonly signal?: AbortSignal }

/**
 * The store over any engine. Everything that can be wrong with a call is found here, before the engine is asked; engines keep rows and
 * look them up.
 */
export class TreeStore implements Store {
  readonly supports: StoreSupports
  readonly scope: Readonly<Required<StoreScope>>
  readonly #engine: Engine
  readonly #cache: PostingsCache
  readonly #documents = new DocumentCache()
  readonly #workspaces: readonly string[]
  readonly #running = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor({ scope, engine, cache = new PostingsCache() }: TreeStoreOptions) {
    this.scope = scope
    this.supports = engine.supports
    this.#engine = engine
    this.#cache = cache
    this.#workspaces = [scope.workspace, ...scope.alsoRead]
  }

  async put(documents: readonly StoredDocument[], options: Signal = {}): Promise<readonly PutReceipt[]> {
    return this.#run(options, async (signal) => {
      checkList(documents, limits.documents, 'put', 'documents')
      const checked = documents.map((document) => checkDocument(document, this.scope.fields))
      if (new Set(checked.map(({ id }) => id)).size < checked.length)
        throw new AshlarError('INVALID_DOCUMENT', 'One call puts each document once; two of these have the same id.')
      await this.#addFirstEmbeddings(checked, signal)
      const receipts: PutReceipt[] = []
      for (const group of transactions(checked)) {
        try {
          signal?.throwIfAborted()
          const work = this.#engine.write((writer) => writeDocuments(writer, this.scope.workspace, group, this.#cache), signal)
          receipts.push(...(await work))
        } catch (error) {
          throw withReceipts(error, receipts, group, signal)
        }
      }
      await this.#mergeInPassing(signal)
      return receipts
    })
  }

  async remove(documents: readonly string[], options: RemoveOptions = {}): Promise<readonly RemoveReceipt[]> {
    return this.#run(options, async (signal) => {
      const ids = checkIds(documents, 'remove')
      if (ids.length === 0) return []
      const distinct = [...new Set(ids)]
      const purge = options.purge !== false
      const removed = await this.#engine.write(
        (writer) => removeDocuments(writer, this.scope.workspace, distinct, { cache: this.#cache, purge }),
        signal,
      )
      const erased = purge && this.#engine.hasTraces !== true
      const byId = new Map(removed.map((one) => [one.document, { ...one, erased: erased && one.found }]))
      return ids.map((id) => byId.get(id) as RemoveReceipt)
    })
  }

  async get(documents: readonly string[], options: GetOptions = {}): Promise<readonly (DocumentRecord | undefined)[]> {
    return this.#run(options, async (signal) => {
      const ids = checkIds(documents, 'get')
      if (ids.length === 0) return []
      return this.#engine.read((reader) => this.#readDocuments(reader, ids, options.embedding), signal)
    })
  }

  async list(options: ListOptions = {}): Promise<Page<DocumentSummary>> {
    return this.#run(options, async (signal) => {
      const { limit = 100 } = options
      checkCount(limit, 1, limits.page, 'limit')
      const where = this.#filter(options.where)
      const after = options.after === undefined ? undefined : readCursor(options.after, this.#workspaces)
      const rows = await this.#engine.read((reader) => reader.listDocuments(where, after, limit + 1), signal)
      const items = rows.slice(0, limit).map(summaryOf)
      const last = items.at(-1)
      return rows.length > limit && last !== undefined ? { items, next: writeCursor(last) } : { items }
    })
  }

  async nominate(query: NominationQuery): Promise<Nominations> {
    return this.#run(query, async (signal) => {
      const { vector, terms } = query
      const where = this.#filter(query.where)
      if (vector !== undefined) checkCount(vector.limit, 0, limits.nominations, 'vector.limit')
      if (terms !== undefined) checkTerms(terms)
      if (query.children !== undefined) checkList(query.children, limits.children, 'nominate', 'children')
      return this.#engine.read((reader) => this.#nominate(reader, query, where), signal)
    })
  }

  async children(children: readonly ChildAddress[], options: ChildrenOptions = {}): Promise<ChildRecords> {
    return this.#run(options, async (signal) => {
      const { neighbours = 0, vectors, windows } = options
      checkList(children, limits.children, 'children', 'children')
      checkCount(neighbours, 0, limits.neighbours, 'neighbours')
      for (const { key, parent } of children) {
        if (!(Number.isSafeInteger(key) && Number.isSafeInteger(parent) && key > 0 && parent > 0))
          throw new AshlarError(
            'INVALID_OPTION',
            'A child is asked for by its key and that of its parent, as nominate gave them.',
          )
      }
      if (children.length === 0) return { children: [], windows: new Map() }
      return this.#engine.read(async (reader) => {
        const rows = vectors === undefined && windows === undefined ? [] : await reader.embeddings()
        const embeddings = (identity: EmbedderIdentity | undefined): ReadonlyMap<string, number> | undefined =>
          identity === undefined ? undefined : new Map(ofIdentity(rows, identity).map((row) => [row.workspace, row.key]))
        return assembleChildren(reader, children, {
          vectors: embeddings(vectors),
          windows: embeddings(windows),
          neighbours,
          documents: this.#documents,
        })
      }, signal)
    })
  }

  async embeddings(options: Signal = {}): Promise<readonly EmbeddingState[]> {
    return this.#run(options, async (signal) => {
      const rows = await this.#engine.read((reader) => reader.embeddings(), signal)
      return this.#own(rows).map(({ identity, active, children }) => ({ identity, active, children }))
    })
  }

  async embedding(identity: EmbedderIdentity, change: 'add' | 'use' | 'forget', options: Signal = {}): Promise<void> {
    return this.#run(options, async (signal) => {
      if (!['add', 'use', 'forget'].includes(change))
        throw new AshlarError('INVALID_OPTION', `An embedding can be added, used or forgotten: there is no ${String(change)}.`)
      await this.#engine.write(async (writer) => {
        await writer.lock('embeddings')
        const known = this.#own(await writer.embeddings())
        const [row] = ofIdentity(known, identity)
        const active = known.find((one) => one.active)
        if (change === 'add') {
          if (row !== undefined) return
          const key = await writer.takeKeys(1)
          await writer.addEmbedding(key, withDimensions(identity))
          if (active === undefined) await writer.useEmbedding(key)
        } else if (change === 'forget') {
          if (row === undefined) return
          if (row.active) {
            throw new AshlarError(
              'INVALID_OPTION',
              `Searches use ${identity.model}, so it cannot be forgotten. Use another one first.`,
              {
                details: { identity },
              },
            )
          }
          await writer.forgetEmbedding(row.key)
        } else {
          if (row === undefined) throw embeddingMismatch(identity, known, 'The change')
          if (active !== undefined && active !== row && row.children < active.children) throw incomplete(row, active)
          if (!row.active) await writer.useEmbedding(row.key)
        }
      }, signal)
    })
  }

  async maintain(options: MaintainOptions = {}): Promise<void> {
    return this.#run(options, async (signal) => {
      await this.#merge(options.purge === true, signal)
      await this.#engine.maintain(signal)
    })
  }

  async close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.allSettled(this.#running)
      await this.#engine[Symbol.asyncDispose]()
    })()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Runs one call: refused when closed or aborted, waited for by `close`, its errors of one kind. */
  async #run<Result>({ signal }: Signal, work: (signal: AbortSignal | undefined) => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined)
      throw new AshlarError('STORE_CLOSED', `This store of the workspace ${JSON.stringify(this.scope.workspace)} is closed.`)
    signal?.throwIfAborted()
    const running = work(signal)
    this.#running.add(running)
    try {
      return await running
    } catch (error) {
      throw asStoreError(error, signal)
    } finally {
      this.#running.delete(running)
    }
  }

  #filter(where: Filter | undefined): Filter | undefined {
    return where === undefined ? undefined : checkFilter(where, this.scope.fields)
  }

  #own<Row extends EmbeddingRow>(rows: readonly Row[]): readonly Row[] {
    return rows.filter(({ workspace }) => workspace === this.scope.workspace)
  }

  async #readDocuments(
    reader: EngineReader,
    ids: readonly string[],
    identity: EmbedderIdentity | undefined,
  ): Promise<readonly (DocumentRecord | undefined)[]> {
    const rows = new Map<string, DocumentRow>()
    for (const row of await reader.documentsById([...new Set(ids)])) {
      const other = rows.get(row.id)
      if (other === undefined || this.#workspaces.indexOf(row.workspace) < this.#workspaces.indexOf(other.workspace))
        rows.set(row.id, row)
    }
    const documents = [...rows.values()]
    const parents = documents.length === 0 ? [] : await reader.parentsOf(documents.map(({ key }) => key))
    const byKey = new Map(parents.map((row) => [row.key, row]))
    const children = parents.flatMap((row) => readChildren(row.children).map(({ key }) => key))
    const notes = new Map(children.length === 0 ? [] : (await reader.notes(children)).map((row) => [row.child, row]))
    const records = new Map(documents.map((row) => [row.id, assembleDocument(row, byKey, notes)]))
    if (identity !== undefined && documents.length > 0) {
      const embeddings = ofIdentity(await reader.embeddings(), identity)
      for (const [id, embedding] of await assembleEmbeddings(reader, documents, byKey, embeddings))
        records.set(id, { ...(records.get(id) as DocumentRecord), embedding })
    }
    return ids.map((id) => records.get(id))
  }

  async #nominate(
    reader: EngineReader,
    { vector, terms, children = [] }: NominationQuery,
    where: Filter | undefined,
  ): Promise<Nominations> {
    const state = await reader.indexState()
    const embeddings = vector === undefined ? [] : this.#embeddingsToRead(state.embeddings, vector.identity)
    const nearest =
      vector === undefined || embeddings.length === 0 || vector.limit === 0
        ? []
        : await reader.nearest(embeddings, this.#queryVector(vector), vector.limit, where)
    const cosines = new Map(nearest.map(({ child, cosine }) => [child, cosine]))
    const postings = await openPostings(reader, this.#cache, state.segments)
    // What the vector leg found has passed the filter already.
    const isFiltered = where !== undefined && (terms !== undefined || children.length > 0)
    const found = await postings.query({
      terms: terms?.terms ?? [],
      limits: terms?.limits ?? { child: 0, parent: 0, section: 0, document: 0 },
      children: [...cosines.keys(), ...children],
      most: mostByTerms,
      ...(isFiltered ? { documents: await reader.documentsWhere(where) } : {}),
    })
    const pieces = new Map<number, number>()
    for (const embedding of vector?.pieces === undefined ? [] : embeddings) {
      for (const [id, count] of await postings.pieceFrequencies(embedding, vector?.pieces ?? []))
        pieces.set(id, (pieces.get(id) ?? 0) + count)
    }
    const last = nearest.at(-1)
    return {
      children: found.children.map((child): NominatedChild => {
        const cosine = cosines.get(child.key)
        return cosine === undefined ? child : { ...child, cosine }
      }),
      ...(vector !== undefined && last !== undefined && nearest.length >= vector.limit ? { lastCosine: last.cosine } : {}),
      count: found.count,
      frequencies: found.frequencies,
      pieceFrequencies: pieces,
    }
  }

  /** One embedding of each workspace that has any: a workspace of another model would be passed over in silence. */
  #embeddingsToRead(
    rows: readonly (EmbeddingRow & { readonly children: number })[],
    identity: EmbedderIdentity,
  ): readonly number[] {
    const same = ofIdentity(rows, identity)
    for (const workspace of this.#workspaces) {
      const others = rows.filter((row) => row.workspace === workspace && row.children > 0)
      if (others.length > 0 && !same.some((row) => row.workspace === workspace))
        throw embeddingMismatch(identity, others, `The query in the workspace ${JSON.stringify(workspace)}`)
    }
    const dimensions = new Set(same.map((row) => row.identity.dimensions))
    if (dimensions.size > 1) throw new AshlarError('EMBEDDING_MISMATCH', 'The workspaces read have vectors of different lengths.')
    return same.map(({ key }) => key)
  }

  #queryVector({ identity, values }: { readonly identity: EmbedderIdentity; readonly values: Float32Array }): Float32Array {
    return unitVector(values, identity.dimensions ?? values.length, () => `a query with ${identity.model}`)
  }

  /** The first identity that a workspace gets vectors of is the one it uses. */
  async #addFirstEmbeddings(documents: readonly CheckedDocument[], signal: AbortSignal | undefined): Promise<void> {
    const given = new Map(documents.flatMap(({ embeddings }) => embeddings.map(({ key, identity }) => [key, identity] as const)))
    if (given.size === 0) return
    const isMissing = (rows: readonly (EmbeddingRow & { readonly children: number })[]): boolean => {
      const own = this.#own(rows)
      const known = new Set(own.map(({ identity }) => embeddingKey(identity)))
      // One without a single vector was left by a write that failed.
      return own.every(({ children }) => children === 0) && [...given.keys()].some((key) => !known.has(key))
    }
    if (!isMissing(await this.#engine.read((reader) => reader.embeddings(), signal))) return
    await this.#engine.write(async (writer) => {
      await writer.lock('embeddings')
      const rows = await writer.embeddings()
      if (!isMissing(rows)) return
      const known = new Map(this.#own(rows).map((row) => [embeddingKey(row.identity), row]))
      let key = await writer.takeKeys(given.size)
      let first: number | undefined
      for (const [name, identity] of given) {
        const row = known.get(name)?.key ?? key++
        if (!known.has(name)) await writer.addEmbedding(row, withDimensions(identity))
        first ??= row
      }
      if (first !== undefined) await writer.useEmbedding(first)
      for (const [name, row] of known) if (!given.has(name)) await writer.forgetEmbedding(row.key)
    }, signal)
  }

  /** Merges until there is nothing to merge, or until others leave more than is merged: that is for the next call. */
  async #merge(purge: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { workspace } = this.scope
    for (let left = Number.POSITIVE_INFINITY, before = left; ; before = left) {
      signal?.throwIfAborted()
      left = await this.#engine.write((writer) => mergeIndex(writer, workspace, { cache: this.#cache, purge }), signal)
      if (left === 0 || left >= before) return
    }
  }

  /** Keeps searches fast while nobody calls `maintain`. The write is done; a merge that fails is made up for by a later one. */
  async #mergeInPassing(signal: AbortSignal | undefined): Promise<void> {
    const { workspace } = this.scope
    try {
      const crowded = await this.#engine.read(async (reader) => {
        const own = (await reader.segments()).filter((segment) => segment.workspace === workspace)
        return isCrowded(
          reader,
          own.map(({ id }) => id),
          mostSegments,
          this.#cache,
        )
      }, signal)
      if (crowded) await this.#merge(false, signal)
    } catch {
      // Nothing was lost.
    }
  }
}

function ofIdentity<Row extends EmbeddingRow>(rows: readonly Row[], identity: EmbedderIdentity): readonly Row[] {
  const key = embeddingKey(identity)
  return rows.filter((row) => embeddingKey(row.identity) === key)
}

function withDimensions(identity: EmbedderIdentity): EmbedderIdentity {
  const { dimensions } = identity
  if (dimensions !== undefined && Number.isInteger(dimensions) && dimensions > 0 && dimensions <= 65_535) return identity
  throw new AshlarError(
    'INVALID_OPTION',
    `The store must know how many numbers a vector of ${identity.model} has: from 1 to 65,535. Embed something first, then its identity says so.`,
    { details: { dimensions } },
  )
}

function incomplete(
  row: EmbeddingRow & { readonly children: number },
  active: EmbeddingRow & { readonly children: number },
): AshlarError {
  return new AshlarError(
    'EMBEDDING_MISMATCH',
    `${row.children} children have vectors of ${row.identity.model}, and ${active.children} have vectors of ${active.identity.model}, which searches use now: they would miss the rest. Put the remaining documents with the vectors of both first.`,
    { details: { children: row.children, expected: active.children } },
  )
}

/** Documents in their order, as many together as one transaction takes. */
function* transactions(documents: readonly CheckedDocument[]): Generator<readonly CheckedDocument[]> {
  let group: CheckedDocument[] = []
  let children = 0
  for (const document of documents) {
    const own = document.tree.children.length
    if (group.length > 0 && (group.length >= transaction.documents || children + own > transaction.children)) {
      yield group
      group = []
      children = 0
    }
    group.push(document)
    children += own
  }
  if (group.length > 0) yield group
}

function asStoreError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (isAshlarError(error) || (signal?.aborted === true && error === signal.reason)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new AshlarError('STORE_FAILED', `The store's engine failed: ${message}`, { cause: error })
}

/** Says which documents of a call are stored although it failed. */
function withReceipts(
  error: unknown,
  receipts: readonly PutReceipt[],
  group: readonly CheckedDocument[],
  signal: AbortSignal | undefined,
): unknown {
  const one = asStoreError(error, signal)
  if (!(one instanceof AshlarError)) return one
  const details = { documents: group.map(({ id }) => id), receipts, ...one.details }
  return new AshlarError(one.code, one.message, { details, cause: one.cause })
}

function checkList(items: unknown, most: number, method: string, what: string): void {
  if (!Array.isArray(items)) throw new AshlarError('INVALID_OPTION', `${method} takes an array of ${what}.`)
  if (items.length > most) {
    throw new AshlarError('INVALID_OPTION', `${method} takes at most ${most} ${what} in one call; got ${items.length}.`, {
      details: { limit: most, length: items.length },
    })
  }
}

function checkIds(ids: readonly string[], method: string): readonly string[] {
  checkList(ids, limits.documents, method, 'ids of documents')
  return Array.from(ids, checkDocumentId)
}

function checkCount(value: number, least: number, most: number, name: string): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new AshlarError('INVALID_OPTION', `${name} is a whole number from ${least} to ${most}; got ${String(value)}.`, {
    details: { [name]: value },
  })
}

function checkTerms({ terms, limits: most }: NonNullable<NominationQuery['terms']>): void {
  checkList(terms, limits.terms, 'nominate', 'terms')
  for (const { term, weight } of terms) {
    if (typeof term !== 'string' || !Number.isFinite(weight) || weight < 0)
      throw new AshlarError('INVALID_OPTION', 'A term of a query is a text with a weight of at least 0.')
  }
  for (const level of ['child', 'parent', 'section', 'document'] as const)
    checkCount(most[level], 0, limits.nominations, `terms.limits.${level}`)
}
