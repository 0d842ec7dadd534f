/** Marks a file as a store of ours ('ashs'), so that no other database is taken for one. */
export const applicationId = 0x6173_6873

/**
 * What each version of the schema adds to the one before. What was released is never edited: a change is another entry.
 *
 * Every table has the number of the workspace, and references include it: a row cannot point into another workspace. Keys are given
 * once, by the counter, and are unique over all tables.
 */
export const migrations: readonly string[] = [
  `
-- Names of workspaces. Numbers keep every other row small.
CREATE TABLE workspace (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  name   TEXT NOT NULL UNIQUE
) STRICT;

-- The next key that nobody has taken. One row.
CREATE TABLE counter (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  next INTEGER NOT NULL
) STRICT;
INSERT INTO counter VALUES (1, 1);

-- One row a document. The packed columns come last: who does not ask for them does not read them.
CREATE TABLE document (
  key          INTEGER PRIMARY KEY,
  workspace    INTEGER NOT NULL REFERENCES workspace (number),
  id           TEXT NOT NULL,
  title        TEXT NOT NULL,
  format       TEXT NOT NULL,
  length       INTEGER NOT NULL,
  children     INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  version      INTEGER NOT NULL,
  notes        INTEGER NOT NULL,
  metadata     TEXT NOT NULL,
  layout       BLOB NOT NULL,
  fingerprints BLOB NOT NULL,
  UNIQUE (workspace, id),
  UNIQUE (workspace, key)
) STRICT;

-- What filters look up: one row for each value of each metadata field of each document.
CREATE TABLE field (
  workspace INTEGER NOT NULL,
  name      TEXT NOT NULL,
  type      INTEGER NOT NULL,
  value     ANY NOT NULL,
  document  INTEGER NOT NULL,
  PRIMARY KEY (workspace, name, type, value, document),
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX field_document ON field (workspace, document);

-- Text is kept here and nowhere else.
CREATE TABLE parent (
  key       INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL,
  document  INTEGER NOT NULL,
  id        TEXT NOT NULL,
  children  BLOB NOT NULL,
  text      TEXT NOT NULL,
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, key) ON DELETE CASCADE
) STRICT;
CREATE INDEX parent_document ON parent (workspace, document);

-- What was generated for a child.
CREATE TABLE note (
  child     INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL,
  document  INTEGER NOT NULL,
  note      TEXT NOT NULL,
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, key) ON DELETE CASCADE
) STRICT;
CREATE INDEX note_document ON note (workspace, document);

-- Embedding identities. The version rises with every change of the vectors under it; processes keep codes by it.
CREATE TABLE embedding (
  key       INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL REFERENCES workspace (number),
  identity  TEXT NOT NULL,
  active    INTEGER NOT NULL CHECK (active IN (0, 1)),
  version   INTEGER NOT NULL,
  vectors   INTEGER NOT NULL,
  UNIQUE (workspace, key)
) STRICT;
CREATE UNIQUE INDEX embedding_active ON embedding (workspace) WHERE active = 1;

-- Exact vectors (32-bit floats, little-endian), and the block that has the code of each.
CREATE TABLE vector (
  workspace   INTEGER NOT NULL,
  child       INTEGER NOT NULL,
  embedding   INTEGER NOT NULL,
  document    INTEGER NOT NULL,
  block       INTEGER NOT NULL,
  content_key TEXT NOT NULL,
  vector      BLOB NOT NULL,
  PRIMARY KEY (workspace, child, embedding),
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, key),
  FOREIGN KEY (workspace, embedding) REFERENCES embedding (workspace, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX vector_document ON vector (workspace, document, embedding, block);

-- Codes of vectors with the keys of their children and documents, up to 256 in a row: what a search reads first.
CREATE TABLE code_block (
  workspace INTEGER NOT NULL,
  embedding INTEGER NOT NULL,
  block     INTEGER NOT NULL,
  version   INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  packed    BLOB NOT NULL,
  FOREIGN KEY (workspace, embedding) REFERENCES embedding (workspace, key)
) STRICT;
CREATE UNIQUE INDEX code_block_place ON code_block (workspace, embedding, block);
CREATE INDEX code_block_version ON code_block (workspace, embedding, block, version);

-- Token states: one row for each window of a document under an embedding.
CREATE TABLE window (
  workspace INTEGER NOT NULL,
  document  INTEGER NOT NULL,
  embedding INTEGER NOT NULL,
  key       TEXT NOT NULL,
  pieces    BLOB NOT NULL,
  blob      BLOB NOT NULL,
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, key) ON DELETE CASCADE,
  FOREIGN KEY (workspace, embedding) REFERENCES embedding (workspace, key) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX window_key ON window (workspace, document, embedding, key);

-- The lexical index: immutable segments of pages, and what later writes struck out of them.
CREATE TABLE segment (
  id        INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL REFERENCES workspace (number),
  UNIQUE (workspace, id)
) STRICT;
CREATE TABLE segment_page (
  workspace INTEGER NOT NULL,
  segment   INTEGER NOT NULL,
  page      INTEGER NOT NULL,
  bytes     BLOB NOT NULL,
  FOREIGN KEY (workspace, segment) REFERENCES segment (workspace, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX segment_page_place ON segment_page (workspace, segment, page);
CREATE TABLE tombstone (
  number    INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL,
  segment   INTEGER NOT NULL,
  places    BLOB NOT NULL,
  FOREIGN KEY (workspace, segment) REFERENCES segment (workspace, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX tombstone_segment ON tombstone (workspace, segment);
`,
]

/**
 * The statements that bring a file to the current schema, for reading or for running by hand. `sqliteStore` does it by itself.
 *
 * @param from The version that the file has, which is its `user_version`.
 * @default an empty file
 */
export function schemaSql(from = 0): string {
  return migrationSql(migrations, from)
}

/** The statements that lead from a version to the last of a list. */
export function migrationSql(steps: readonly string[], from: number): string {
  const text = steps.slice(from).map((sql) => sql.trim())
  return `${text.join('\n\n')}\n\nPRAGMA application_id = ${applicationId};\nPRAGMA user_version = ${steps.length};\n`
}
