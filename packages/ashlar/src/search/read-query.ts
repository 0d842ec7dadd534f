import { AshlarError } from '../error/ashlar-error.ts'
import { embedAll } from '../model/embed-all.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import { identityKey } from '../model/identity-key.ts'
import type { QueryTerm, Store } from '../store/store.ts'
import { analyseQuery } from '../text/analyse-query.ts'
import { lateIdentity, resolveLateOptions } from '../vector/late-options.ts'
import { type LateQuery, lateQuery } from '../vector/late-query.ts'
import type { TokenCodec } from '../vector/token-codec.ts'
import type { SearchEmbedding, SearchOptions } from './search-options.ts'
import { tellingWords } from './telling-words.ts'

/** A query as the legs want it. */
export interface ReadQuery {
  readonly terms: readonly QueryTerm[]
  /** There where the store has vectors that searches use, and an embedder for them was given. */
  readonly embedded?: EmbeddedQuery
}

export interface EmbeddedQuery {
  /** Of the vectors in the store. */
  readonly identity: EmbedderIdentity
  readonly vector: Float32Array
  /** There where token states are kept beside the vectors. Pieces are not weighed yet. */
  readonly tokens?: { readonly query: LateQuery; readonly codec: TokenCodec }
}

/** Analyses a query, and embeds it with what the store's vectors were made with. */
export async function readQuery(store: Store, text: string, { embedding = [], signal }: SearchOptions): Promise<ReadQuery> {
  const terms = analyseQuery(tellingWords(text))
  const given = Array.isArray(embedding) ? (embedding as readonly SearchEmbedding[]) : [embedding as SearchEmbedding]
  if (given.length === 0) return { terms }
  const used = (await store.embeddings(signal === undefined ? {} : { signal })).find(({ active }) => active)?.identity
  if (used === undefined) return { terms }
  for (const one of given) {
    const embedded = await embedAs(used, text, { ...one, ...(signal === undefined ? {} : { signal }) })
    if (embedded !== undefined) return { terms, embedded }
  }
  throw notOfThisStore(used, given)
}

/** The query's vector under an identity, undefined where these options do not make vectors of that identity. */
async function embedAs(
  identity: EmbedderIdentity,
  text: string,
  options: SearchEmbedding & { readonly signal?: AbortSignal },
): Promise<EmbeddedQuery | undefined> {
  const key = identityKey(identity)
  const { embedder, tokensFrom = embedder } = options
  if (identity.tokenCodec !== undefined && tokensFrom.givesTokens) {
    const late = lateIdentity(options)
    if (identityKey(late) !== key || late.tokenCodec !== identity.tokenCodec) return undefined
    // All pieces for now: which of them weigh most is known only when the store has said how many children have them.
    const query = await lateQuery(text, { ...options, most: Number.MAX_SAFE_INTEGER })
    return { identity, vector: query.vector, tokens: { query, codec: resolveLateOptions(options).codec } }
  }
  if (identityKey(embedder.identity) !== key) return undefined
  for await (const { vector, error } of embedAll(embedder, [text], { ...options, as: 'query' })) {
    if (error !== undefined) throw error
    return { identity, vector }
  }
  return undefined
}

function notOfThisStore(used: EmbedderIdentity, given: readonly SearchEmbedding[]): AshlarError {
  const models = given.map(({ embedder }) => embedder.identity.model)
  return new AshlarError(
    'EMBEDDING_MISMATCH',
    `The store's vectors were made with ${used.model}${used.tokenCodec === undefined ? '' : ' and token states'}, and the search was given ${models.join(', ')}, or the same model with other options. Search with what the documents were embedded with, or embed them again.`,
    { details: { store: used, given: given.map(({ embedder }) => embedder.identity) } },
  )
}
