import { embeddingIdentity } from './embedding-identity.ts'
import type { Ingest } from './ingest.ts'
import type { WindowContent } from './packed-window.ts'

/** Vectors and windows of documents that are about to go, by what they were made from: new documents may hold the same text. */
export interface SpareVectors {
  readonly vectors: ReadonlyMap<string, Float32Array>
  readonly windows: ReadonlyMap<string, WindowContent>
}

/** Children whose vectors are kept in memory for this, at most: a few dozen megabytes. */
const mostChildren = 10_000

/** Documents that are asked for together. */
const group = 20

/** What is stored of documents, as far as there is room: a file that was renamed and edited then costs no more than its edit. */
export async function spareVectors(ingest: Ingest, documents: readonly string[], signal?: AbortSignal): Promise<SpareVectors> {
  const vectors = new Map<string, Float32Array>()
  const windows = new Map<string, WindowContent>()
  const embedding = embeddingIdentity(ingest)
  for (let from = 0; embedding !== undefined && from < documents.length && vectors.size < mostChildren; from += group) {
    const ids = documents.slice(from, from + group)
    for (const record of await ingest.store.get(ids, { embedding, ...(signal !== undefined && { signal }) })) {
      const kept = record?.embedding
      for (const [at, vector] of (kept?.vectors ?? []).entries())
        if (vector !== undefined) vectors.set(kept?.contentKeys[at] as string, vector)
      for (const { key, first, after, blob, pieces } of kept?.windows ?? []) {
        const own = (kept?.vectors ?? []).slice(first, after).filter((vector) => vector !== undefined)
        if (own.length === after - first) windows.set(key, { vectors: own, blob, pieces })
      }
    }
  }
  return { vectors, windows }
}
