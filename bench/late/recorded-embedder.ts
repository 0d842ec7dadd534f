import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Embedded, type Embedder, identityKey, noUsage, type TokenStates } from 'ashlar/models'

const usualHome = fileURLToPath(new URL('../../.cache/late', import.meta.url))

/**
 * The same embedder with what it once gave written down, so that a second run over the same texts takes seconds. Only for judging
 * quality: reading a file says nothing about speed.
 */
export function recordedEmbedder(embedder: Embedder, home: string = usualHome): Embedder {
  const folder = join(home, identityKey(embedder.identity))
  mkdirSync(folder, { recursive: true })
  return {
    identity: embedder.identity,
    maxBatch: embedder.maxBatch,
    givesTokens: embedder.givesTokens,
    ...(embedder.counter === undefined ? {} : { counter: embedder.counter }),
    async embed(texts, { as }) {
      const vectors: Float32Array[] = []
      const tokens: TokenStates[] = []
      for (const text of texts) {
        const file = join(folder, createHash('sha256').update(`${as}:${text}`).digest('hex').slice(0, 32))
        if (!existsSync(file)) record(file, await embedder.embed([text], { as, tokens: true }))
        const { vector, states } = read(file)
        vectors.push(vector)
        tokens.push(states)
      }
      return { vectors, tokens, usage: noUsage }
    },
  }
}

/** All fields are four bytes wide: two numbers, then the arrays in this order. */
function record(file: string, { vectors: [vector], tokens: [states] = [] }: Embedded): void {
  const { starts, ends, ids } = states!
  const parts = [Uint32Array.of(ids.length, vector!.length), starts, ends, ids, vector!, states!.states]
  const bytes = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))
  // Two processes may write the same at once.
  const part = `${file}.${process.pid}`
  writeFileSync(part, Buffer.concat(bytes))
  renameSync(part, file)
}

function read(file: string): { readonly vector: Float32Array; readonly states: TokenStates } {
  const { buffer, byteOffset } = aligned(readFileSync(file))
  const [count, dimensions] = new Uint32Array(buffer, byteOffset, 2) as unknown as [number, number]
  const after = (parts: number): number => byteOffset + 8 + 4 * count * parts
  const [starts, ends, ids] = [0, 1, 2].map((part) => new Uint32Array(buffer, after(part), count)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ]
  const vector = new Float32Array(buffer, after(3), dimensions)
  const states = new Float32Array(buffer, after(3) + 4 * dimensions, count * dimensions)
  return { vector, states: { starts, ends, ids, states } }
}

function aligned(bytes: Buffer): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes)
}
