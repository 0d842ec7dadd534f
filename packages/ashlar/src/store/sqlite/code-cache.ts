import { type CodeBlock, readCodeBlock } from './code-block.ts'
import type { Connection } from './connection.ts'

interface CachedBlock {
  readonly version: number
  readonly block: CodeBlock
  readonly bytes: number
}

interface CachedCodes {
  version: number
  blocks: Map<number, CachedBlock>
}

/** Codes that this process has read, by version: what another process wrote since is read again, and nothing else. */
export class CodeCache {
  readonly #most: number
  readonly #embeddings = new Map<number, CachedCodes>()
  #bytes = 0

  /** @param most Bytes that are kept; what does not fit is read by each search. */
  constructor(most: number) {
    this.#most = most
  }

  /** The blocks of an embedding as the connection's transaction sees them. */
  read(connection: Connection, workspace: number, embedding: number, version: number): readonly CodeBlock[] {
    const cached = this.#embeddings.get(embedding) ?? { version: -1, blocks: new Map() }
    this.#embeddings.set(embedding, cached)
    if (cached.version === version) return Array.from(cached.blocks.values(), ({ block }) => block)
    const rows = connection.all(
      'SELECT block, version FROM code_block WHERE workspace = ? AND embedding = ? ORDER BY block',
      workspace,
      embedding,
    )
    const kept = new Map<number, CachedBlock>()
    const found: CodeBlock[] = []
    let isWhole = true
    for (const row of rows) {
      const number = row['block'] as number
      const known = cached.blocks.get(number)
      if (known?.version === row['version']) cached.blocks.delete(number)
      const entry = known?.version === row['version'] ? known : readBlock(connection, workspace, embedding, number)
      found.push(entry.block)
      if (entry === known) kept.set(number, entry)
      else if (this.#bytes + entry.bytes <= this.#most) {
        this.#bytes += entry.bytes
        kept.set(number, entry)
      } else isWhole = false
    }
    for (const { bytes } of cached.blocks.values()) this.#bytes -= bytes
    cached.blocks = kept
    cached.version = isWhole ? version : -1
    return found
  }

  forget(embedding: number): void {
    for (const { bytes } of this.#embeddings.get(embedding)?.blocks.values() ?? []) this.#bytes -= bytes
    this.#embeddings.delete(embedding)
  }
}

function readBlock(connection: Connection, workspace: number, embedding: number, number: number): CachedBlock {
  const row = connection.get(
    'SELECT version, packed FROM code_block WHERE workspace = ? AND embedding = ? AND block = ?',
    workspace,
    embedding,
    number,
  )
  const packed = row?.['packed'] as Uint8Array
  return { version: row?.['version'] as number, block: readCodeBlock(packed), bytes: packed.byteLength }
}
