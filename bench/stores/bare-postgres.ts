import { createHash } from 'node:crypto'
import pg from 'pg'
import { halfVectorArray, numberArray, textArray } from '../../packages/ashlar/src/store/postgres/array-parameter.ts'
import { halfVectorBytes } from '../../packages/ashlar/src/store/postgres/half-vector.ts'
import type { BareStore, BenchFilter, FetchedChild, WordForm } from './bare-store.ts'

const workspace = 'bench'

/** As ours searches: with other numbers it would find others. */
const searchSettings = [
  'set local hnsw.iterative_scan = strict_order',
  'set local hnsw.ef_search = 400',
  'set local hnsw.max_scan_tuples = 100000',
]

/** Keys that one call of the sequence sets aside. */
const keysAtOnce = 100_000

/**
 * Documents in PostgreSQL by hand, over `pg`: one transaction a batch, lists unnested into each table in the server's binary form (COPY is
 * refused where row-level security holds), halfvec with the index that ours gets too, `tsvector` under a GIN index, columns and an index for
 * what is filtered by. The workspace is in every condition, and row-level security with settings of the transaction stands behind it, as it
 * does in ours. Like ours it has no foreign keys, and no statement that stays prepared: behind a pooler that hands out connections by the
 * transaction there would be none.
 *
 * @param toWords How PostgreSQL makes a `tsvector` of what `form` gives, an expression of `given.words`.
 */
export async function openBarePostgres(
  url: string,
  form: WordForm,
  options: { readonly schema: string; readonly toWords: string; readonly indexed: boolean },
): Promise<BareStore> {
  const { schema, toWords, indexed } = options
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = ['document', 'parent', 'child', 'vector', 'words']
  await client.query(`
    create schema ${schema};
    set search_path = ${schema}, public;
    create sequence row_key increment by ${keysAtOnce};
    create table document (
      key bigint primary key, workspace text not null, id text not null, title text not null, length bigint not null,
      content_hash text not null, topic text collate "C" not null, year integer not null, unique (workspace, id)
    );
    create index document_topic on document (workspace, topic, year);
    create table parent (
      key bigint primary key, workspace text not null, document bigint not null, id text not null,
      start bigint not null, "end" bigint not null, text text not null
    );
    create index parent_document on parent (document);
    create table child (
      key bigint primary key, workspace text not null, document bigint not null,
      parent bigint not null, place integer not null, id text not null, lead integer not null, start bigint not null,
      "end" bigint not null, outline jsonb not null
    );
    create index child_document on child (document);
    create index child_parent on child (parent);
    create table vector (
      child bigint primary key, workspace text not null, document bigint not null,
      vector halfvec(256) not null
    ) with (toast_tuple_target = 8160);
    create index vector_document on vector (document);
    create table words (
      child bigint primary key, workspace text not null, document bigint not null,
      words tsvector not null
    );
    create index words_document on words (document);
    create index words_words on words using gin (words);
    ${tables
      .map(
        (table) => `alter table ${table} enable row level security, force row level security;
          create policy wall on ${table} using (workspace = (select current_setting('bench.workspace', true)));`,
      )
      .join('\n')}
  `)
  let keys = { next: 0, after: 0 }
  const vectorType = Number((await client.query(`select 'halfvec'::regtype::oid as type`)).rows[0].type)
  const transaction = async <Result>(work: () => Promise<Result>, ...settings: readonly string[]): Promise<Result> => {
    await client.query([`begin; select set_config('bench.workspace', '${workspace}', true)`, ...settings].join('; '))
    const result = await work()
    await client.query('commit')
    return result
  }
  const allowed = (first: number): string =>
    `document in (select key from document where workspace = $1 and topic = any($${first}::text[]) and year >= $${first + 1}::integer)`
  const filter = ({ topics, year }: BenchFilter): unknown[] => [topics, year]
  const add = (table: string, columns: readonly string[], values: readonly Buffer[]): Promise<unknown> => {
    const names = columns.map((column) => column.slice(0, column.lastIndexOf(' ')))
    const arrays = columns.map((column, at) => `$${at + 2}::${column.slice(column.lastIndexOf(' ') + 1)}[]`)
    const given = names.map((name) => (name === 'words' ? toWords : name === 'outline' ? 'outline::jsonb' : name))
    return client.query(
      `insert into ${table} (workspace, ${names.join(', ')})
       select $1, ${given.join(', ')} from unnest(${arrays.join(', ')}) as given (${names.join(', ')})`,
      [workspace, ...values],
    )
  }
  return {
    put: (documents) =>
      transaction(async () => {
        const hashes = documents.map(({ tree, metadata }) =>
          createHash('sha256')
            .update(JSON.stringify([tree.title, metadata, tree.children.map(({ id }) => id)]))
            .update(tree.text)
            .digest('hex'),
        )
        const { rows } = await client.query(
          'select id, key, content_hash from document where workspace = $1 and id = any($2::text[]) for update',
          [workspace, documents.map(({ tree }) => tree.document)],
        )
        const stored = new Map(rows.map((row) => [row.id as string, row]))
        const changed = documents.filter(({ tree }, at) => stored.get(tree.document)?.content_hash !== hashes[at])
        const gone = changed.flatMap(({ tree }) => stored.get(tree.document)?.key ?? [])
        for (const table of gone.length === 0 ? [] : tables)
          await client.query(
            `delete from ${table} where workspace = $1 and ${table === 'document' ? 'key' : 'document'} = any($2::bigint[])`,
            [workspace, numberArray(gone.map(Number))],
          )
        const take = async (count: number): Promise<number> => {
          if (keys.next + count > keys.after) {
            const next = Number((await client.query(`select nextval('row_key') as key`)).rows[0].key)
            keys = { next, after: next + keysAtOnce }
          }
          keys.next += count
          return keys.next - count
        }
        const needed = changed.map(({ tree }) => 1 + tree.parents.length + tree.children.length)
        let key = await take(needed.reduce((sum, count) => sum + count, 0))
        const places = changed.map(({ tree }, at) => {
          const document = key
          key += needed[at]!
          return { document, parent: document + 1, child: document + 1 + tree.parents.length }
        })
        const parents = changed.flatMap(({ tree }, at) => tree.parents.map((one, index) => ({ one, index, ...places[at]! })))
        const children = changed.flatMap(({ tree, vectors }, at) =>
          tree.children.map((one, index) => ({ one, index, vector: vectors[index]!, ...places[at]! })),
        )
        await add(
          'document',
          ['key bigint', 'id text', 'title text', 'length bigint', 'content_hash text', 'topic text', 'year bigint'],
          [
            numberArray(places.map(({ document }) => document)),
            textArray(changed.map(({ tree }) => tree.document)),
            textArray(changed.map(({ tree }) => tree.title)),
            numberArray(changed.map(({ tree }) => tree.text.length)),
            textArray(changed.map((document) => hashes[documents.indexOf(document)]!)),
            textArray(changed.map(({ metadata }) => metadata.topic)),
            numberArray(changed.map(({ metadata }) => metadata.year)),
          ],
        )
        await add(
          'parent',
          ['key bigint', 'document bigint', 'id text', 'start bigint', '"end" bigint', 'text text'],
          [
            numberArray(parents.map(({ parent, index }) => parent + index)),
            numberArray(parents.map(({ document }) => document)),
            textArray(parents.map(({ one }) => one.id)),
            numberArray(parents.map(({ one }) => one.start)),
            numberArray(parents.map(({ one }) => one.end)),
            textArray(parents.map(({ one }) => one.text)),
          ],
        )
        await add(
          'child',
          [
            'key bigint',
            'document bigint',
            'parent bigint',
            'place bigint',
            'id text',
            'lead bigint',
            'start bigint',
            '"end" bigint',
            'outline text',
          ],
          [
            numberArray(children.map(({ child, index }) => child + index)),
            numberArray(children.map(({ document }) => document)),
            numberArray(children.map(({ parent, one }) => parent + one.above)),
            numberArray(children.map(({ index }) => index)),
            textArray(children.map(({ one }) => one.id)),
            numberArray(children.map(({ one }) => one.lead)),
            numberArray(children.map(({ one }) => one.start)),
            numberArray(children.map(({ one }) => one.end)),
            textArray(children.map(({ one }) => JSON.stringify(one.outline))),
          ],
        )
        await add(
          'vector',
          ['child bigint', 'document bigint', 'vector halfvec'],
          [
            numberArray(children.map(({ child, index }) => child + index)),
            numberArray(children.map(({ document }) => document)),
            halfVectorArray(
              children.map(({ vector }) => vector),
              vectorType,
            ),
          ],
        )
        await add(
          'words',
          ['child bigint', 'document bigint', 'words text'],
          [
            numberArray(children.map(({ child, index }) => child + index)),
            numberArray(children.map(({ document }) => document)),
            textArray(children.map(({ one }) => form.ofChild(one.text.slice(one.lead)))),
          ],
        )
        return children.length
      }),
    async maintain() {
      await client.query(`analyze ${tables.join(', ')}`)
      await client.query(`select gin_clean_pending_list('words_words')`)
      if (indexed)
        await client.query(
          `create index vector_near on vector using hnsw (vector halfvec_ip_ops) with (m = 16, ef_construction = 200) where workspace = '${workspace}'`,
        )
    },
    nearest: (vector, limit, where) =>
      transaction(
        async () => {
          // The index is for one workspace, so its name stands in the statement.
          const { rows } = await client.query(
            `select child, -distance as cosine from (
               select child, vector <#> $2::halfvec as distance from vector where workspace = '${workspace}' and workspace = $1
               ${where === undefined ? '' : `and ${allowed(4)}`} order by distance limit $3
             ) as nearest`,
            [workspace, halfVectorBytes(vector), limit, ...(where === undefined ? [] : filter(where))],
          )
          return rows.map((row) => Number(row.child))
        },
        ...(indexed ? searchSettings : []),
      ),
    matching: (question, limit, where) =>
      transaction(async () => {
        const { rows } = await client.query(
          `select child, ts_rank(words, asked) as score from words, (select $2::tsquery) as one (asked)
           where workspace = $1 and words @@ asked ${where === undefined ? '' : `and ${allowed(4)}`} order by score desc, child limit $3`,
          [
            workspace,
            form
              .ofQuestion(question)
              .map((word) => `'${word}'`)
              .join(' | '),
            limit,
            ...(where === undefined ? [] : filter(where)),
          ],
        )
        return rows.map((row) => Number(row.child))
      }),
    fetch: (children) =>
      transaction(async () => {
        const { rows } = await client.query(
          `select child.key, child.id, child.start, child."end", child.place, child.outline, parent.key as parent, parent.id as parent_id,
             parent.start as parent_start, parent."end" as parent_end, parent.text, document.id as document, document.title, document.topic, document.year
           from child join parent on parent.key = child.parent join document on document.key = child.document
           where child.key = any($2::bigint[]) and child.workspace = $1`,
          [workspace, numberArray(children)],
        )
        const byKey = new Map(rows.map((row) => [Number(row.key), fetchedChild(row)]))
        return children.map((key) => byKey.get(key)!)
      }),
    close: () => client.end(),
  }
}

function fetchedChild(row: Record<string, unknown>): FetchedChild {
  const start = Number(row['start'])
  const end = Number(row['end'])
  const parentStart = Number(row['parent_start'])
  const text = row['text'] as string
  return {
    key: Number(row['key']),
    id: row['id'] as string,
    start,
    end,
    index: row['place'] as number,
    text: text.slice(Math.max(0, start - parentStart), end - parentStart),
    outline: row['outline'] as string[],
    parent: {
      key: Number(row['parent']),
      id: row['parent_id'] as string,
      start: parentStart,
      end: Number(row['parent_end']),
      text,
    },
    document: {
      id: row['document'] as string,
      title: row['title'] as string,
      metadata: { topic: row['topic'], year: row['year'] },
    },
  }
}
