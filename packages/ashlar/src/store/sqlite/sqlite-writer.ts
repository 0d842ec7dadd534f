import type { EmbedderIdentity } from '../../model/embedder.ts'
import type { DocumentRow, EngineWriter, RowBatch } from '../engine.ts'
import type { Metadata } from '../filter.ts'
import { CodeWriter } from './code-writer.ts'
import type { Connection } from './connection.ts'
import { type MetadataField, metadataFields } from './metadata-fields.ts'
import { type ReaderScope, SqliteReader } from './sqlite-reader.ts'
import { vectorBytes } from './vector-bytes.ts'

/** Writes rows of one workspace. The transaction has the file's only write lock from its beginning, so locks are there already. */
export class SqliteWriter extends SqliteReader implements EngineWriter {
  readonly #workspace: number
  readonly #takeKeys: (count: number) => number
  readonly #codes: CodeWriter
  #isErasing = false

  constructor(connection: Connection, scope: ReaderScope, takeKeys: (count: number) => number) {
    super(connection, scope)
    this.#workspace = scope.workspaces[0]?.number as number
    this.#takeKeys = takeKeys
    this.#codes = new CodeWriter(connection, this.#workspace)
  }

  /** Whether whole documents were deleted: then what was in the log has to go as well. */
  get isErasing(): boolean {
    return this.#isErasing
  }

  async lock(): Promise<void> {}

  async takeKeys(count: number): Promise<number> {
    return this.#takeKeys(count)
  }

  async addEmbedding(key: number, identity: EmbedderIdentity): Promise<void> {
    this.#run(
      'INSERT INTO embedding (workspace, key, identity, active, version, vectors) VALUES (?, ?, ?, 0, 0, 0)',
      key,
      JSON.stringify(identity),
    )
  }

  async useEmbedding(embedding: number): Promise<void> {
    // Two steps: no more than one may be active at any moment.
    this.#run('UPDATE embedding SET active = 0 WHERE workspace = ? AND active = 1 AND key <> ?', embedding)
    this.#run('UPDATE embedding SET active = 1 WHERE workspace = ? AND key = ?', embedding)
  }

  async forgetEmbedding(embedding: number): Promise<void> {
    for (const table of ['code_block', 'vector', 'window'])
      this.#run(`DELETE FROM ${table} WHERE workspace = ? AND embedding = ?`, embedding)
    this.#run('DELETE FROM embedding WHERE workspace = ? AND key = ?', embedding)
    this.scope.codes.forget(embedding)
  }

  async addPages(segment: number, first: number, pages: readonly Uint8Array[]): Promise<void> {
    this.#insertPages(segment, first, pages)
  }

  async write(batch: RowBatch): Promise<void> {
    this.#delete(batch.gone)
    this.#insert(batch)
    this.#codes.flush()
  }

  #delete(gone: RowBatch['gone']): void {
    for (const key of gone.documents) this.#deleteDocument(key)
    for (const key of gone.parents) this.#run('DELETE FROM parent WHERE workspace = ? AND key = ?', key)
    for (const child of gone.children) {
      this.#codes.deleteChild(child)
      this.#run('DELETE FROM vector WHERE workspace = ? AND child = ?', child)
      this.#run('DELETE FROM note WHERE workspace = ? AND child = ?', child)
    }
    for (const child of gone.notes) this.#run('DELETE FROM note WHERE workspace = ? AND child = ?', child)
    for (const { embedding, document, key } of gone.windows)
      this.#run('DELETE FROM window WHERE workspace = ? AND document = ? AND embedding = ? AND key = ?', document, embedding, key)
    for (const segment of gone.segments) {
      for (const table of ['segment_page', 'tombstone'])
        this.#run(`DELETE FROM ${table} WHERE workspace = ? AND segment = ?`, segment)
      this.#run('DELETE FROM segment WHERE workspace = ? AND id = ?', segment)
    }
    this.#isErasing ||= gone.documents.length > 0
  }

  #deleteDocument(key: number): void {
    this.#codes.deleteDocument(key)
    for (const table of ['parent', 'vector', 'window', 'note', 'field'])
      this.#run(`DELETE FROM ${table} WHERE workspace = ? AND document = ?`, key)
    this.#run('DELETE FROM document WHERE workspace = ? AND key = ?', key)
  }

  #insert({ documents, parents, vectors, windows, notes, segments, tombstones }: RowBatch): void {
    for (const row of documents) this.#insertDocument(row)
    for (const { key, document, id, children, text } of parents)
      this.#run(
        `INSERT INTO parent (workspace, key, document, id, children, text) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET document = excluded.document, id = excluded.id, children = excluded.children,
           text = excluded.text WHERE workspace = excluded.workspace`,
        key,
        document,
        id,
        children,
        text,
      )
    const blocks = vectors.length === 0 ? [] : this.#codes.set(vectors)
    for (const [at, row] of vectors.entries()) {
      this.#run(
        `INSERT INTO vector (workspace, child, embedding, document, block, content_key, vector) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET document = excluded.document, content_key = excluded.content_key, vector = excluded.vector`,
        row.child,
        row.embedding,
        row.document,
        blocks[at] as number,
        row.contentKey,
        vectorBytes(row.vector),
      )
    }
    for (const { embedding, document, key, blob, pieces } of windows)
      this.#run(
        `INSERT INTO window (workspace, document, embedding, key, pieces, blob) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET pieces = excluded.pieces, blob = excluded.blob`,
        document,
        embedding,
        key,
        pieces,
        blob,
      )
    for (const { child, document, note } of notes)
      this.#run(
        `INSERT INTO note (workspace, child, document, note) VALUES (?, ?, ?, ?)
         ON CONFLICT (child) DO UPDATE SET document = excluded.document, note = excluded.note WHERE workspace = excluded.workspace`,
        child,
        document,
        note,
      )
    for (const { id, pages } of segments) this.#insertPages(id, 0, pages)
    for (const { segment, places } of tombstones)
      this.#run('INSERT INTO tombstone (workspace, segment, places) VALUES (?, ?, ?)', segment, places)
  }

  #insertPages(segment: number, first: number, pages: readonly Uint8Array[]): void {
    this.#run('INSERT INTO segment (workspace, id) VALUES (?, ?) ON CONFLICT DO NOTHING', segment)
    for (const [at, bytes] of pages.entries())
      this.#run('INSERT INTO segment_page (workspace, segment, page, bytes) VALUES (?, ?, ?, ?)', segment, first + at, bytes)
  }

  #insertDocument(row: DocumentRow): void {
    const metadata = JSON.stringify(row.metadata)
    const before = this.connection.get('SELECT metadata FROM document WHERE workspace = ? AND key = ?', this.#workspace, row.key)
    this.#run(
      `INSERT INTO document (workspace, key, id, title, format, length, children, content_hash, version, notes, metadata, layout,
         fingerprints)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET id = excluded.id, title = excluded.title, format = excluded.format, length = excluded.length,
         children = excluded.children, content_hash = excluded.content_hash, version = excluded.version, notes = excluded.notes,
         metadata = excluded.metadata, layout = excluded.layout, fingerprints = excluded.fingerprints WHERE workspace = excluded.workspace`,
      row.key,
      row.id,
      row.title,
      row.format,
      row.length,
      row.children,
      row.contentHash,
      row.version,
      row.notes,
      metadata,
      row.layout,
      row.fingerprints,
    )
    if (before?.['metadata'] === metadata) return
    const old = before === undefined ? [] : metadataFields(JSON.parse(before['metadata'] as string) as Metadata)
    for (const field of old)
      this.#field(
        'DELETE FROM field WHERE workspace = ? AND name = ? AND type = ? AND value = ? AND document = ?',
        field,
        row.key,
      )
    for (const field of metadataFields(row.metadata))
      this.#field('INSERT INTO field (workspace, name, type, value, document) VALUES (?, ?, ?, ?, ?)', field, row.key)
  }

  #field(sql: string, { name, type, value }: MetadataField, document: number): void {
    this.#run(sql, name, type, value, document)
  }

  /** Every statement has the workspace as its first parameter. */
  #run(sql: string, ...parameters: readonly (string | number | Uint8Array)[]): void {
    this.connection.run(sql, this.#workspace, ...parameters)
  }
}
