import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sqliteCache } from 'ashlar/cache'
import { localEmbedder } from 'ashlar/local'
import { averaged, identityKey } from 'ashlar/models'
import { processTime } from '../../bench/harness/interleave.ts'
import { modelFolder } from '../../bench/inputs/model-folder.ts'
import { cacheFolder } from '../eval-cache.ts'
import type { Embed } from './peer.ts'

/** The one embedder of all peers. */
export interface PeerEmbedder extends AsyncDisposable {
  readonly embed: Embed
  /** Set to have texts embedded although their vectors are kept. */
  fresh: boolean
  /** CPU milliseconds spent on questions. */
  readonly time: number
}

const batch = 64

/**
 * all-MiniLM-L6-v2 q8 through `localEmbedder`, as every peer is given it: a text that is longer than the model reads gets the mean of its windows.
 *
 * Vectors are kept by the hash of their text, beside what else the evaluations keep.
 */
export async function openPeerEmbedder(step: (embedded: number) => void = () => {}): Promise<PeerEmbedder> {
  const local = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
  const embedder = averaged(local)
  const identity = identityKey(embedder.identity)
  const cache = sqliteCache(join(cacheFolder(), 'peers.sqlite'))
  let time = 0
  let embedded = 0

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    // White space only parts words for this model: texts that differ in nothing else have the same vector.
    const bare = texts.map((text) => text.trim().replaceAll(/\s+/g, ' '))
    const keys = bare.map((text) => createHash('sha256').update(`${identity}\n${text}`).digest('hex'))
    const kept = opened.fresh ? bare.map(() => undefined) : await cache.get(keys)
    const vectors: Float32Array[] = []
    const made: { key: string; value: Uint8Array }[] = []
    for (const [at, bytes] of kept.entries()) {
      if (bytes === undefined) {
        const [vector] = (await embedder.embed([bare[at]!], { as: 'document' })).vectors
        vectors.push(vector!)
        made.push({ key: keys[at]!, value: new Uint8Array(vector!.buffer, vector!.byteOffset, vector!.byteLength) })
        step(++embedded)
      } else vectors.push(new Float32Array(Uint8Array.from(bytes).buffer))
    }
    if (!opened.fresh) await cache.set(made)
    return vectors
  }

  const opened = {
    fresh: false,
    get time() {
      return time
    },
    async embed(texts: readonly string[], as: 'document' | 'query') {
      const before = processTime()
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += batch) vectors.push(...(await embedBatch(texts.slice(at, at + batch))))
      if (as === 'query') time += processTime() - before
      return vectors
    },
    async [Symbol.asyncDispose]() {
      await cache[Symbol.asyncDispose]()
      await local[Symbol.asyncDispose]()
    },
  }
  return opened
}
