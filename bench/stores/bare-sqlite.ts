import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { loadPeer } from '../peers/load.ts'
import type { BareStore, BenchDocument, BenchFilter, FetchedChild, WordForm } from './bare-store.ts'

const workspace = 1

/**
 * Documents in SQLite by hand: `node:sqlite` with every statement prepared once, text once a parent, vectors in sqlite-vec's table (the
 * faster peer of decision 0012; blobs scanned in JavaScript take more than twice its time), words in FTS5 without a copy of the text.
 */
export async function openBareSqlite(path: string, form: WordForm): Promise<BareStore> {
  const { load } = await loadPeer<{ load(database: DatabaseSync): void }>('sqlite-vec')
  const database = new DatabaseSync(path, { allowExtension: true })
  load(database)
  database.exec(`
    PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824;
    CREATE TABLE document (
      key INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, length INTEGER NOT NULL,
      content_hash TEXT NOT NULL, topic TEXT NOT NULL, year INTEGER NOT NULL, UNIQUE (workspace, id)
    ) STRICT;
    CREATE INDEX document_topic ON document (workspace, topic, year);
    CREATE TABLE parent (
      key INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE,
      id TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX parent_document ON parent (document);
    CREATE TABLE child (
      key INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE,
      parent INTEGER NOT NULL REFERENCES parent (key), place INTEGER NOT NULL, id TEXT NOT NULL, lead INTEGER NOT NULL,
      start INTEGER NOT NULL, end INTEGER NOT NULL, outline TEXT NOT NULL
    ) STRICT;
    CREATE INDEX child_document ON child (document);
    CREATE INDEX child_parent ON child (parent);
    CREATE VIRTUAL TABLE vector USING vec0 (child INTEGER PRIMARY KEY, workspace INTEGER PARTITION KEY, vector FLOAT[256] distance_metric=cosine);
    CREATE VIRTUAL TABLE words USING fts5 (text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_.'");
  `)
  const known = database.prepare('SELECT key, content_hash FROM document WHERE workspace = ? AND id = ?')
  const forget = [
    'DELETE FROM words WHERE rowid IN (SELECT key FROM child WHERE workspace = ? AND document = ?)',
    'DELETE FROM vector WHERE child IN (SELECT key FROM child WHERE workspace = ? AND document = ?)',
    'DELETE FROM child WHERE workspace = ? AND document = ?',
    'DELETE FROM document WHERE workspace = ? AND key = ?',
  ].map((sql) => database.prepare(sql))
  const addDocument = database.prepare('INSERT INTO document VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)')
  const addParent = database.prepare('INSERT INTO parent VALUES (NULL, ?, ?, ?, ?, ?, ?)')
  const addChild = database.prepare('INSERT INTO child VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const addVector = database.prepare('INSERT INTO vector (child, workspace, vector) VALUES (?, ?, ?)')
  const addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
  const nearest = database.prepare(
    'SELECT child, distance FROM vector WHERE vector MATCH ? AND k = ? AND workspace = ? ORDER BY distance',
  )
  const allowed = 'SELECT key FROM document WHERE workspace = ? AND topic IN (SELECT value FROM json_each(?)) AND year >= ?'
  const nearestWhere = database.prepare(
    `SELECT child, distance FROM vector WHERE vector MATCH ? AND k = ? AND workspace = ?
       AND child IN (SELECT key FROM child WHERE document IN (${allowed})) ORDER BY distance`,
  )
  const matching = database.prepare(
    `SELECT words.rowid AS child, bm25(words) AS score FROM words JOIN child ON child.key = words.rowid
     WHERE words MATCH ? AND child.workspace = ? ORDER BY score LIMIT ?`,
  )
  const matchingWhere = database.prepare(
    `SELECT words.rowid AS child, bm25(words) AS score FROM words JOIN child ON child.key = words.rowid
     WHERE words MATCH ? AND child.workspace = ? AND child.document IN (${allowed}) ORDER BY score LIMIT ?`,
  )
  const fetch = database.prepare(
    `SELECT child.key, child.id, child.start, child.end, child.place, child.outline, parent.key AS parent, parent.id AS parent_id,
       parent.start AS parent_start, parent.end AS parent_end, parent.text, document.id AS document, document.title, document.topic, document.year
     FROM child JOIN parent ON parent.key = child.parent JOIN document ON document.key = child.document
     WHERE child.key IN (SELECT value FROM json_each(?)) AND child.workspace = ?`,
  )

  const putOne = ({ tree, metadata, vectors }: BenchDocument): number => {
    const hash = createHash('sha256')
      .update(JSON.stringify([tree.title, metadata, tree.children.map(({ id }) => id)]))
      .update(tree.text)
      .digest('hex')
    const old = known.get(workspace, tree.document)
    if (old?.['content_hash'] === hash) return 0
    if (old !== undefined) for (const statement of forget) statement.run(workspace, old['key'] as number)
    const { topic, year } = metadata
    const document = addDocument.run(workspace, tree.document, tree.title, tree.text.length, hash, topic, year).lastInsertRowid
    for (const { id, first, after, text, start, end } of tree.parents) {
      const parent = addParent.run(workspace, document, id, start, end, text).lastInsertRowid
      for (let place = first; place < after; place++) {
        const child = tree.children[place]!
        const row = addChild.run(
          workspace,
          document,
          parent,
          place,
          child.id,
          child.lead,
          child.start,
          child.end,
          JSON.stringify(child.outline),
        )
        addVector.run(BigInt(row.lastInsertRowid), BigInt(workspace), bytesOf(vectors[place]!))
        addWords.run(row.lastInsertRowid, form.ofChild(child.text.slice(child.lead)))
      }
    }
    return tree.children.length
  }
  const filter = ({ topics, year }: BenchFilter): [number, string, number] => [workspace, JSON.stringify(topics), year]
  const query = (question: string): string =>
    form
      .ofQuestion(question)
      .map((word) => `"${word}"`)
      .join(' OR ')
  const keysOf = (rows: readonly Record<string, unknown>[]): number[] => rows.map((row) => row['child'] as number)
  return {
    async put(documents) {
      database.exec('BEGIN IMMEDIATE')
      let children = 0
      for (const document of documents) children += putOne(document)
      database.exec('COMMIT')
      return children
    },
    async maintain() {
      database.exec(`INSERT INTO words (words) VALUES ('optimize'); PRAGMA optimize`)
    },
    async nearest(vector, limit, where) {
      const asked = [bytesOf(vector), BigInt(limit), BigInt(workspace)] as const
      return keysOf(where === undefined ? nearest.all(...asked) : nearestWhere.all(...asked, ...filter(where)))
    },
    async matching(question, limit, where) {
      const asked = [query(question), workspace] as const
      return keysOf(where === undefined ? matching.all(...asked, limit) : matchingWhere.all(...asked, ...filter(where), limit))
    },
    async fetch(children) {
      const rows = fetch.all(JSON.stringify(children), workspace).map(fetchedChild)
      const byKey = new Map(rows.map((row) => [row.key, row]))
      return children.map((key) => byKey.get(key)!)
    },
    async close() {
      database.close()
    },
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

function fetchedChild(row: Record<string, unknown>): FetchedChild {
  const start = row['start'] as number
  const end = row['end'] as number
  const parentStart = row['parent_start'] as number
  const text = row['text'] as string
  return {
    key: row['key'] as number,
    id: row['id'] as string,
    start,
    end,
    index: row['place'] as number,
    text: text.slice(Math.max(0, start - parentStart), end - parentStart),
    outline: JSON.parse(row['outline'] as string) as string[],
    parent: {
      key: row['parent'] as number,
      id: row['parent_id'] as string,
      start: parentStart,
      end: row['parent_end'] as number,
      text,
    },
    document: {
      id: row['document'] as string,
      title: row['title'] as string,
      metadata: { topic: row['topic'], year: row['year'] },
    },
  }
}
