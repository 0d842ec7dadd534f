import type { EmbedderIdentity } from '../model/embedder.ts'
import { compareByCodePoint } from './code-point-order.ts'
import type {
  CountedEmbedding,
  DocumentPosition,
  DocumentRow,
  EmbeddingRow,
  Engine,
  EngineReader,
  EngineWriter,
  EvidenceRows,
  FamilyRow,
  IndexState,
  ListedSegment,
  NoteRow,
  ParentRow,
  RowBatch,
  TombstoneRow,
  VectorRow,
  WantedEvidence,
  WindowName,
  WindowRow,
} from './engine.ts'
import type { Filter } from './filter.ts'
import { matchesFilter } from './match-filter.ts'
import { type MemoryData, windowName } from './memory-data.ts'
import type { StoreScope, StoreSupports } from './store.ts'
import { type NearChild, Nearest } from './vector-block.ts'

/** Keeps rows in maps, and compares a query with every vector. */
export class MemoryEngine implements Engine {
  readonly supports: StoreSupports = { engine: 'memory', durable: false, shared: false, exactVectors: true }
  readonly #data: MemoryData
  readonly #scope: Readonly<Required<StoreScope>>

  constructor(data: MemoryData, scope: Readonly<Required<StoreScope>>) {
    this.#data = data
    this.#scope = scope
  }

  async read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#data.read(async () => {
      signal?.throwIfAborted()
      return work(new MemoryReader(this.#data, this.#scope))
    })
  }

  async write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#data.write(async (stage) => {
      signal?.throwIfAborted()
      const result = await work(new MemoryWriter(this.#data, this.#scope, stage))
      signal?.throwIfAborted()
      return result
    })
  }

  async maintain(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

class MemoryReader implements EngineReader {
  protected readonly data: MemoryData
  protected readonly scope: Readonly<Required<StoreScope>>
  readonly #workspaces: ReadonlySet<string>

  constructor(data: MemoryData, scope: Readonly<Required<StoreScope>>) {
    this.data = data
    this.scope = scope
    this.#workspaces = new Set([scope.workspace, ...scope.alsoRead])
  }

  async documentsById(ids: readonly string[]): Promise<readonly DocumentRow[]> {
    const keys = [...this.#workspaces].flatMap((workspace) =>
      ids.map((id) => this.data.documentKeys.get(workspace)?.get(id) ?? 0),
    )
    return this.documentsByKey(keys)
  }

  async documentsByKey(keys: readonly number[]): Promise<readonly DocumentRow[]> {
    return keys.map((key) => this.#document(key)).filter((row) => row !== undefined)
  }

  async families(parents: readonly number[]): Promise<readonly FamilyRow[]> {
    return (await this.parents(parents)).map((parent) => ({
      parent,
      version: (this.#document(parent.document) as DocumentRow).version,
    }))
  }

  async listDocuments(
    where: Filter | undefined,
    after: DocumentPosition | undefined,
    limit: number,
  ): Promise<readonly DocumentRow[]> {
    return this.#documents()
      .filter((row) => (after === undefined || comparePositions(row, after) > 0) && this.#matches(where, row))
      .sort(comparePositions)
      .slice(0, limit)
  }

  async documentsWhere(where: Filter): Promise<readonly number[]> {
    return this.#documents()
      .filter((row) => this.#matches(where, row))
      .map(({ key }) => key)
      .sort((left, right) => left - right)
  }

  async parents(keys: readonly number[]): Promise<readonly ParentRow[]> {
    const rows = keys.map((key) => this.data.parents.get(key)).filter((row) => row !== undefined)
    return rows.filter(({ document }) => this.#document(document) !== undefined)
  }

  async parentsOf(documents: readonly number[]): Promise<readonly ParentRow[]> {
    return this.parents(documents.flatMap((document) => [...this.data.parentsOf(document)]))
  }

  async notes(children: readonly number[]): Promise<readonly NoteRow[]> {
    const rows = children.map((child) => this.data.notes.get(child)).filter((row) => row !== undefined)
    return rows.filter(({ document }) => this.#document(document) !== undefined)
  }

  async vectors(embedding: number, children: readonly number[]): Promise<readonly VectorRow[]> {
    const block = this.#embedding(embedding) === undefined ? undefined : this.data.vectors.get(embedding)
    return children.flatMap((child) => {
      const vector = block?.get(child)
      return vector === undefined ? [] : [{ embedding, child, ...vector }]
    })
  }

  async contentKeys(embedding: number, children: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const block = this.#embedding(embedding) === undefined ? undefined : this.data.vectors.get(embedding)
    const keys = new Map<number, string>()
    for (const child of children) {
      const key = block?.contentKey(child)
      if (key !== undefined) keys.set(child, key)
    }
    return keys
  }

  async evidence({ parents, vectors, windows }: WantedEvidence): Promise<EvidenceRows> {
    const found: VectorRow[] = []
    for (const [embedding, children] of vectors) found.push(...(await this.vectors(embedding, children)))
    return { parents: await this.parents(parents), vectors: found, windows: await this.windows(windows) }
  }

  async windows(wanted: readonly WindowName[]): Promise<readonly WindowRow[]> {
    return wanted
      .filter(({ document }) => this.#document(document) !== undefined)
      .map((window) => this.data.windows.get(window.document)?.get(windowName(window)))
      .filter((row) => row !== undefined)
  }

  async nearest(
    embeddings: readonly number[],
    vector: Float32Array,
    limit: number,
    where: Filter | undefined,
  ): Promise<readonly NearChild[]> {
    const found = new Nearest(limit)
    const known = new Map<number, boolean>()
    const allows = (document: number): boolean => {
      const answer = known.get(document) ?? this.#matches(where, this.data.documents.get(document) as DocumentRow)
      known.set(document, answer)
      return answer
    }
    for (const embedding of embeddings) {
      if (this.#embedding(embedding) !== undefined)
        this.data.vectors.get(embedding)?.nearest(vector, found, where === undefined ? () => true : allows)
    }
    return found.sorted()
  }

  async segments(): Promise<readonly ListedSegment[]> {
    return [...this.data.segments]
      .filter(([, { workspace }]) => this.#workspaces.has(workspace))
      .map(([id, { workspace, tombstones }]) => ({ id, workspace, tombstones: tombstones.length }))
  }

  async tombstones(segments: readonly number[]): Promise<readonly TombstoneRow[]> {
    return segments.flatMap((segment) => (this.#segment(segment)?.tombstones ?? []).map((places) => ({ segment, places })))
  }

  async pages(wanted: readonly { readonly segment: number; readonly page: number }[]): Promise<readonly Uint8Array[]> {
    return wanted.map(({ segment, page }) => this.#segment(segment)?.pages[page] as Uint8Array)
  }

  async indexState(): Promise<IndexState> {
    return { embeddings: await this.embeddings(), segments: await this.segments() }
  }

  async embeddings(): Promise<readonly CountedEmbedding[]> {
    return [...this.data.embeddings.values()]
      .filter(({ workspace }) => this.#workspaces.has(workspace))
      .map((row) => ({ ...row, children: this.data.vectors.get(row.key)?.size ?? 0 }))
  }

  #document(key: number): DocumentRow | undefined {
    const row = this.data.documents.get(key)
    return row !== undefined && this.#workspaces.has(row.workspace) ? row : undefined
  }

  #documents(): DocumentRow[] {
    const keys = [...this.#workspaces].flatMap((workspace) => [...(this.data.documentKeys.get(workspace)?.values() ?? [])])
    return keys.map((key) => this.data.documents.get(key) as DocumentRow)
  }

  #embedding(key: number): EmbeddingRow | undefined {
    const row = this.data.embeddings.get(key)
    return row !== undefined && this.#workspaces.has(row.workspace) ? row : undefined
  }

  #segment(id: number): { readonly pages: readonly Uint8Array[]; readonly tombstones: readonly Uint8Array[] } | undefined {
    const segment = this.data.segments.get(id)
    return segment !== undefined && this.#workspaces.has(segment.workspace) ? segment : undefined
  }

  #matches(where: Filter | undefined, row: DocumentRow): boolean {
    return where === undefined || matchesFilter(where, row, this.scope.fields)
  }
}

class MemoryWriter extends MemoryReader implements EngineWriter {
  readonly #stage: (change: () => void) => void

  constructor(data: MemoryData, scope: Readonly<Required<StoreScope>>, stage: (change: () => void) => void) {
    super(data, scope)
    this.#stage = stage
  }

  /** Writers take turns, so a writer has everything to itself. */
  async lock(): Promise<void> {}

  async takeKeys(count: number): Promise<number> {
    return this.data.takeKeys(count)
  }

  async addEmbedding(key: number, identity: EmbedderIdentity): Promise<void> {
    this.#stage(() => this.data.addEmbedding(key, this.scope.workspace, structuredClone(identity)))
  }

  async useEmbedding(embedding: number): Promise<void> {
    this.#stage(() => this.data.useEmbedding(embedding))
  }

  async forgetEmbedding(embedding: number): Promise<void> {
    this.#stage(() => this.data.forgetEmbedding(embedding))
  }

  async write(batch: RowBatch): Promise<void> {
    this.#stage(() => this.data.commit(batch, this.scope.workspace))
  }
}

function comparePositions(left: DocumentPosition, right: DocumentPosition): number {
  return compareByCodePoint(left.id, right.id) || compareByCodePoint(left.workspace, right.workspace)
}
