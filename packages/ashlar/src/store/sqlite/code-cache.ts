import { readCodeBlock } from './code-block.ts'
import { CodeScanner, type HeldBlock } from './code-scanner.ts'
import type { Connection } from './connection.ts'

interface CachedBlock {
  readonly version: number
  readonly block: HeldBlock
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
  #scanner: CodeScanner | undefined
  #passing: HeldBlock[] = []
  #bytes = 0

  /** @param most Bytes that are kept; what does not fit is read by each search. */
  constructor(most: number) {
    this.#most = most
  }

  /** Scans the blocks that {@link CodeCache.read} gives. A store that only writes needs none. */
  get scanner(): CodeScanner {
    this.#scanner ??= new CodeScanner()
    return this.#scanner
  }

  /** The blocks of an embedding as the connection's transaction sees them, valid until {@link CodeCache.letGo}. */
  read(connection: Connection, workspace: number, embedding: number, version: number): readonly HeldBlock[] {
    const cached = this.#embeddings.get(embedding) ?? { version: -1, blocks: new Map() }
    this.#embeddings.set(embedding, cached)
    if (cached.version === version) return Array.from(cached.blocks.values(), ({ block }) => block)
    const rows = connection.all(
      'SELECT block, version FROM code_block WHERE workspace = ? AND embedding = ? ORDER BY block',
      workspace,
      embedding,
    )
    const kept = new Map<number, CachedBlock>()
    const found: HeldBlock[] = []
    let isWhole = true
    for (const row of rows) {
      const number = row['block'] as number
      const known = cached.blocks.get(number)
      if (known?.version === row['version']) cached.blocks.delete(number)
      const entry = known?.version === row['version'] ? known : this.#readBlock(connection, workspace, embedding, number)
      found.push(entry.block)
      if (entry === known) kept.set(number, entry)
      else if (this.#bytes + entry.bytes <= this.#most) {
        this.#bytes += entry.bytes
        kept.set(number, entry)
      } else {
        this.#passing.push(entry.block)
        isWhole = false
      }
    }
    this.#drop(cached)
    cached.blocks = kept
    cached.version = isWhole ? version : -1
    return found
  }

  /** Forgets what was read beyond the limit. */
  letGo(): void {
    for (const block of this.#passing) this.scanner.release(block)
    this.#passing = []
  }

  forget(embedding: number): void {
    const known = this.#embeddings.get(embedding)
    if (known !== undefined) this.#drop(known)
    this.#embeddings.delete(embedding)
  }

  #drop({ blocks }: CachedCodes): void {
    for (const { bytes, block } of blocks.values()) {
      this.#bytes -= bytes
      this.scanner.release(block)
    }
  }

  #readBlock(connection: Connection, workspace: number, embedding: number, number: number): CachedBlock {
    const row = connection.get(
      'SELECT version, packed FROM code_block WHERE workspace = ? AND embedding = ? AND block = ?',
      workspace,
      embedding,
      number,
    )
    const packed = row?.['packed'] as Uint8Array
    return { version: row?.['version'] as number, block: this.scanner.hold(readCodeBlock(packed)), bytes: packed.byteLength }
  }
}
