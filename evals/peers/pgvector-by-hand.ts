import pg from 'pg'
import pgvector from 'pgvector/pg'
import { type PostgresServer, startPostgres } from '../../scripts/postgres.ts'
import { cutRecursively } from './langchain.ts'
import { type CutSettings, describeCut, type Peer } from './peer.ts'

/** What a team decides when it writes this. */
export interface ByHandSettings extends CutSettings {
  /** Whether a text must have all words of the question, as `plainto_tsquery` asks, or any. */
  readonly words: 'all' | 'any'
  /** How texts that match are ranked. @default 'ts_rank_cd' */
  readonly rank?: 'ts_rank' | 'ts_rank_cd'
  /** How the nearest vectors are found. */
  readonly vectors: 'hnsw' | 'exact'
}

/** Results of each leg, and the constant of the fusion, as in the hybrid example of pgvector. */
const legs = 20
const fusion = 60

/**
 * PostgreSQL as a team would write it by hand: chunks of LangChain's splitter, an HNSW index of pgvector, `tsvector` with a GIN index, and
 * the reciprocal ranks of both.
 */
export function peer(settings: ByHandSettings): Peer {
  const { words, vectors, rank = 'ts_rank_cd' } = settings
  let server: Promise<PostgresServer> | undefined
  let databases = 0
  return {
    name: 'pgvector and tsvector by hand',
    settings: `${describeCut(settings)}, ${vectors === 'hnsw' ? 'HNSW' : 'exact'} vectors, ${words} of the words by ${rank}, reciprocal ranks`,
    async open(documents, embed) {
      const { chunks, counts } = await cutRecursively(documents, settings)
      const rows = await embed(
        chunks.map(({ pageContent }) => pageContent),
        'document',
      )
      server ??= startPostgres()
      const client = await openDatabase((await server).url, `collection_${++databases}`)
      await client.query('CREATE EXTENSION IF NOT EXISTS vector')
      await pgvector.registerTypes(client)
      await client.query(`CREATE TABLE chunk (
        id integer PRIMARY KEY,
        content text NOT NULL,
        embedding vector(${rows[0]!.length}) NOT NULL,
        words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED
      )`)
      for (let at = 0; at < chunks.length; at += 500) {
        const part = chunks.slice(at, at + 500)
        await client.query(
          'INSERT INTO chunk (id, content, embedding) SELECT * FROM unnest($1::integer[], $2::text[], $3::vector[])',
          [
            part.map((_, index) => at + index),
            part.map(({ pageContent }) => pageContent.replaceAll('\0', ' ')),
            part.map((_, index) => pgvector.toSql(Array.from(rows[at + index]!))),
          ],
        )
      }
      await client.query('CREATE INDEX ON chunk USING gin (words)')
      if (vectors === 'hnsw') await client.query('CREATE INDEX ON chunk USING hnsw (embedding vector_cosine_ops)')
      await client.query('ANALYZE chunk')
      return {
        chunks: counts,
        async search(question, limit) {
          const [asked] = await embed([question], 'query')
          const each = Math.max(limit, legs)
          const { rows: hits } = await client.query<{ id: number }>(hybrid(words, rank), [
            pgvector.toSql(Array.from(asked!)),
            question.replaceAll('\0', ' '),
            each,
            limit,
          ])
          return hits.map(({ id }) => chunks[id]!.metadata.found)
        },
        async close() {
          await client.end()
        },
      }
    },
    async close() {
      await (await server)?.stop()
    },
  }
}

async function openDatabase(url: string, name: string): Promise<pg.Client> {
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  const client = new pg.Client(Object.assign(new URL(url), { pathname: name }).href)
  await client.connect()
  return client
}

function hybrid(words: ByHandSettings['words'], rank: NonNullable<ByHandSettings['rank']>): string {
  const all = "plainto_tsquery('english', $2)"
  const query = words === 'all' ? all : `replace(${all}::text, '&', '|')::tsquery`
  return `
    WITH meaning AS (
      SELECT id, row_number() OVER (ORDER BY distance) AS rank
      FROM (SELECT id, embedding <=> $1 AS distance FROM chunk ORDER BY embedding <=> $1 LIMIT $3) AS nearest
    ), wording AS (
      SELECT id, row_number() OVER (ORDER BY score DESC, id) AS rank
      FROM (
        SELECT id, ${rank}(words, query) AS score FROM chunk, (SELECT ${query} AS query) AS asked
        WHERE words @@ query ORDER BY score DESC, id LIMIT $3
      ) AS matching
    )
    SELECT id FROM meaning FULL OUTER JOIN wording USING (id)
    ORDER BY coalesce(1.0 / (${fusion} + meaning.rank), 0) + coalesce(1.0 / (${fusion} + wording.rank), 0) DESC, id
    LIMIT $4`
}
