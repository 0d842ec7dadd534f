import type { EmbedderIdentity } from '../model/embedder.ts'
import type { DocumentRow, EmbeddingRow, NoteRow, ParentRow, RowBatch, WindowRow } from './engine.ts'
import { readChildren } from './parent-children.ts'
import { PostingsCache } from './postings/postings-cache.ts'
import { VectorBlock } from './vector-block.ts'

/** A segment and what is dead of it. */
interface HeldSegment {
  readonly workspace: string
  readonly pages: readonly Uint8Array[]
  readonly tombstones: Uint8Array[]
}

/**
 * What memory stores keep, in maps. Several stores may be opened on the same data, for the same workspace or others: it lives as long as
 * somebody holds it.
 */
export class MemoryData {
  readonly documents: Map<number, DocumentRow> = new Map()
  readonly documentKeys: Map<string, Map<string, number>> = new Map()
  readonly parents: Map<number, ParentRow> = new Map()
  readonly notes: Map<number, NoteRow> = new Map()
  readonly windows: Map<number, Map<string, WindowRow>> = new Map()
  readonly segments: Map<number, HeldSegment> = new Map()
  readonly embeddings: Map<number, EmbeddingRow> = new Map()
  readonly vectors: Map<number, VectorBlock> = new Map()
  readonly cache: PostingsCache = new PostingsCache()
  readonly #parentsOf = new Map<number, Set<number>>()
  #nextKey = 1
  #lastWrite: Promise<unknown> = Promise.resolve()
  #readers = 0
  /** There while a commit waits for readers to finish; new readers wait for it in turn. */
  #commit: Promise<void> | undefined
  #readersGone: (() => void) | undefined

  takeKeys(count: number): number {
    const first = this.#nextKey
    this.#nextKey += count
    return first
  }

  parentsOf(document: number): Iterable<number> {
    return this.#parentsOf.get(document) ?? []
  }

  /** Runs a reader: nothing is committed while it runs, so that it sees one moment. */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#commit !== undefined) await this.#commit
    this.#readers++
    try {
      return await work()
    } finally {
      if (--this.#readers === 0) this.#readersGone?.()
    }
  }

  /** Runs writers one after the other. What one wants to change is changed at once, when it is done and nobody reads. */
  async write<Result>(work: (stage: (change: () => void) => void) => Promise<Result>): Promise<Result> {
    const turn = this.#lastWrite.then(async () => {
      const changes: (() => void)[] = []
      const result = await work((change) => changes.push(change))
      if (changes.length > 0) await this.#apply(changes)
      return result
    })
    this.#lastWrite = turn.catch(() => undefined)
    return turn
  }

  async #apply(changes: readonly (() => void)[]): Promise<void> {
    if (this.#readers > 0) {
      let done = (): void => undefined
      this.#commit = new Promise((resolve) => {
        done = resolve
      })
      await new Promise<void>((resolve) => {
        this.#readersGone = resolve
      })
      for (const change of changes) change()
      this.#readersGone = undefined
      this.#commit = undefined
      done()
      return
    }
    for (const change of changes) change()
  }

  addEmbedding(key: number, workspace: string, identity: EmbedderIdentity): void {
    this.embeddings.set(key, { key, workspace, identity, active: false })
    this.vectors.set(key, new VectorBlock(identity.dimensions as number))
  }

  useEmbedding(embedding: number): void {
    const used = this.embeddings.get(embedding) as EmbeddingRow
    for (const [key, row] of this.embeddings)
      if (row.workspace === used.workspace) this.embeddings.set(key, { ...row, active: key === embedding })
  }

  forgetEmbedding(embedding: number): void {
    this.embeddings.delete(embedding)
    this.vectors.delete(embedding)
    for (const windows of this.windows.values())
      for (const [name, row] of windows) if (row.embedding === embedding) windows.delete(name)
  }

  /** Bytes are copied: whoever gave them may go on writing to them. */
  commit(batch: RowBatch, workspace: string): void {
    this.#delete(batch, workspace)
    for (const row of batch.documents) {
      this.documents.set(row.key, row)
      const keys = this.documentKeys.get(workspace) ?? new Map()
      keys.set(row.id, row.key)
      this.documentKeys.set(workspace, keys)
    }
    for (const row of batch.parents) {
      this.parents.set(row.key, row)
      const parents = this.#parentsOf.get(row.document) ?? new Set()
      parents.add(row.key)
      this.#parentsOf.set(row.document, parents)
    }
    for (const { embedding, child, document, contentKey, vector } of batch.vectors)
      this.vectors.get(embedding)?.set(child, document, contentKey, vector)
    for (const row of batch.notes) this.notes.set(row.child, row)
    for (const row of batch.windows) {
      const windows = this.windows.get(row.document) ?? new Map()
      windows.set(windowName(row), { ...row, blob: row.blob.slice() })
      this.windows.set(row.document, windows)
    }
    for (const { id, pages } of batch.segments) this.segments.set(id, { workspace, pages, tombstones: [] })
    for (const { segment, places } of batch.tombstones) this.segments.get(segment)?.tombstones.push(places)
  }

  #delete({ gone }: RowBatch, workspace: string): void {
    for (const key of gone.documents) this.#deleteDocument(key, workspace)
    for (const key of gone.parents) {
      this.#parentsOf.get(this.parents.get(key)?.document as number)?.delete(key)
      this.parents.delete(key)
    }
    for (const child of gone.children) this.#deleteChild(child)
    for (const child of gone.notes) this.notes.delete(child)
    for (const window of gone.windows) this.windows.get(window.document)?.delete(windowName(window))
    for (const segment of gone.segments) this.segments.delete(segment)
  }

  #deleteDocument(key: number, workspace: string): void {
    const row = this.documents.get(key)
    if (row === undefined) return
    for (const parent of this.parentsOf(key)) {
      for (const { key: child } of readChildren((this.parents.get(parent) as ParentRow).children)) this.#deleteChild(child)
      this.parents.delete(parent)
    }
    this.#parentsOf.delete(key)
    this.windows.delete(key)
    this.documents.delete(key)
    this.documentKeys.get(workspace)?.delete(row.id)
  }

  #deleteChild(child: number): void {
    this.notes.delete(child)
    for (const block of this.vectors.values()) block.delete(child)
  }
}

/** A window's name among those of its document. */
export function windowName({ embedding, key }: { readonly embedding: number; readonly key: string }): string {
  return `${embedding} ${key}`
}
