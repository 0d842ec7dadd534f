import { createHash } from 'node:crypto'
import pg from 'pg'
import type { BareStore, BenchFilter, FetchedChild, WordForm } from './bare-store.ts'

const workspace = 'bench'

/** Keys that one call of the sequence sets aside. */
const keysAtOnce = 100_000

/**
 * Documents in PostgreSQL by hand, over `pg`: lists unnested into each table, one transaction a batch, halfvec with the index that ours gets
 * too, `tsvector` under a GIN index. The workspace is in every condition, and row-level security with settings of the transaction stands
 * behind it, as it does in ours.
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
      content_hash text not null, metadata jsonb not null, unique (workspace, id)
    );
    create index document_metadata on document using gin (metadata jsonb_path_ops);
    create table parent (
      key bigint primary key, workspace text not null, document bigint not null references document on delete cascade, id text not null,
      start bigint not null, "end" bigint not null, text text not null
    );
    create index parent_document on parent (document);
    create table child (
      key bigint primary key, workspace text not null, document bigint not null references document on delete cascade,
      parent bigint not null references parent, place integer not null, id text not null, lead integer not null, start bigint not null,
      "end" bigint not null, outline jsonb not null
    );
    create index child_document on child (document);
    create index child_parent on child (parent);
    create table vector (
      child bigint primary key references child on delete cascade, workspace text not null, document bigint not null,
      vector halfvec(256) not null
    ) with (toast_tuple_target = 8160);
    create index vector_document on vector (document);
    create table words (
      child bigint primary key references child on delete cascade, workspace text not null, document bigint not null,
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
  const begin = `begin; select set_config('bench.workspace', '${workspace}', true)`
  const transaction = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await client.query(begin)
    const result = await work()
    await client.query('commit')
    return result
  }
  const allowed = (first: number): string =>
    `document in (select key from document where workspace = $1 and metadata->>'topic' = any($${first}::text[])
       and (metadata->>'year')::numeric >= $${first + 1}::numeric)`
  const filter = ({ topics, year }: BenchFilter): unknown[] => [topics, year]
  const add = (table: string, columns: readonly string[], values: readonly (readonly unknown[])[]): Promise<unknown> => {
    const names = columns.map((column) => column.slice(0, column.lastIndexOf(' ')))
    const arrays = columns.map((column, at) => `$${at + 2}::${column.slice(column.lastIndexOf(' ') + 1)}[]`)
    const given = names.map((name) => (name === 'words' ? toWords : name))
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
        if (gone.length > 0)
          await client.query('delete from document where workspace = $1 and key = any($2::bigint[])', [workspace, gone])
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
          ['key bigint', 'id text', 'title text', 'length bigint', 'content_hash text', 'metadata jsonb'],
          [
            places.map(({ document }) => document),
            changed.map(({ tree }) => tree.document),
            changed.map(({ tree }) => tree.title),
            changed.map(({ tree }) => tree.text.length),
            changed.map((document) => hashes[documents.indexOf(document)]),
            changed.map(({ metadata }) => JSON.stringify(metadata)),
          ],
        )
        await add(
          'parent',
          ['key bigint', 'document bigint', 'id text', 'start bigint', '"end" bigint', 'text text'],
          [
            parents.map(({ parent, index }) => parent + index),
            parents.map(({ document }) => document),
            parents.map(({ one }) => one.id),
            parents.map(({ one }) => one.start),
            parents.map(({ one }) => one.end),
            parents.map(({ one }) => one.text),
          ],
        )
        await add(
          'child',
          [
            'key bigint',
            'document bigint',
            'parent bigint',
            'place integer',
            'id text',
            'lead integer',
            'start bigint',
            '"end" bigint',
            'outline jsonb',
          ],
          [
            children.map(({ child, index }) => child + index),
            children.map(({ document }) => document),
            children.map(({ parent, one }) => parent + one.above),
            children.map(({ index }) => index),
            children.map(({ one }) => one.id),
            children.map(({ one }) => one.lead),
            children.map(({ one }) => one.start),
            children.map(({ one }) => one.end),
            children.map(({ one }) => JSON.stringify(one.outline)),
          ],
        )
        await add(
          'vector',
          ['child bigint', 'document bigint', 'vector halfvec'],
          [
            children.map(({ child, index }) => child + index),
            children.map(({ document }) => document),
            children.map(({ vector }) => vectorText(vector)),
          ],
        )
        await add(
          'words',
          ['child bigint', 'document bigint', 'words text'],
          [
            children.map(({ child, index }) => child + index),
            children.map(({ document }) => document),
            children.map(({ one }) => form.ofChild(one.text.slice(one.lead))),
          ],
        )
        return children.length
      }),
    async maintain() {
      await client.query(`analyze ${tables.join(', ')}`)
      await client.query(`select gin_clean_pending_list('words_words')`)
      if (indexed)
        await client.query(
          `create index vector_near on vector using hnsw (vector halfvec_ip_ops) where workspace = '${workspace}'`,
        )
    },
    nearest: (vector, limit, where) =>
      transaction(async () => {
        if (indexed)
          await client.query(
            'set local hnsw.iterative_scan = strict_order; set local hnsw.ef_search = 200; set local hnsw.max_scan_tuples = 100000',
          )
        // The index is for one workspace, so its name stands in the statement.
        const { rows } = await client.query(
          `select child, -(vector <#> $2::halfvec) as cosine from vector where workspace = '${workspace}' and workspace = $1
           ${where === undefined ? '' : `and ${allowed(4)}`} order by vector <#> $2::halfvec limit $3`,
          [workspace, vectorText(vector), limit, ...(where === undefined ? [] : filter(where))],
        )
        return rows.map((row) => Number(row.child))
      }),
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
             parent.start as parent_start, parent."end" as parent_end, parent.text, document.id as document, document.title, document.metadata
           from child join parent on parent.key = child.parent join document on document.key = child.document
           where child.key = any($2::bigint[]) and child.workspace = $1`,
          [workspace, children],
        )
        const byKey = new Map(rows.map((row) => [Number(row.key), fetchedChild(row)]))
        return children.map((key) => byKey.get(key)!)
      }),
    close: () => client.end(),
  }
}

/** As pgvector's own client for this driver writes it. */
function vectorText(vector: Float32Array): string {
  return JSON.stringify(Array.from(vector))
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
    document: { id: row['document'] as string, title: row['title'] as string, metadata: row['metadata'] },
  }
}
