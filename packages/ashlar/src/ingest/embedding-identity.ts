import type { EmbedderIdentity } from '../model/embedder.ts'
import { type LateOptions, lateIdentity } from '../vector/late-options.ts'
import type { Ingest } from './ingest.ts'
import type { ThreadLate } from './reader.ts'

/** How windows are made; undefined where each child is embedded by itself, or nothing is embedded. */
export function lateOptions({ embedder, late }: Pick<Ingest, 'embedder' | 'late'>): LateOptions | undefined {
  if (embedder === undefined || late === false) return undefined
  if (late?.tokensFrom === undefined && !embedder.givesTokens) return undefined
  return { ...late, embedder }
}

/** The same for a reader's threads; undefined where they cannot make these windows. */
export function threadLate(ingest: Pick<Ingest, 'embedder' | 'late'>): ThreadLate | undefined {
  const { embedder, tokensFrom = embedder, codec, window, stopWords } = lateOptions(ingest) ?? {}
  const { identity, forThread } = embedder ?? {}
  if (identity === undefined || forThread === undefined || tokensFrom !== embedder || codec !== undefined) return undefined
  return {
    embedder: { identity, forThread },
    ...(window !== undefined && { window }),
    ...(stopWords !== undefined && { stopWords }),
  }
}

/** The identity that vectors are stored under; a search must ask with the same. Undefined without an embedder. */
export function embeddingIdentity(ingest: Pick<Ingest, 'embedder' | 'late'>): EmbedderIdentity | undefined {
  const late = lateOptions(ingest)
  return late === undefined ? ingest.embedder?.identity : lateIdentity(late)
}
