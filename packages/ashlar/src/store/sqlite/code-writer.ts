import type { VectorRow } from '../engine.ts'
import { blockSize, OpenCodeBlock, readCodeBlock } from './code-block.ts'
import type { Connection } from './connection.ts'
import { SignCodes } from './sign-codes.ts'

interface OpenEmbedding {
  readonly blocks: Map<number, OpenCodeBlock>
  /** The block that new codes go to. */
  last: number
  codes?: SignCodes
  added: number
}

/** Keeps the blocks of codes in step with the vectors of one write: what it touches is read once and written once. */
export class CodeWriter {
  readonly #connection: Connection
  readonly #workspace: number
  readonly #embeddings = new Map<number, OpenEmbedding>()

  constructor(connection: Connection, workspace: number) {
    this.#connection = connection
    this.#workspace = workspace
  }

  /** Before the vectors of a document are deleted. */
  deleteDocument(document: number): void {
    const rows = this.#connection.all(
      'SELECT child, embedding, block FROM vector WHERE workspace = ? AND document = ?',
      this.#workspace,
      document,
    )
    for (const row of rows) this.#delete(row['embedding'] as number, row['block'] as number, row['child'] as number)
  }

  /** Before the vectors of a child are deleted. */
  deleteChild(child: number): void {
    const rows = this.#connection.all(
      'SELECT embedding, block FROM vector WHERE workspace = ? AND child = ?',
      this.#workspace,
      child,
    )
    for (const row of rows) this.#delete(row['embedding'] as number, row['block'] as number, child)
  }

  /** Before vectors are written. Gives for each the block that has its code. */
  set(rows: readonly VectorRow[]): readonly number[] {
    const known = new Map<number, ReadonlyMap<number, number>>()
    for (const key of new Set(rows.map(({ embedding }) => embedding)))
      known.set(
        key,
        this.#knownBlocks(
          key,
          rows.filter(({ embedding }) => embedding === key),
        ),
      )
    return rows.map((row) => this.#set(row, known.get(row.embedding)?.get(row.child)))
  }

  #set({ embedding: key, child, document, vector }: VectorRow, known: number | undefined): number {
    const embedding = this.#embedding(key)
    embedding.codes ??= new SignCodes(vector.length)
    if (known === undefined) embedding.added++
    const number = known ?? this.#roomIn(key, embedding)
    this.#block(key, embedding, number).set(child, document, vector)
    return number
  }

  /** The blocks of the children that have a vector already; most that are written have none. */
  #knownBlocks(embedding: number, rows: readonly VectorRow[]): ReadonlyMap<number, number> {
    const found = this.#connection.all(
      `SELECT child, block FROM json_each(?) AS wanted CROSS JOIN vector
       WHERE vector.workspace = ? AND vector.child = wanted.value AND vector.embedding = ?`,
      JSON.stringify(rows.map(({ child }) => child)),
      this.#workspace,
      embedding,
    )
    return new Map(found.map((row) => [row['child'] as number, row['block'] as number]))
  }

  /** After everything else: writes the blocks that changed. */
  flush(): void {
    for (const [key, { blocks, added, codes }] of this.#embeddings) {
      const row = this.#connection.get(
        'UPDATE embedding SET version = version + 1, vectors = vectors + ? WHERE workspace = ? AND key = ? RETURNING version',
        added,
        this.#workspace,
        key,
      )
      for (const [number, block] of blocks) this.#write(key, number, block, codes, row?.['version'] as number)
    }
    this.#embeddings.clear()
  }

  #write(key: number, number: number, block: OpenCodeBlock, codes: SignCodes | undefined, version: number): void {
    const { count } = block
    if (count === 0)
      this.#connection.run(
        'DELETE FROM code_block WHERE workspace = ? AND embedding = ? AND block = ?',
        this.#workspace,
        key,
        number,
      )
    else
      this.#connection.run(
        `INSERT INTO code_block (workspace, embedding, block, version, count, packed) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET version = excluded.version, count = excluded.count, packed = excluded.packed`,
        this.#workspace,
        key,
        number,
        version,
        count,
        block.pack(codes),
      )
  }

  #delete(key: number, number: number, child: number): void {
    const embedding = this.#embedding(key)
    embedding.added--
    this.#block(key, embedding, number).delete(child)
  }

  #embedding(key: number): OpenEmbedding {
    const known = this.#embeddings.get(key)
    if (known !== undefined) return known
    const row = this.#connection.get(
      'SELECT max(block) AS last FROM code_block WHERE workspace = ? AND embedding = ?',
      this.#workspace,
      key,
    )
    const opened: OpenEmbedding = { blocks: new Map(), last: (row?.['last'] as number | null | undefined) ?? 1, added: 0 }
    this.#embeddings.set(key, opened)
    return opened
  }

  #roomIn(key: number, embedding: OpenEmbedding): number {
    if (this.#block(key, embedding, embedding.last).count >= blockSize) embedding.last++
    return embedding.last
  }

  #block(key: number, embedding: OpenEmbedding, number: number): OpenCodeBlock {
    const known = embedding.blocks.get(number)
    if (known !== undefined) return known
    const row = this.#connection.get(
      'SELECT packed FROM code_block WHERE workspace = ? AND embedding = ? AND block = ?',
      this.#workspace,
      key,
      number,
    )
    const block = row === undefined ? new OpenCodeBlock() : new OpenCodeBlock(readCodeBlock(row['packed'] as Uint8Array))
    embedding.blocks.set(number, block)
    return block
  }
}
