import { AshlarError } from '../error/ashlar-error.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import type { EmbeddingRow } from './engine.ts'

/** The error for vectors of an identity that the workspace does not have; it says how to get there. */
export function embeddingMismatch(identity: EmbedderIdentity, known: readonly EmbeddingRow[], who: string): AshlarError {
  const used = known.find(({ active }) => active) ?? known[0]
  const has = used === undefined ? 'the workspace has no vectors' : `the workspace has vectors of ${nameOf(used.identity)}`
  return new AshlarError(
    'EMBEDDING_MISMATCH',
    `${who} comes with vectors of ${nameOf(identity)}, and ${has}. Vectors of two models cannot be compared. To move to another one, add it with store.embedding(identity, 'add'), put every document with the vectors of both, then store.embedding(identity, 'use').`,
    { details: { given: identity, stored: known.map((row) => row.identity) } },
  )
}

function nameOf({ model, dimensions }: EmbedderIdentity): string {
  return dimensions === undefined ? model : `${model} (${dimensions} dimensions)`
}
