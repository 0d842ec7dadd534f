import type { ModelCache } from 'ashlar/models'
import type { DocumentEmbedding, StoredDocument, StoredWindow } from 'ashlar/stores'
import type { Tree } from 'ashlar/tree'
import { type EmbeddedWindow, embedLate, type LateOptions, lateIdentity, planLate } from 'ashlar/vectors'

/** What is kept of a window. */
type MadeWindow = Pick<EmbeddedWindow, 'vectors' | 'pieces' | 'blob'>

/** Apart from what the library keeps of the same windows. */
function nameOf(key: string): string {
  return `design/${key}`
}

/** A tree with its late vectors and token states, ready to be stored. Windows that the cache has are not embedded again. */
export async function lateDocument(
  tree: Tree,
  options: LateOptions,
  cache: ModelCache,
  step: (done: number, total: number) => void,
): Promise<StoredDocument> {
  const planned = planLate(tree, options)
  const made = new Map<string, MadeWindow>()
  const kept = await cache.get(planned.map(({ key }) => nameOf(key)))
  for (const [at, bytes] of kept.entries()) if (bytes !== undefined) made.set(planned[at]!.key, unpack(bytes))
  for await (const window of embedLate(tree, { ...options, known: (key) => made.has(key), tooLong: 'split' })) {
    made.set(window.key, window)
    await cache.set([{ key: nameOf(window.key), value: pack(window) }])
    step(made.size, planned.length)
  }
  const parts = planned.map(({ key, first, after }) => ({ ...made.get(key)!, key, first, after }))
  const windows = parts.map(({ key, first, after, blob, pieces }): StoredWindow => ({ key, first, after, blob, pieces }))
  const embedding: DocumentEmbedding = {
    identity: lateIdentity(options),
    vectors: parts.flatMap(({ vectors }) => vectors),
    // A child's vector depends on its whole window and on its place there.
    contentKeys: parts.flatMap(({ key, vectors }) => vectors.map((_, at) => `${key}/${at}`)),
    windows,
  }
  return { tree, embeddings: [embedding] }
}

/** Numbers of four bytes: how many children and dimensions, bytes of the blob, how many pieces each child has; then vectors, pieces, blob. */
function pack({ vectors, pieces, blob }: MadeWindow): Uint8Array {
  const head = Uint32Array.of(vectors.length, vectors[0]?.length ?? 0, blob.length, ...pieces.map(({ length }) => length))
  return Buffer.concat([head, ...vectors, ...pieces].map(bytesOf).concat(Buffer.from(blob)))
}

function unpack(bytes: Uint8Array): MadeWindow {
  const { buffer } = Uint8Array.from(bytes)
  const [children, dimensions, size] = new Uint32Array(buffer, 0, 3) as unknown as [number, number, number]
  const counts = new Uint32Array(buffer, 12, children)
  let at = 12 + 4 * children
  const vectors = Array.from(counts, () => {
    const vector = new Float32Array(buffer, at, dimensions)
    at += 4 * dimensions
    return vector
  })
  const pieces = Array.from(counts, (count) => {
    const ids = new Uint32Array(buffer, at, count)
    at += 4 * count
    return ids
  })
  return { vectors, pieces, blob: new Uint8Array(buffer, at, size) }
}

function bytesOf(part: Uint32Array | Float32Array): Buffer {
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength)
}
