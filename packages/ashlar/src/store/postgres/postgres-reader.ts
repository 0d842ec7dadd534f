import type { EmbedderIdentity } from '../../model/embedder.ts'
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
import { bytesArray, numberArray, numbersLiteral, textArray, textArrayLiteral } from './array-parameter.ts'
import { compileFilter } from './compile-filter.ts'
import { halfVectorBytes, readHalfVector } from './half-vector.ts'
import { idHash } from './id-hash.ts'
import type { PostgresValue } from './postgres-client.ts'
import { type Session, textLiteral } from './session.ts'
import { searchSettings, type VectorIndex, vectorIndexSearch } from './vector-index.ts'

type Row = readonly unknown[]

const nothing = new Uint8Array(0)

const documentColumns = 'key, workspace, id, title, format, metadata::text, length, children, content_hash, version, notes'

/** Looks rows up in one transaction. Every statement names the workspaces first. */
export class PostgresReader implements EngineReader {
  protected readonly session: Session
  readonly #fields: FieldTypes
  readonly #indexes: ReadonlyMap<number, VectorIndex>
  /** A search asks for the same filter several times, of one moment. */
  readonly #satisfying: WeakMap<Filter, Promise<readonly number[]>> = new WeakMap()

  /** `indexes`: the embeddings that have an index of their own. */
  constructor(session: Session, fields: FieldTypes, indexes: ReadonlyMap<number, VectorIndex>) {
    this.session = session
    this.#fields = fields
    this.#indexes = indexes
  }

  async documentsById(ids: readonly string[]): Promise<readonly DocumentRow[]> {
    const rows = await this.select(`${documentColumns}, layout, fingerprints`, 'document', 'id_hash = any($2::bytea[])', [
      bytesArray(ids.map(idHash)),
    ])
    return rows.map(documentRow)
  }

  async documentsByKey(keys: readonly number[]): Promise<readonly DocumentRow[]> {
    const rows = await this.select(`${documentColumns}, layout`, 'document', 'key = any($2::bigint[])', [numberArray(keys)])
    return rows.map(documentRow)
  }

  /** Mostly the first lookup of a transaction: then it begins with it, in one round trip. */
  async families(parents: readonly number[]): Promise<readonly FamilyRow[]> {
    const { schema, isRead, isWaiting, readParameter, readLiteral } = this.session
    const statement = (workspaces: string, keys: string): string => {
      const isOurs = isRead.replace('$1', workspaces)
      return `select parent.key, parent.document, parent.id, text, packed, version
       from (select workspace, key, document, id, text, children as packed from ${schema}.parent
             where ${isOurs} and key = any(${keys}::bigint[])) as parent
       join (select workspace, key, version from ${schema}.document where ${isOurs}) as document
         on document.key = parent.document and document.workspace = parent.workspace`
    }
    const rows = isWaiting
      ? ((await this.session.opening([statement(readLiteral, numbersLiteral(parents))]))[0] ?? [])
      : await this.session.rows(statement('$1', '$2'), [readParameter, numberArray(parents)])
    return rows.map((row) => ({ parent: parentRow(row), version: Number(row[5]) }))
  }

  async listDocuments(
    where: Filter | undefined,
    after: DocumentPosition | undefined,
    limit: number,
  ): Promise<readonly DocumentRow[]> {
    const parameters: PostgresValue[] = [this.session.readParameter, String(limit)]
    const conditions = [this.session.isRead, this.session.isReadInOrder]
    if (after !== undefined) {
      const id = `$${parameters.push(after.id)}::text`
      const workspace = `$${parameters.push(after.workspace)}::text`
      conditions.push(`(substr(id, 1, 128), id, workspace) > (substr(${id}, 1, 128), ${id}, ${workspace})`)
    }
    if (where !== undefined) conditions.push(compileFilter(where, this.#fields, parameters))
    const rows = await this.session.rows(
      `select ${documentColumns} from ${this.session.schema}.document where ${conditions.join(' and ')}
       order by substr(id, 1, 128), id, workspace limit $2::bigint`,
      parameters,
    )
    return rows.map(documentRow)
  }

  async documentsWhere(where: Filter): Promise<readonly number[]> {
    const known = this.#satisfying.get(where) ?? this.#documentsWhere(where)
    this.#satisfying.set(where, known)
    return known
  }

  async parents(keys: readonly number[]): Promise<readonly ParentRow[]> {
    return this.#parents('key = any($2::bigint[])', keys)
  }

  async parentsOf(documents: readonly number[]): Promise<readonly ParentRow[]> {
    return this.#parents('document = any($2::bigint[])', documents)
  }

  async notes(children: readonly number[]): Promise<readonly NoteRow[]> {
    const rows = await this.select('child, document, note', 'note', 'child = any($2::bigint[])', [numberArray(children)])
    return rows.map(([child, document, note]) => ({ child: Number(child), document: Number(document), note: note as string }))
  }

  async vectors(embedding: number, children: readonly number[]): Promise<readonly VectorRow[]> {
    const rows = await this.select(
      'child, document, content_key, halfvec_send(vector)',
      'child_vector',
      'embedding = $2::bigint and child = any($3::bigint[])',
      [String(embedding), numberArray(children)],
    )
    return rows.map(([child, document, contentKey, vector]) => ({
      embedding,
      child: Number(child),
      document: Number(document),
      contentKey: contentKey as string,
      vector: readHalfVector(vector as Uint8Array),
    }))
  }

  async contentKeys(embedding: number, children: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await this.select('child, content_key', 'child_vector', 'embedding = $2::bigint and child = any($3::bigint[])', [
      String(embedding),
      numberArray(children),
    ])
    return new Map(rows.map(([child, contentKey]) => [Number(child), contentKey as string]))
  }

  /** In one round trip. */
  async evidence({ parents, vectors, windows }: WantedEvidence): Promise<EvidenceRows> {
    const { schema, isRead, readLiteral } = this.session
    const select = (columns: string, table: string, condition: string): string =>
      `select ${columns} from ${schema}.${table} where ${isRead.replace('$1', readLiteral)} and ${condition}`
    const [names, ids, keys] = [
      numbersLiteral(windows.map(({ document }) => document)),
      numbersLiteral(windows.map(({ embedding }) => embedding)),
      textLiteral(textArrayLiteral(windows.map(({ key }) => key))),
    ]
    const [parentRows = [], windowRows = [], ...vectorRows] = await this.session.together([
      select('key, children', 'parent', `key = any(${numbersLiteral(parents)}::bigint[])`),
      select(
        'document, key, blob',
        'token_window',
        isWanted
          .replace('$2', names)
          .replace('$3', ids)
          .replace('$4', () => keys),
      ),
      ...Array.from(vectors, ([embedding, children]) =>
        select(
          'child, halfvec_send(vector)',
          'child_vector',
          `embedding = any(${numbersLiteral([embedding])}::bigint[]) and child = any(${numbersLiteral(children)}::bigint[])`,
        ),
      ),
    ])
    return {
      parents: parentRows.map(([key, children]) => ({ key: Number(key), children: children as Uint8Array })),
      windows: windowRows.map(([document, key, blob]) => ({
        document: Number(document),
        key: key as string,
        blob: blob as Uint8Array,
      })),
      vectors: vectorRows.flat().map(([child, vector]) => ({
        child: Number(child),
        vector: readHalfVector(vector as Uint8Array),
      })),
    }
  }

  async windows(wanted: readonly WindowName[]): Promise<readonly WindowRow[]> {
    const rows = await this.select('embedding, document, key, blob, pieces', 'token_window', isWanted, windowNames(wanted))
    return rows.map(([embedding, document, key, blob, pieces]) => ({
      embedding: Number(embedding),
      document: Number(document),
      key: key as string,
      blob: blob as Uint8Array,
      pieces: pieces as Uint8Array,
    }))
  }

  async nearest(
    embeddings: readonly number[],
    vector: Float32Array,
    limit: number,
    where: Filter | undefined,
  ): Promise<readonly { readonly child: number; readonly cosine: number }[]> {
    const documents = where === undefined ? undefined : await this.documentsWhere(where)
    if (documents?.length === 0) return []
    const indexed = embeddings.flatMap((embedding) => this.#indexes.get(embedding) ?? [])
    const others = embeddings.filter((embedding) => !this.#indexes.has(embedding))
    const found: { child: number; cosine: number }[] = []
    for (const index of indexed) {
      const parameters: PostgresValue[] = [this.session.readParameter, halfVectorBytes(vector)]
      const rows = { condition: amongDocuments(documents, parameters), isFiltered: documents !== undefined }
      found.push(...(await vectorIndexSearch(this.session, index, rows, parameters, limit)))
    }
    if (others.length > 0) found.push(...(await this.#exact(others, vector, limit, documents)))
    return indexed.length === 0
      ? found
      : found.sort((one, two) => two.cosine - one.cosine || one.child - two.child).slice(0, limit)
  }

  async segments(): Promise<readonly ListedSegment[]> {
    return (await this.session.rows(this.#segments('$1'), [this.session.readParameter])).map(listedSegment)
  }

  async tombstones(segments: readonly number[]): Promise<readonly TombstoneRow[]> {
    const rows = await this.select('segment, places', 'tombstone', 'segment = any($2::bigint[])', [numberArray(segments)])
    return rows.map(([segment, places]) => ({ segment: Number(segment), places: places as Uint8Array }))
  }

  async pages(wanted: readonly { readonly segment: number; readonly page: number }[]): Promise<readonly Uint8Array[]> {
    const rows = await this.select(
      'segment, page, bytes',
      'segment_page',
      '(segment, page) in (select * from unnest($2::bigint[], $3::bigint[]))',
      [numberArray(wanted.map(({ segment }) => segment)), numberArray(wanted.map(({ page }) => page))],
    )
    const pages = new Map(rows.map(([segment, page, bytes]) => [`${segment} ${page}`, bytes as Uint8Array]))
    return wanted.map(({ segment, page }) => pages.get(`${segment} ${page}`) as Uint8Array)
  }

  /** Every search asks for it first, twice: then the transaction begins with it, in one round trip. */
  async embeddings(): Promise<readonly CountedEmbedding[]> {
    const { isWaiting, readParameter, readLiteral } = this.session
    const rows = isWaiting
      ? ((await this.session.opening([this.#embeddings(readLiteral)]))[0] ?? [])
      : await this.session.rows(this.#embeddings('$1'), [readParameter])
    return rows.map(countedEmbedding)
  }

  /** Mostly the first lookup of a transaction: then it begins with it, in one round trip. */
  async indexState(): Promise<IndexState> {
    if (!this.session.isWaiting) return { embeddings: await this.embeddings(), segments: await this.segments() }
    const workspaces = this.session.readLiteral
    const [embeddings = [], segments = []] = await this.session.opening(
      [this.#embeddings(workspaces), this.#segments(workspaces)],
      this.#indexes.size === 0 ? {} : searchSettings(1),
    )
    return { embeddings: embeddings.map(countedEmbedding), segments: segments.map(listedSegment) }
  }

  #embeddings(workspaces: string): string {
    const { schema, isRead } = this.session
    return `select key, workspace, identity, active,
        (select coalesce(sum(change), 0) from ${schema}.vector_count
         where vector_count.workspace = embedding.workspace and vector_count.embedding = embedding.key)
      from ${schema}.embedding where ${isRead.replace('$1', workspaces)} order by key`
  }

  #segments(workspaces: string): string {
    const { schema, isRead } = this.session
    return `select id, workspace,
        (select count(*) from ${schema}.tombstone where tombstone.workspace = segment.workspace and tombstone.segment = segment.id)
      from ${schema}.segment where ${isRead.replace('$1', workspaces)}`
  }

  /** Rows of one table in the workspaces read; parameters of `condition` begin with `$2`. */
  protected async select(
    columns: string,
    table: string,
    condition: string,
    parameters: readonly PostgresValue[],
  ): Promise<readonly Row[]> {
    const { schema, isRead, readParameter } = this.session
    return this.session.rows(`select ${columns} from ${schema}.${table} where ${isRead} and ${condition}`, [
      readParameter,
      ...parameters,
    ])
  }

  async #parents(condition: string, keys: readonly number[]): Promise<readonly ParentRow[]> {
    const rows = await this.select('key, document, id, text, children', 'parent', condition, [numberArray(keys)])
    return rows.map(parentRow)
  }

  /** Compares with every vector: no index has the plain column, so none can be taken by mistake. */
  async #exact(
    embeddings: readonly number[],
    vector: Float32Array,
    limit: number,
    documents: readonly number[] | undefined,
  ): Promise<readonly { child: number; cosine: number }[]> {
    const { schema, isRead, readParameter } = this.session
    const parameters: PostgresValue[] = [readParameter, halfVectorBytes(vector), String(limit)]
    const allowed = amongDocuments(documents, parameters)
    const ofEmbedding =
      embeddings.length === 1
        ? `embedding = $${parameters.push(String(embeddings[0]))}::bigint`
        : `embedding = any($${parameters.push(numberArray(embeddings))}::bigint[])`
    const rows = await this.session.rows(
      `select child, -distance from (
         select child, vector <#> $2::halfvec as distance from ${schema}.child_vector
         where ${isRead} and ${ofEmbedding} and ${allowed}
         order by distance, child limit $3::bigint
       ) as nearest`,
      parameters,
    )
    return rows.map(([child, cosine]) => ({ child: Number(child), cosine: Number(cosine) }))
  }

  async #documentsWhere(where: Filter): Promise<readonly number[]> {
    const parameters: PostgresValue[] = [this.session.readParameter]
    const condition = compileFilter(where, this.#fields, parameters)
    const rows = await this.session.rows(
      `select key from ${this.session.schema}.document where ${this.session.isRead} and ${this.session.isReadInOrder} and ${condition} order by key`,
      parameters,
    )
    return rows.map(([key]) => Number(key))
  }
}

/**
 * A condition on `document`. The keys are looked up before and handed over as a list, which the server turns into a hash: as a query
 * within the query they would be gone through for every vector where there are no statistics yet.
 */
function amongDocuments(documents: readonly number[] | undefined, parameters: PostgresValue[]): string {
  return documents === undefined ? 'true' : `document = any($${parameters.push(numberArray(documents))}::bigint[])`
}

/** Its parameters are {@link windowNames}. */
const isWanted = '(document, embedding, key) in (select * from unnest($2::bigint[], $3::bigint[], $4::text[]))'

/** Three lists, for `unnest`. */
export function windowNames(windows: readonly WindowName[]): readonly PostgresValue[] {
  return [
    numberArray(windows.map(({ document }) => document)),
    numberArray(windows.map(({ embedding }) => embedding)),
    textArray(windows.map(({ key }) => key)),
  ]
}

function listedSegment([id, workspace, tombstones]: Row): ListedSegment {
  return { id: Number(id), workspace: workspace as string, tombstones: Number(tombstones) }
}

function countedEmbedding([key, workspace, identity, active, children]: Row): CountedEmbedding {
  return {
    key: Number(key),
    workspace: workspace as string,
    identity: JSON.parse(identity as string) as EmbedderIdentity,
    active: active as boolean,
    children: Number(children),
  }
}

function parentRow([key, document, id, text, children]: Row): ParentRow {
  return {
    key: Number(key),
    document: Number(document),
    id: id as string,
    text: text as string,
    children: children as Uint8Array,
  }
}

function documentRow(row: Row): DocumentRow {
  const [key, workspace, id, title, format, metadata, length, children, contentHash, version, notes, layout, fingerprints] = row
  return {
    key: Number(key),
    workspace: workspace as string,
    id: id as string,
    title: title as string,
    format: format as string,
    metadata: JSON.parse(metadata as string) as Metadata,
    length: Number(length),
    children: Number(children),
    contentHash: contentHash as string,
    version: Number(version),
    notes: Number(notes),
    layout: (layout as Uint8Array | undefined) ?? nothing,
    fingerprints: (fingerprints as Uint8Array | undefined) ?? nothing,
  }
}
