import { AshlarError } from '../error/ashlar-error.ts'
import type { WorkOptions } from '../model/ask-all.ts'
import { embedAll } from '../model/embed-all.ts'
import type { Embedder, TokenStates } from '../model/embedder.ts'
import type { Usage } from '../model/usage.ts'
import { knownShare } from './known-share.ts'
import { type LateOptions, resolveLateOptions } from './late-options.ts'
import { checkedStates } from './read-window.ts'
import type { TokenRows } from './token-codec.ts'
import { isContent, isStopWord, type StopWords } from './token-filter.ts'
import { unitMean } from './unit-mean.ts'
import { hasDirection, unitRow } from './vector-length.ts'

/** How a query is embedded. `caller`, `cache`, `price` and `onEvent` are for the call to a paired embedder, which `embedAll` makes. */
export interface LateQueryOptions extends LateOptions, WorkOptions {
  /** What a word piece weighs by its id: {@link pieceWeight} of how many children have it. @default every piece the same */
  readonly weightOf?: (id: number) => number
  /** Most pieces that are compared; the heaviest stay. @default 64 */
  readonly most?: number
}

/** A query's pieces for `maxSim`: their states, and what each weighs. */
export interface TokenQuery extends TokenRows {
  readonly weights: Float32Array
}

/** A query, embedded. */
export interface LateQuery extends TokenQuery {
  /** For comparison with children's vectors; of length 1. */
  readonly vector: Float32Array
  /** How much of it the model that gave the token states has words for, from 0 to 1: see `knownShare`. */
  readonly known: number
  /** What the token states consumed; a paired embedder's consumption is in its caller and its events. */
  readonly usage: Usage
}

/**
 * Embeds a query for late vectors and `maxSim`, in one pass where one embedder does both.
 *
 * Its pieces are the tokens with a letter or a digit that are no stop words; where a query has nothing but stop words, those.
 */
export async function lateQuery(text: string, options: LateQueryOptions): Promise<LateQuery> {
  return (await lateQueries([text], options))[0] as LateQuery
}

/** The same for several queries, which share calls of the models. `usage` is that of the whole call a query was in. */
export async function lateQueries(texts: readonly string[], options: LateQueryOptions): Promise<LateQuery[]> {
  const { embedder, tokensFrom, paired, stopWords } = resolveLateOptions(options)
  const { weightOf = () => 1, most = 64, signal } = options
  const vectors = paired ? await pairedVectors(texts, embedder, options) : []
  const queries: LateQuery[] = []
  for (let from = 0; from < texts.length; from += tokensFrom.maxBatch) {
    const batch = texts.slice(from, from + tokensFrom.maxBatch)
    const read = await tokensFrom.embed(batch, { as: 'query', tokens: true, ...(signal === undefined ? {} : { signal }) })
    for (const [at, text] of batch.entries()) {
      const one = { vectors: read.vectors.slice(at, at + 1), tokens: read.tokens?.slice(at, at + 1) ?? [], usage: read.usage }
      const states = checkedStates(one, text.length, tokensFrom)
      const own = read.vectors[at] as Float32Array
      const dimensions = own.length
      // A model that does not take the mean itself has no vector that means could be compared with.
      const isMean = embedder.identity.pooling === 'mean' || states.ids.length === 0
      const mean = isMean ? unitRow(own, 0, dimensions) : unitMean(states.states, 0, states.ids.length, dimensions)
      const chosen = piecesOf(text, states, dimensions, stopWords)
      const query = {
        vector: paired ? (vectors[from + at] as Float32Array) : mean,
        known: knownShare(text, states),
        dimensions,
        ids: Uint32Array.from(chosen, (piece) => states.ids[piece] as number),
        rows: pickRows(states.states, chosen, dimensions),
        weights: new Float32Array(chosen.length),
        usage: read.usage,
      }
      queries.push(weighPieces(query, weightOf, most))
    }
  }
  return queries
}

/**
 * The same query with other weights: for when they are known only after it was embedded. Give `lateQuery` a `most` that leaves all pieces in.
 *
 * `most` is how many are kept, the heaviest; 64 when it is left out.
 */
export function weighPieces(query: LateQuery, weightOf: (id: number) => number, most = 64): LateQuery {
  const weights = Float32Array.from(query.ids, weightOf)
  const chosen = heaviest(weights, most)
  return {
    ...query,
    ids: Uint32Array.from(chosen, (at) => query.ids[at] as number),
    rows: pickRows(query.rows, chosen, query.dimensions),
    weights: Float32Array.from(chosen, (at) => weights[at] as number),
  }
}

function pickRows(states: Float32Array, chosen: readonly number[], dimensions: number): Float32Array {
  const rows = new Float32Array(chosen.length * dimensions)
  for (const [at, from] of chosen.entries()) {
    rows.set(states.subarray(from * dimensions, (from + 1) * dimensions), at * dimensions)
  }
  return rows
}

async function pairedVectors(texts: readonly string[], embedder: Embedder, options: WorkOptions): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for await (const { vector, error } of embedAll(embedder, texts, { ...options, as: 'query' })) {
    if (error !== undefined) throw error
    vectors.push(unitRow(vector, 0, vector.length))
  }
  if (vectors.length === texts.length) return vectors
  throw new AshlarError('INVALID_RESPONSE', `${embedder.identity.model} gave no vector for the query.`)
}

/** How much a word piece that `having` of `children` children have says: ln(1 + (children + 1000 - having + ½) / (having + ½)). */
export function pieceWeight(having: number, children: number): number {
  return Math.log(1 + (children + 1000 - having + 0.5) / (having + 0.5))
}

/** Indices of the tokens that are compared. */
function piecesOf(text: string, { starts, ends, states }: TokenStates, dimensions: number, stopWords: StopWords): number[] {
  const content: number[] = []
  for (const [at, start] of starts.entries()) {
    if (isContent(text, start, ends[at] as number) && hasDirection(states, at * dimensions, dimensions)) content.push(at)
  }
  const telling = content.filter((at) => !isStopWord(text, starts[at] as number, ends[at] as number, stopWords))
  return telling.length > 0 ? telling : content
}

/** Places of the `most` heaviest, in the order of the text; of equals the earlier. */
function heaviest(weights: Float32Array, most: number): number[] {
  const all = Array.from(weights, (_, at) => at)
  if (all.length <= most) return all
  return all
    .toSorted((left, right) => (weights[right] as number) - (weights[left] as number) || left - right)
    .slice(0, most)
    .toSorted((left, right) => left - right)
}
