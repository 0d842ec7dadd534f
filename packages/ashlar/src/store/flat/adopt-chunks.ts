import { AshlarError, isAshlarError } from '../../error/ashlar-error.ts'
import type { EmbedderIdentity } from '../../model/embedder.ts'
import { identityKey } from '../../model/identity-key.ts'
import { sha256 } from '../../text/sha-256.ts'
import { standardFormat, standardTree } from '../../tree/standard-tree.ts'
import { checkDocumentId } from '../check-id.ts'
import type { FieldValue, Metadata } from '../filter.ts'
import { isStorable } from '../storable-text.ts'
import type { ChildNote, DocumentSummary, Store, StoredDocument } from '../store.ts'
import type { FlatChunk, FlatChunks } from './flat-chunk.ts'

/** How {@link adoptChunks} takes rows over. */
export interface AdoptOptions {
  /**
   * What made the vectors of the rows: they are kept as they are and no embedder is called. A row without a vector is refused then.
   * Without it vectors are left behind, and the chunks are found by their words. @default none
   */
  readonly embedding?: EmbedderIdentity
  /** Goes on after this document: what {@link AdoptProgress} said last. @default the beginning */
  readonly after?: string
  /** Called after each commit. */
  readonly onProgress?: (progress: AdoptProgress) => void
  readonly signal?: AbortSignal
}

/** How far it is. Everything up to here is stored. */
export interface AdoptProgress {
  readonly rows: number
  readonly documents: number
  /** The last document that was taken or refused; undefined when rows without a document have been reached. */
  readonly after?: string
}

/** A row that was not taken, and why. */
export interface RefusedChunk {
  readonly row: string
  readonly document: string | undefined
  /**
   * - `text`: it has none, or one with NUL or half of a surrogate pair
   * - `kind`: it is a parent or a child; cut its document again instead
   * - `vector`: it has none, or one of other dimensions or without numbers
   * - `exists`: the store has a document of that name that was not adopted; it is left as it is
   * - `document`: the store refused the document; `message` says why
   */
  readonly reason: 'text' | 'kind' | 'vector' | 'exists' | 'document'
  readonly message: string
}

/** What became of the rows: each was taken or is in `refused`. */
export interface AdoptReport {
  readonly rows: { readonly read: number; readonly taken: number; readonly refused: number }
  /** Documents written now, those that were there already, and those of which nothing could be taken. */
  readonly documents: { readonly written: number; readonly unchanged: number; readonly refused: number }
  readonly refused: readonly RefusedChunk[]
}

/** The metadata field that says `standard`, so that filters can tell old chunks from new trees. */
const kindField = 'ashlar.kind'

const cutAnew = 'The store has a document of this name that was written by somebody else.'

/** What goes into one call of the store. */
const most = { documents: 200, rows: 2_000 }

/**
 * Takes over the chunks of a flat table: each row becomes a `standard` chunk with exactly its text, in the order of its document, beside
 * the trees that the store has. See `standardTree` for what becomes of a document. Hits say what `kind` they are, and the metadata field
 * `ashlar.kind`, where it is declared, can be filtered by.
 *
 * Safe to stop, to run again and to run while the old table is in use: what is there already is not written again, rows that have changed
 * or come since are, and a document that was cut anew meanwhile is left alone. The table is only read; drop it when you are content.
 *
 * @throws AshlarError `EMBEDDING_MISMATCH` where the workspace has vectors of another embedding; whatever the store or the source throws.
 * What was stored before stays.
 */
export async function adoptChunks(store: Store, source: FlatChunks, options: AdoptOptions = {}): Promise<AdoptReport> {
  const { signal, after } = options
  const work = new Adoption(store, options)
  let document: FlatChunk[] = []
  for await (const page of source.pages({
    ...(after === undefined ? {} : { after }),
    ...(signal === undefined ? {} : { signal }),
  })) {
    for (const chunk of page) {
      const [first] = document
      if (first !== undefined && (first.document === undefined || first.document !== chunk.document)) {
        await work.add(document)
        document = []
      }
      document.push(chunk)
    }
  }
  if (document.length > 0) await work.add(document)
  return work.finish()
}

interface ReadyDocument {
  readonly name: string | undefined
  readonly rows: readonly FlatChunk[]
  readonly stored: StoredDocument
}

class Adoption {
  readonly #store: Store
  readonly #options: AdoptOptions
  readonly #names = new Set<string>()
  readonly #refused: RefusedChunk[] = []
  #ready: ReadyDocument[] = []
  #readyRows = 0
  #last: string | undefined
  #rows = { read: 0, taken: 0 }
  #documents = { written: 0, unchanged: 0, refused: 0 }

  constructor(store: Store, options: AdoptOptions) {
    this.#store = store
    this.#options = options
  }

  /** All rows of one document. */
  async add(rows: readonly FlatChunk[]): Promise<void> {
    this.#options.signal?.throwIfAborted()
    const [first] = rows as [FlatChunk]
    const name = first.document
    const id = name ?? `chunk/${first.row}`
    if (this.#names.has(id)) {
      throw new AshlarError(
        'INVALID_OPTION',
        `The document ${JSON.stringify(id.slice(0, 60))} comes twice. A source gives all rows of a document one after the other.`,
      )
    }
    this.#names.add(id)
    this.#rows.read += rows.length
    const good = rows.filter((row) => this.#isGood(row))
    this.#last = name
    const problem = idProblem(id)
    if (problem !== undefined) this.#refuseAll(good, 'document', problem)
    else if (good.length === 0) this.#documents.refused++
    else {
      this.#ready.push({ name, rows: good, stored: this.#documentOf(id, good) })
      this.#readyRows += good.length
    }
    if (this.#ready.length >= most.documents || this.#readyRows >= most.rows) await this.#write()
  }

  async finish(): Promise<AdoptReport> {
    await this.#write()
    const refused = this.#refused
    return { rows: { ...this.#rows, refused: refused.length }, documents: this.#documents, refused }
  }

  #isGood(row: FlatChunk): boolean {
    const { text, kind, vector } = row
    const refuse = (reason: RefusedChunk['reason'], message: string): boolean => {
      this.#refuse(row, reason, message)
      return false
    }
    if (kind !== undefined && kind !== standardFormat)
      return refuse('kind', `It is a ${kind.slice(0, 20)} chunk: only standard ones stand for themselves.`)
    if (text === undefined || text === '') return refuse('text', 'It has no text.')
    if (!isStorable(text)) return refuse('text', 'Its text has a NUL or half of a surrogate pair.')
    const { embedding } = this.#options
    if (embedding === undefined) return true
    if (vector === undefined) return refuse('vector', 'It has no vector.')
    if (vector.length === 0 || !vector.every((number) => Number.isFinite(number)))
      return refuse('vector', 'Its vector has something in it that is no number, or nothing.')
    if (embedding.dimensions !== undefined && vector.length !== embedding.dimensions)
      return refuse('vector', `Its vector has ${vector.length} numbers instead of ${embedding.dimensions}.`)
    return true
  }

  #refuse({ row, document }: FlatChunk, reason: RefusedChunk['reason'], message: string): void {
    this.#refused.push({ row, document, reason, message })
  }

  #documentOf(id: string, rows: readonly FlatChunk[]): StoredDocument {
    const tree = standardTree(
      rows.map(({ text }) => text as string),
      { document: id, title: rows.find(({ title }) => title !== undefined)?.title ?? '' },
    )
    const shared = sharedMetadata(rows)
    const notes = rows.map((row, index): ChildNote => {
      const own = Object.entries(row.metadata ?? {}).filter(([name, value]) => !Object.hasOwn(shared, name) && value !== null)
      const provenance = { row: row.row, ...(own.length === 0 ? {} : { metadata: Object.fromEntries(own) }) }
      return { child: tree.children[index]?.id as string, ...row.generated, provenance }
    })
    const { embedding } = this.#options
    const embeddings = embedding === undefined ? [] : [this.#embeddingOf(embedding, rows)]
    return { tree, metadata: { ...shared, [kindField]: standardFormat }, notes, embeddings }
  }

  #embeddingOf(identity: EmbedderIdentity, rows: readonly FlatChunk[]): NonNullable<StoredDocument['embeddings']>[number] {
    const key = identityKey(identity)
    return {
      identity,
      vectors: rows.map(({ vector }) => vector),
      // What was embedded is not known, the vector is: where either changes, it is written again.
      contentKeys: rows.map(({ text, vector }) => sha256(`adopted ${key} ${(vector as Float32Array).join()} ${text}`, 128)),
    }
  }

  async #write(): Promise<void> {
    if (this.#ready.length > 0) {
      const known = await this.#known(this.#ready.map(({ stored }) => stored.tree.document))
      const free: ReadyDocument[] = []
      for (const one of this.#ready) {
        const there = known.get(one.stored.tree.document)
        if (there === undefined || there.format === standardFormat)
          free.push({ ...one, stored: { ...one.stored, replaces: there?.contentHash ?? null } })
        else this.#refuseAll(one.rows, 'exists', cutAnew)
      }
      await this.#put(free)
    }
    this.#ready = []
    this.#readyRows = 0
    const { written, unchanged, refused } = this.#documents
    const after = this.#last === undefined ? {} : { after: this.#last }
    this.#options.onProgress?.({ rows: this.#rows.read, documents: written + unchanged + refused, ...after })
  }

  async #put(documents: readonly ReadyDocument[]): Promise<void> {
    const { signal } = this.#options
    if (documents.length === 0) return
    try {
      const receipts = await this.#store.put(
        documents.map(({ stored }) => stored),
        signal === undefined ? {} : { signal },
      )
      for (const { changed } of receipts) this.#documents[changed ? 'written' : 'unchanged']++
      for (const { rows } of documents) this.#rows.taken += rows.length
    } catch (error) {
      if (!isAshlarError(error) || !['INVALID_DOCUMENT', 'CHANGED_MEANWHILE'].includes(error.code)) throw error
      const [only] = documents
      if (documents.length > 1) for (const one of documents) await this.#put([one])
      else if (only !== undefined && error.code === 'INVALID_DOCUMENT') this.#refuseAll(only.rows, 'document', error.message)
      // Somebody wrote it while it was read here.
      else if (only !== undefined) this.#refuseAll(only.rows, 'exists', cutAnew)
    }
  }

  #refuseAll(rows: readonly FlatChunk[], reason: RefusedChunk['reason'], message: string): void {
    this.#documents.refused++
    for (const row of rows) this.#refuse(row, reason, message)
  }

  /** What the workspace has under these names. */
  async #known(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentSummary>> {
    const { signal } = this.#options
    const { workspace } = this.#store.scope
    const known = new Map<string, DocumentSummary>()
    for (let after: string | undefined; ; ) {
      const page = await this.#store.list({
        where: { op: 'document', ids },
        limit: 1_000,
        ...(after === undefined ? {} : { after }),
        ...(signal === undefined ? {} : { signal }),
      })
      for (const item of page.items) if (item.workspace === workspace) known.set(item.id, item)
      if (page.next === undefined) return known
      after = page.next
    }
  }
}

function idProblem(id: string): string | undefined {
  try {
    checkDocumentId(id)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Fields that all rows have with one value that a document can have. */
function sharedMetadata(rows: readonly FlatChunk[]): Metadata {
  const [first, ...others] = rows
  const shared: Record<string, FieldValue> = {}
  for (const [name, value] of Object.entries(first?.metadata ?? {})) {
    if (!isFieldValue(value)) continue
    const text = JSON.stringify(value)
    if (others.every(({ metadata = {} }) => Object.hasOwn(metadata, name) && JSON.stringify(metadata[name]) === text))
      shared[name] = value
  }
  return shared
}

function isFieldValue(value: unknown): value is FieldValue {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}
