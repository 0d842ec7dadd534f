import type { EmbedderIdentity } from '../../model/embedder.ts'
import type { EngineWriter, Lock, RowBatch } from '../engine.ts'
import type { FieldTypes } from '../filter.ts'
import { bytesArray, halfVectorArray, numberArray, textArray } from './array-parameter.ts'
import { idHash } from './id-hash.ts'
import type { KeyRange } from './key-range.ts'
import type { PostgresValue } from './postgres-client.ts'
import { PostgresReader, windowNames } from './postgres-reader.ts'
import type { Session } from './session.ts'
import type { VectorIndex } from './vector-index.ts'

/** Taken at once, so that small writes do not ask for keys each time. */
const keysAtOnce = 256

/** How much of a table goes into one statement: rows, and bytes or code units of what is long in them. */
const portion = { rows: 2_000, size: 8_000_000 }

/** Writes rows in one transaction. */
export class PostgresWriter extends PostgresReader implements EngineWriter {
  /** Keys that were taken and not given out. They may be used only when this transaction has committed. */
  spare: KeyRange

  constructor(session: Session, fields: FieldTypes, indexes: ReadonlyMap<number, VectorIndex>, spare: KeyRange) {
    super(session, fields, indexes)
    this.spare = spare
  }

  async lock(lock: Lock): Promise<void> {
    const { schema, workspace } = this.session
    if (typeof lock === 'string') await this.session.rows(`select ${schema}.lock_workspace($1::text)::text`, [workspace])
    else
      await this.session.rows(`select ${schema}.lock_documents($1::text, $2::text[])::text`, [
        workspace,
        textArray(lock.documents),
      ])
  }

  async takeKeys(count: number): Promise<number> {
    if (this.spare.after - this.spare.first < count) {
      const wanted = Math.max(count, keysAtOnce)
      const [row] = await this.session.rows(`select ${this.session.schema}.take_keys($1::bigint)`, [String(wanted)])
      const first = Number(row?.[0])
      this.spare = { first, after: first + wanted }
    }
    const { first, after } = this.spare
    this.spare = { first: first + count, after }
    return first
  }

  async addEmbedding(key: number, identity: EmbedderIdentity): Promise<void> {
    await this.session.rows(
      `insert into ${this.session.schema}.embedding (workspace, key, identity, active) values ($1::text, $2::bigint, $3::text, false)`,
      [this.session.workspace, String(key), JSON.stringify(identity)],
    )
  }

  async useEmbedding(embedding: number): Promise<void> {
    const { schema, isWritten, workspace } = this.session
    // Two statements: a unique index looks at each row as it changes.
    await this.session.rows(`update ${schema}.embedding set active = false where ${isWritten} and active`, [workspace])
    await this.session.rows(`update ${schema}.embedding set active = true where ${isWritten} and key = $2::bigint`, [
      workspace,
      String(embedding),
    ])
  }

  async forgetEmbedding(embedding: number): Promise<void> {
    for (const table of ['child_vector', 'token_window', 'vector_count'])
      await this.#delete(table, 'embedding = $2::bigint', [String(embedding)])
    await this.#delete('embedding', 'key = $2::bigint', [String(embedding)])
  }

  async write(batch: RowBatch): Promise<void> {
    const counts = new Map<number, number>()
    await this.#deleteRows(batch.gone, counts)
    await this.#writeDocuments(batch.documents)
    await this.#writeParents(batch.parents)
    await this.#writeVectors(batch.vectors, counts)
    await this.#writeWindows(batch.windows)
    await this.#writeNotes(batch.notes)
    await this.#writeSegments(batch.segments)
    await this.#insert('tombstone', ['segment bigint', 'places bytea'], batch.tombstones, (rows) => [
      numberArray(rows.map(({ segment }) => segment)),
      bytesArray(rows.map(({ places }) => places)),
    ])
    await this.#writeCounts(counts, batch.gone.segments.length > 0)
  }

  async #deleteRows(gone: RowBatch['gone'], counts: Map<number, number>): Promise<void> {
    if (gone.documents.length > 0) {
      const keys = [numberArray(gone.documents)]
      await this.#delete('document', 'key = any($2::bigint[])', keys)
      await this.#deleteVectors('document = any($2::bigint[])', keys, counts)
      for (const table of ['parent', 'token_window', 'note']) await this.#delete(table, 'document = any($2::bigint[])', keys)
    }
    if (gone.parents.length > 0) await this.#delete('parent', 'key = any($2::bigint[])', [numberArray(gone.parents)])
    if (gone.children.length > 0) {
      const own = `embedding in (${this.#ownEmbeddings})`
      await this.#deleteVectors(`${own} and child = any($2::bigint[])`, [numberArray(gone.children)], counts)
    }
    const notes = [...gone.children, ...gone.notes]
    if (notes.length > 0) await this.#delete('note', 'child = any($2::bigint[])', [numberArray(notes)])
    if (gone.windows.length > 0) {
      const names = '(document, embedding, key) in (select * from unnest($2::bigint[], $3::bigint[], $4::text[]))'
      await this.#delete('token_window', names, windowNames(gone.windows))
    }
    if (gone.segments.length > 0) {
      const segments = [numberArray(gone.segments)]
      for (const table of ['tombstone', 'segment_page']) await this.#delete(table, 'segment = any($2::bigint[])', segments)
      await this.#delete('segment', 'id = any($2::bigint[])', segments)
    }
  }

  async #writeDocuments(rows: RowBatch['documents']): Promise<void> {
    const columns = [
      'key bigint',
      'id text',
      'id_hash bytea',
      'title text',
      'format text',
      'metadata text',
      'length bigint',
      'children bigint',
      'content_hash text',
      'version bigint',
      'notes bigint',
      'layout bytea',
      'fingerprints bytea',
    ]
    await this.#insert(
      'document',
      columns,
      rows,
      (some) => [
        numberArray(some.map(({ key }) => key)),
        textArray(some.map(({ id }) => id)),
        bytesArray(some.map(({ id }) => idHash(id))),
        textArray(some.map(({ title }) => title)),
        textArray(some.map(({ format }) => format)),
        textArray(some.map(({ metadata }) => JSON.stringify(metadata))),
        numberArray(some.map(({ length }) => length)),
        numberArray(some.map(({ children }) => children)),
        textArray(some.map(({ contentHash }) => contentHash)),
        numberArray(some.map(({ version }) => version)),
        numberArray(some.map(({ notes }) => notes)),
        bytesArray(some.map(({ layout }) => layout)),
        bytesArray(some.map(({ fingerprints }) => fingerprints)),
      ],
      { keys: ['key'], size: ({ layout, fingerprints }) => layout.length + fingerprints.length },
    )
  }

  async #writeParents(rows: RowBatch['parents']): Promise<void> {
    await this.#insert(
      'parent',
      ['key bigint', 'document bigint', 'id text', 'text text', 'children bytea'],
      rows,
      (some) => [
        numberArray(some.map(({ key }) => key)),
        numberArray(some.map(({ document }) => document)),
        textArray(some.map(({ id }) => id)),
        textArray(some.map(({ text }) => text)),
        bytesArray(some.map(({ children }) => children)),
      ],
      { keys: ['key'], size: ({ text, children }) => text.length + children.length },
    )
  }

  async #writeVectors(rows: RowBatch['vectors'], counts: Map<number, number>): Promise<void> {
    if (rows.length === 0) return
    const [found] = await this.session.rows(`select 'halfvec'::regtype::oid`, [])
    const type = Number(found?.[0])
    const added = await this.#insert(
      'child_vector',
      ['embedding bigint', 'child bigint', 'document bigint', 'content_key text', 'vector halfvec'],
      rows,
      (some) => [
        numberArray(some.map(({ embedding }) => embedding)),
        numberArray(some.map(({ child }) => child)),
        numberArray(some.map(({ document }) => document)),
        textArray(some.map(({ contentKey }) => contentKey)),
        halfVectorArray(
          some.map(({ vector }) => vector),
          type,
        ),
      ],
      // A row that was not there before has never been locked by an update.
      { keys: ['embedding', 'child'], size: ({ vector }) => 2 * vector.length, amount: '(xmax = 0)::integer' },
    )
    addCounts(counts, added, 1)
  }

  async #writeWindows(rows: RowBatch['windows']): Promise<void> {
    await this.#insert(
      'token_window',
      ['document bigint', 'embedding bigint', 'key text', 'blob bytea', 'pieces bytea'],
      rows,
      (some) => [...windowNames(some), bytesArray(some.map(({ blob }) => blob)), bytesArray(some.map(({ pieces }) => pieces))],
      { keys: ['document', 'embedding', 'key'], size: ({ blob, pieces }) => blob.length + pieces.length },
    )
  }

  async #writeNotes(rows: RowBatch['notes']): Promise<void> {
    await this.#insert(
      'note',
      ['child bigint', 'document bigint', 'note text'],
      rows,
      (some) => [
        numberArray(some.map(({ child }) => child)),
        numberArray(some.map(({ document }) => document)),
        textArray(some.map(({ note }) => note)),
      ],
      { keys: ['child'], size: ({ note }) => note.length },
    )
  }

  async #writeSegments(segments: RowBatch['segments']): Promise<void> {
    await this.#insert('segment', ['id bigint'], segments, (some) => [numberArray(some.map(({ id }) => id))])
    const pages = segments.flatMap(({ id, pages: all }) => all.map((bytes, page) => ({ id, page, bytes })))
    await this.#insert(
      'segment_page',
      ['segment bigint', 'page bigint', 'bytes bytea'],
      pages,
      (some) => [
        numberArray(some.map(({ id }) => id)),
        numberArray(some.map(({ page }) => page)),
        bytesArray(some.map(({ bytes }) => bytes)),
      ],
      { size: ({ bytes }) => bytes.length },
    )
  }

  /**
   * How many vectors there are is kept as a list of changes: a counter would make writers of one workspace wait for each other. Who holds
   * all segments has the workspace to itself, and adds the list up.
   */
  async #writeCounts(counts: ReadonlyMap<number, number>, addUp: boolean): Promise<void> {
    const changes = new Map(counts)
    if (addUp) {
      addCounts(changes, await this.#delete('vector_count', `embedding in (${this.#ownEmbeddings})`, [], 'change'), 1)
    }
    const rows = [...changes].filter(([, change]) => change !== 0)
    await this.#insert('vector_count', ['embedding bigint', 'change bigint'], rows, (some) => [
      numberArray(some.map(([embedding]) => embedding)),
      numberArray(some.map(([, change]) => change)),
    ])
  }

  get #ownEmbeddings(): string {
    return `select key from ${this.session.schema}.embedding where ${this.session.isWritten}`
  }

  /** Writes rows in portions; one whose keys are there already replaces the old one. Gives sums of `amount` by embedding. */
  async #insert<Item>(
    table: string,
    columns: readonly string[],
    items: readonly Item[],
    parametersOf: (items: readonly Item[]) => readonly PostgresValue[],
    {
      keys = [],
      size = () => 0,
      amount,
    }: { readonly keys?: readonly string[]; readonly size?: (item: Item) => number; readonly amount?: string } = {},
  ): Promise<readonly (readonly unknown[])[]> {
    const names = columns.map((column) => column.slice(0, column.indexOf(' ')))
    const arrays = columns.map((column, at) => `$${at + 2}::${column.slice(column.indexOf(' ') + 1)}[]`)
    const values = names.map((name) => (name === 'metadata' ? 'metadata::jsonb' : name))
    const changes = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`)
    const conflict = keys.length === 0 ? '' : ` on conflict (${keys.join(', ')}, workspace) do update set ${changes.join(', ')}`
    const statement = summed(
      `insert into ${this.session.schema}.${table} (workspace, ${names.join(', ')}) ` +
        `select $1::text, ${values.join(', ')} from unnest(${arrays.join(', ')}) as given (${names.join(', ')})${conflict}`,
      amount,
    )
    const rows: (readonly unknown[])[] = []
    for (const some of portions(items, size)) {
      const parameters = [this.session.workspace, ...parametersOf(some)]
      for (const row of await this.session.rows(statement, parameters)) rows.push(row)
    }
    return rows
  }

  async #deleteVectors(condition: string, parameters: readonly PostgresValue[], counts: Map<number, number>): Promise<void> {
    addCounts(counts, await this.#delete('child_vector', condition, parameters, '1'), -1)
  }

  /** Parameters of the condition begin with `$2`. */
  async #delete(
    table: string,
    condition: string,
    parameters: readonly PostgresValue[],
    amount?: string,
  ): Promise<readonly (readonly unknown[])[]> {
    const { schema, isWritten, workspace } = this.session
    const statement = summed(`delete from ${schema}.${table} where ${isWritten} and ${condition}`, amount)
    return this.session.rows(statement, [workspace, ...parameters])
  }
}

/** A change of rows that gives sums by embedding, where they are asked for. */
function summed(change: string, amount: string | undefined): string {
  if (amount === undefined) return change
  return `with changed as (${change} returning embedding, ${amount} as amount)
    select embedding, sum(amount) from changed group by embedding`
}

function addCounts(counts: Map<number, number>, rows: readonly (readonly unknown[])[], sign: 1 | -1): void {
  for (const [embedding, amount] of rows)
    counts.set(Number(embedding), (counts.get(Number(embedding)) ?? 0) + sign * Number(amount))
}

/** Splits rows so that no statement grows without limit. */
function* portions<Item>(items: readonly Item[], size: (item: Item) => number): Generator<readonly Item[]> {
  let from = 0
  let total = 0
  for (const [at, item] of items.entries()) {
    const own = size(item)
    if (at > from && (at - from >= portion.rows || total + own > portion.size)) {
      yield items.slice(from, at)
      from = at
      total = 0
    }
    total += own
  }
  if (from < items.length) yield items.slice(from)
}
