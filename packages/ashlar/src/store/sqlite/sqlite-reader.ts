import { AshlarError } from '../../error/ashlar-error.ts'
import type { EmbedderIdentity } from '../../model/embedder.ts'
import { compareByCodePoint } from '../code-point-order.ts'
import type {
  CountedEmbedding,
  DocumentPosition,
  DocumentRow,
  EngineReader,
  EvidenceRows,
  FamilyRow,
  IndexState,
  ListedSegment,
  NoteRow,
  ParentRow,
  TombstoneRow,
  VectorRow,
  WantedEvidence,
  WindowName,
  WindowRow,
} from '../engine.ts'
import type { FieldTypes, Filter, Metadata } from '../filter.ts'
import type { CodeCache } from './code-cache.ts'
import type { HeldBlock } from './code-scanner.ts'
import { compileFilter } from './compile-filter.ts'
import type { Connection, SqlRow } from './connection.ts'
import { dotProduct } from './dot-product.ts'
import { nearestCandidates } from './nearest-candidates.ts'
import { SignCodes } from './sign-codes.ts'
import { readVector } from './vector-bytes.ts'

/** A workspace that is read, and its number in the file; one that nobody has written to has the number 0, which no row has. */
export interface NumberedWorkspace {
  readonly name: string
  readonly number: number
}

/** What readers of one engine share. */
export interface ReaderScope {
  /** The first is the one that is written. */
  readonly workspaces: readonly NumberedWorkspace[]
  readonly fields: FieldTypes
  readonly codes: CodeCache
}

/**
 * How many children the codes choose: exact cosines decide among them. More are needed the more there are to choose from. The decision
 * record on vectors in SQLite says what that finds.
 */
function candidatesFor(limit: number, vectors: number): number {
  return Math.max(500, 10 * limit, Math.ceil(2 * Math.sqrt(vectors)))
}

const summaryColumns = 'key, workspace, id, title, format, length, children, content_hash, version, notes, metadata'
const parentColumns = 'key, document, id, children, text'
const nothing = new Uint8Array(0)

/** Looks rows up in one transaction of one connection. Every statement names the workspaces. */
export class SqliteReader implements EngineReader {
  protected readonly connection: Connection
  protected readonly scope: ReaderScope
  readonly #names: ReadonlyMap<number, string>
  readonly #numbers: readonly number[]
  /** `IN (?, …)` for the workspaces, whose number is fixed. The plus keeps SQLite from looking rows up by workspace instead of by key. */
  readonly #isRead: string
  readonly #marks: string
  #filtered: { readonly where: Filter; readonly keys: number[] } | undefined

  constructor(connection: Connection, scope: ReaderScope) {
    this.connection = connection
    this.scope = scope
    this.#names = new Map(scope.workspaces.map(({ number, name }) => [number, name]))
    this.#numbers = scope.workspaces.map(({ number }) => number)
    this.#marks = this.#numbers.map(() => '?').join(', ')
    this.#isRead = `+workspace IN (${this.#marks})`
  }

  async documentsById(ids: readonly string[]): Promise<readonly DocumentRow[]> {
    return this.scope.workspaces.flatMap(({ number }) =>
      this.connection
        .all(
          `SELECT ${summaryColumns}, layout, fingerprints FROM document WHERE workspace = ? AND id IN (SELECT value FROM json_each(?))`,
          number,
          JSON.stringify(ids),
        )
        .map((row) => this.#documentRow(row)),
    )
  }

  async documentsByKey(keys: readonly number[]): Promise<readonly DocumentRow[]> {
    return this.#byKeys('document', `${summaryColumns}, layout`, 'key', keys).map((row) => this.#documentRow(row))
  }

  async families(parents: readonly number[]): Promise<readonly FamilyRow[]> {
    const rows = this.connection.all(
      `SELECT parent.key, parent.document, parent.id, parent.children, parent.text, document.version
       FROM json_each(?) AS wanted CROSS JOIN parent CROSS JOIN document
       WHERE parent.key = wanted.value AND document.key = parent.document AND document.workspace = parent.workspace
         AND +parent.workspace IN (${this.#marks})`,
      JSON.stringify(parents),
      ...this.#numbers,
    )
    return rows.map((row) => ({ parent: parentRow(row), version: row['version'] as number }))
  }

  async listDocuments(
    where: Filter | undefined,
    after: DocumentPosition | undefined,
    limit: number,
  ): Promise<readonly DocumentRow[]> {
    const rows = this.scope.workspaces.flatMap(({ name, number }) => {
      const filter = where === undefined ? { sql: '1', parameters: [] } : compileFilter(where, this.scope.fields, number)
      // The same id may come again in a workspace that is later in the order.
      const sign = after !== undefined && compareByCodePoint(name, after.workspace) > 0 ? '>=' : '>'
      return this.connection
        .all(
          `SELECT ${summaryColumns} FROM document WHERE workspace = ? AND id ${sign} ? AND ${filter.sql} ORDER BY id LIMIT ?`,
          number,
          after?.id ?? '',
          ...filter.parameters,
          limit,
        )
        .map((row) => this.#documentRow(row))
    })
    if (this.#numbers.length > 1)
      rows.sort((one, other) => compareByCodePoint(one.id, other.id) || compareByCodePoint(one.workspace, other.workspace))
    return rows.slice(0, limit)
  }

  async documentsWhere(where: Filter): Promise<readonly number[]> {
    return this.#documentsWhere(where).toSorted((one, other) => one - other)
  }

  /** Both legs of a search ask for the same. */
  #documentsWhere(where: Filter): number[] {
    if (this.#filtered?.where !== where) this.#filtered = { where, keys: this.#lookUpWhere(where) }
    return this.#filtered.keys
  }

  #lookUpWhere(where: Filter): number[] {
    return this.#numbers.flatMap((number) => {
      const filter = compileFilter(where, this.scope.fields, number)
      return this.connection
        .all(`SELECT key FROM document WHERE workspace = ? AND ${filter.sql}`, number, ...filter.parameters)
        .map((row) => row['key'] as number)
    })
  }

  async parents(keys: readonly number[]): Promise<readonly ParentRow[]> {
    return this.#byKeys('parent', parentColumns, 'key', keys).map(parentRow)
  }

  #childrenOf(parents: readonly number[]): EvidenceRows['parents'] {
    return this.#byKeys('parent', 'key, children', 'key', parents).map((row) => ({
      key: row['key'] as number,
      children: row['children'] as Uint8Array,
    }))
  }

  async parentsOf(documents: readonly number[]): Promise<readonly ParentRow[]> {
    return this.#numbers.flatMap((number) =>
      this.connection
        .all(
          `SELECT ${parentColumns} FROM parent WHERE workspace = ? AND document IN (SELECT value FROM json_each(?))`,
          number,
          JSON.stringify(documents),
        )
        .map(parentRow),
    )
  }

  async notes(children: readonly number[]): Promise<readonly NoteRow[]> {
    return this.#byKeys('note', 'child, document, note', 'child', children).map((row) => ({
      child: row['child'] as number,
      document: row['document'] as number,
      note: row['note'] as string,
    }))
  }

  async vectors(embedding: number, children: readonly number[]): Promise<readonly VectorRow[]> {
    return this.#vectorRows('child, document, content_key, vector', embedding, children).map((row) => ({
      embedding,
      child: row['child'] as number,
      document: row['document'] as number,
      contentKey: row['content_key'] as string,
      vector: readVector(row['vector'] as Uint8Array),
    }))
  }

  async contentKeys(embedding: number, children: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return new Map(
      this.#vectorRows('child, content_key', embedding, children).map((row) => [
        row['child'] as number,
        row['content_key'] as string,
      ]),
    )
  }

  async evidence({ parents, vectors, windows }: WantedEvidence): Promise<EvidenceRows> {
    return {
      parents: parents.length === 0 ? [] : this.#childrenOf(parents),
      vectors: Array.from(vectors, ([embedding, children]) => this.#vectorRows('child, vector', embedding, children))
        .flat()
        .map((row) => ({ child: row['child'] as number, vector: readVector(row['vector'] as Uint8Array) })),
      windows: windows.length === 0 ? [] : this.#windowBlobs(windows),
    }
  }

  #windowBlobs(wanted: readonly WindowName[]): EvidenceRows['windows'] {
    const names = JSON.stringify(wanted.map(({ embedding, document, key }) => [document, embedding, key]))
    return this.#numbers.flatMap((number) =>
      this.connection
        .all(
          `SELECT wanted.key AS place, blob FROM json_each(?) AS wanted CROSS JOIN window
           WHERE workspace = ? AND document = wanted.value ->> 0 AND embedding = wanted.value ->> 1 AND window.key = wanted.value ->> 2`,
          names,
          number,
        )
        .map((row) => {
          const { document, key } = wanted[row['place'] as number] as WindowName
          return { document, key, blob: row['blob'] as Uint8Array }
        }),
    )
  }

  async windows(wanted: readonly WindowName[]): Promise<readonly WindowRow[]> {
    return wanted.flatMap(({ embedding, document, key }) =>
      this.#numbers.flatMap((number) =>
        this.connection
          .all(
            'SELECT pieces, blob FROM window WHERE workspace = ? AND document = ? AND embedding = ? AND key = ?',
            number,
            document,
            embedding,
            key,
          )
          .map((row) => ({ embedding, document, key, pieces: row['pieces'] as Uint8Array, blob: row['blob'] as Uint8Array })),
      ),
    )
  }

  async nearest(
    embeddings: readonly number[],
    vector: Float32Array,
    limit: number,
    where: Filter | undefined,
  ): Promise<readonly { readonly child: number; readonly cosine: number }[]> {
    const documents = where === undefined ? undefined : new Set(this.#documentsWhere(where))
    const blocks = embeddings.flatMap((embedding) => this.#codes(embedding))
    const vectors = blocks.reduce((sum, { count }) => sum + count, 0)
    const most = candidatesFor(limit, vectors)
    const children = nearestCandidates(
      this.scope.codes.scanner,
      blocks,
      () => new SignCodes(vector.length).query(vector),
      most,
      documents,
    )
    this.scope.codes.letGo()
    const found = embeddings.flatMap((embedding) =>
      this.#vectorRows('child, vector', embedding, children).map((row) => ({
        child: row['child'] as number,
        cosine: dotProduct(vector, readVector(row['vector'] as Uint8Array)),
      })),
    )
    return found.sort((one, other) => other.cosine - one.cosine || one.child - other.child).slice(0, limit)
  }

  async segments(): Promise<readonly ListedSegment[]> {
    return this.#numbers.flatMap((number) =>
      this.connection
        .all(
          `SELECT id, (SELECT count(*) FROM tombstone WHERE tombstone.workspace = segment.workspace AND tombstone.segment = segment.id)
             AS tombstones FROM segment WHERE workspace = ?`,
          number,
        )
        .map((row) => ({
          id: row['id'] as number,
          workspace: this.#nameOf(number),
          tombstones: row['tombstones'] as number,
        })),
    )
  }

  async tombstones(segments: readonly number[]): Promise<readonly TombstoneRow[]> {
    return this.#numbers.flatMap((number) =>
      this.connection
        .all(
          'SELECT segment, places FROM tombstone WHERE workspace = ? AND segment IN (SELECT value FROM json_each(?)) ORDER BY number',
          number,
          JSON.stringify(segments),
        )
        .map((row) => ({ segment: row['segment'] as number, places: row['places'] as Uint8Array })),
    )
  }

  async pages(wanted: readonly { readonly segment: number; readonly page: number }[]): Promise<readonly Uint8Array[]> {
    return wanted.map(({ segment, page }) => {
      for (const number of this.#numbers) {
        const row = this.connection.get(
          'SELECT bytes FROM segment_page WHERE workspace = ? AND segment = ? AND page = ?',
          number,
          segment,
          page,
        )
        if (row !== undefined) return row['bytes'] as Uint8Array
      }
      throw new AshlarError('DAMAGED_STORE', `The segment ${segment} of the lexical index has no page ${page}.`, {
        details: { segment, page },
      })
    })
  }

  async indexState(): Promise<IndexState> {
    return { embeddings: await this.embeddings(), segments: await this.segments() }
  }

  async embeddings(): Promise<readonly CountedEmbedding[]> {
    return this.connection
      .all(`SELECT key, workspace, identity, active, vectors FROM embedding WHERE ${this.#isRead} ORDER BY key`, ...this.#numbers)
      .map((row) => ({
        key: row['key'] as number,
        workspace: this.#nameOf(row['workspace'] as number),
        identity: JSON.parse(row['identity'] as string) as EmbedderIdentity,
        active: row['active'] === 1,
        children: row['vectors'] as number,
      }))
  }

  #codes(embedding: number): readonly HeldBlock[] {
    const row = this.connection.get(
      `SELECT workspace, version FROM embedding WHERE key = ? AND ${this.#isRead}`,
      embedding,
      ...this.#numbers,
    )
    if (row === undefined) return []
    return this.scope.codes.read(this.connection, row['workspace'] as number, embedding, row['version'] as number)
  }

  /** Rows by key, whichever workspace they are in. */
  #byKeys(table: 'document' | 'parent' | 'note', columns: string, key: string, keys: readonly number[]): readonly SqlRow[] {
    return this.connection.all(
      `SELECT ${columns} FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?)) AND ${this.#isRead}`,
      JSON.stringify(keys),
      ...this.#numbers,
    )
  }

  /** The join goes through the children in their order, which is how vectors lie in the file. */
  #vectorRows(columns: string, embedding: number, children: readonly number[]): readonly SqlRow[] {
    const wanted = JSON.stringify(children.toSorted((one, other) => one - other))
    return this.#numbers.flatMap((number) =>
      this.connection.all(
        `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN vector
         WHERE vector.workspace = ? AND vector.child = wanted.value AND vector.embedding = ?`,
        wanted,
        number,
        embedding,
      ),
    )
  }

  #documentRow(row: SqlRow): DocumentRow {
    return {
      key: row['key'] as number,
      workspace: this.#nameOf(row['workspace'] as number),
      id: row['id'] as string,
      title: row['title'] as string,
      format: row['format'] as string,
      metadata: JSON.parse(row['metadata'] as string) as Metadata,
      length: row['length'] as number,
      children: row['children'] as number,
      contentHash: row['content_hash'] as string,
      version: row['version'] as number,
      notes: row['notes'] as number,
      layout: (row['layout'] as Uint8Array | undefined) ?? nothing,
      fingerprints: (row['fingerprints'] as Uint8Array | undefined) ?? nothing,
    }
  }

  #nameOf(number: number): string {
    return this.#names.get(number) as string
  }
}

function parentRow(row: SqlRow): ParentRow {
  return {
    key: row['key'] as number,
    document: row['document'] as number,
    id: row['id'] as string,
    text: row['text'] as string,
    children: row['children'] as Uint8Array,
  }
}
