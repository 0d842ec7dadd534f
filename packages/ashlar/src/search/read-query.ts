import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import { embedAll } from '../model/embed-all.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import { identityKey } from '../model/identity-key.ts'
import type { QueryTerm, Store } from '../store/store.ts'
import { analyseQuery } from '../text/analyse-query.ts'
import { lateIdentity, resolveLateOptions } from '../vector/late-options.ts'
import { type LateQuery, lateQueries } from '../vector/late-query.ts'
import type { TokenCodec } from '../vector/token-codec.ts'
import { type Phrase, phrasesOf } from './phrases.ts'
import type { ResolvedSearchOptions, SearchEmbedding } from './search-options.ts'
import type { Degraded } from './search-result.ts'
import { tellingWords } from './telling-words.ts'

/** A query as the legs want it. */
export interface ReadQuery {
  readonly text: string
  readonly terms: readonly QueryTerm[]
  /** What is meant literally. */
  readonly phrases: readonly Phrase[]
  /** There where the store has vectors that searches use, and an embedder for them was given. */
  readonly embedded?: EmbeddedQuery
  /** There where embedding failed. */
  readonly degraded?: Degraded
}

interface EmbeddedQuery {
  /** Of the vectors in the store. */
  readonly identity: EmbedderIdentity
  readonly vector: Float32Array
  /** There where token states are kept beside the vectors. Pieces are not weighed yet. */
  readonly tokens?: { readonly query: LateQuery; readonly codec: TokenCodec }
}

/** A query that a model has fewer words for is searched without it. Between English under an English vocabulary and another script. */
const leastKnown = 0.35

type ReadOptions = Pick<ResolvedSearchOptions, 'embedding' | 'whenModelFails' | 'signal'>

/** Analyses queries, and embeds them, in as few calls as the embedder allows, with what the store's vectors were made with. */
export async function readQueries(store: Store, texts: readonly string[], options: ReadOptions): Promise<ReadQuery[]> {
  const plain = texts.map((text): ReadQuery => ({ text, terms: analyseQuery(tellingWords(text)), phrases: phrasesOf(text) }))
  const asked = [...new Set(texts.filter((text) => text.trim() !== ''))]
  const { embedding, whenModelFails, signal } = options
  if (embedding.length === 0 || asked.length === 0) return plain
  const used = (await store.embeddings(signal === undefined ? {} : { signal })).find(({ active }) => active)?.identity
  if (used === undefined) return plain
  try {
    const embedded = await embedQueries(used, asked, options)
    return plain.map((query) => {
      const found = embedded[asked.indexOf(query.text)]
      return found === undefined ? query : { ...query, ...found }
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (whenModelFails === 'throw' || isMistake(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const degraded: Degraded = { part: 'embedding', reason, ...(isAshlarError(error) ? { code: error.code } : {}) }
    return plain.map((query) => ({ ...query, degraded }))
  }
}

/** What the caller has to put right: searching on would hide it. */
function isMistake(error: unknown): boolean {
  return isAshlarError(error) && (error.code === 'EMBEDDING_MISMATCH' || error.code === 'INVALID_OPTION')
}

/** What an embedder makes of a query: vectors, or the reason why there are none, or both where it is only the tokens that are missing. */
type Embedding = Pick<ReadQuery, 'embedded' | 'degraded'>

async function embedQueries(used: EmbedderIdentity, texts: readonly string[], options: ReadOptions): Promise<Embedding[]> {
  const { embedding, signal } = options
  for (const one of embedding) {
    const embedded = await embedAs(used, texts, { ...one, ...(signal === undefined ? {} : { signal }) })
    if (embedded !== undefined) return embedded
  }
  throw notOfThisStore(used, embedding)
}

/** The queries' vectors under an identity, undefined where these options do not make vectors of that identity. */
async function embedAs(
  identity: EmbedderIdentity,
  texts: readonly string[],
  options: SearchEmbedding & { readonly signal?: AbortSignal },
): Promise<Embedding[] | undefined> {
  const key = identityKey(identity)
  const { embedder, tokensFrom = embedder } = options
  if (identity.tokenCodec !== undefined && tokensFrom.givesTokens) {
    const late = lateIdentity(options)
    if (identityKey(late) !== key || late.tokenCodec !== identity.tokenCodec) return undefined
    const { codec } = resolveLateOptions(options)
    // All pieces for now: which of them weigh most is known only when the store has said how many children have them.
    const queries = await lateQueries(texts, { ...options, most: Number.MAX_SAFE_INTEGER })
    const isPaired = tokensFrom !== embedder
    return queries.map((query): Embedding => {
      const { vector, known } = query
      if (known >= leastKnown) return { embedded: { identity, vector, tokens: { query, codec } } }
      const reason = `${tokensFrom.identity.model} has words for ${Math.round(100 * known)} % of this query and was left out of it.`
      return { degraded: { part: 'embedding', reason }, ...(isPaired ? { embedded: { identity, vector } } : {}) }
    })
  }
  if (identityKey(embedder.identity) !== key) return undefined
  const embedded: Embedding[] = []
  for await (const { vector, error } of embedAll(embedder, texts, { ...options, as: 'query' })) {
    if (error !== undefined) throw error
    embedded.push({ embedded: { identity, vector } })
  }
  return embedded
}

function notOfThisStore(used: EmbedderIdentity, given: readonly SearchEmbedding[]): AshlarError {
  const models = given.map(({ embedder }) => embedder.identity.model)
  return new AshlarError(
    'EMBEDDING_MISMATCH',
    `The store's vectors were made with ${used.model}${used.tokenCodec === undefined ? '' : ' and token states'}, and the search was given ${models.join(', ')}, or the same model with other options. Search with what the documents were embedded with, or embed them again.`,
    { details: { store: used, given: given.map(({ embedder }) => embedder.identity) } },
  )
}
