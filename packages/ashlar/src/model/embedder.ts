import type { Counter } from '../text/counter.ts'
import type { Usage } from './usage.ts'

/**
 * Everything that a vector depends on besides its text, as data. Vectors can be compared only within one identity; it is kept
 * beside them, and `identityKey` makes one short string of it.
 */
export interface EmbedderIdentity {
  /** Provider and model: `openai/text-embedding-3-small`, `local/all-MiniLM-L6-v2`. */
  readonly model: string
  /** Whatever else was asked of the provider or the runtime that changes vectors: requested dimensions, weights' type. */
  readonly options: Readonly<Record<string, unknown>>
  /** Numbers in a vector; undefined until the first call where nobody said so before. Not part of the key: it follows from the rest. */
  readonly dimensions: number | undefined
  /** How token states become one vector; `provider` where that happens out of sight. */
  readonly pooling: 'mean' | 'cls' | 'last' | 'provider'
  /** Whether vectors have length 1. */
  readonly normalized: boolean
  /** Put before each query and each document by the embedder itself. Empty for most models. */
  readonly queryPrefix: string
  readonly documentPrefix: string
  /** Most tokens of one text, prefix included and the model's own special tokens not; undefined where it is not known. */
  readonly maxTokens: number | undefined
  /** How token states are kept beside the vectors, where they are; see `ashlar/vectors`. */
  readonly tokenCodec?: string
}

/** How a batch is to be embedded. */
export interface EmbedOptions {
  /** Whether the texts are to be found or ask for something; models treat the two differently. */
  readonly as: 'document' | 'query'
  /** Asks for the state of every token too; only where the embedder `givesTokens`. @default false */
  readonly tokens?: boolean
  readonly signal?: AbortSignal
}

/** The token-level output for one text, special tokens and prefix left out. */
export interface TokenStates {
  /** Where each token stands in the text as it was given, in UTF-16 code units. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Each token's number in the model's vocabulary. */
  readonly ids: Uint32Array
  /** One row of `dimensions` numbers a token, as the model gives them, not normalised. */
  readonly states: Float32Array
}

/** One vector for each token of a vocabulary. */
export interface TokenTable {
  readonly dimensions: number
  /** How many tokens have a vector: ids are below this. */
  readonly size: number
  /** The vector of a token; not to be written to. */
  row(id: number): Float32Array
  /**
   * Adds the vectors of the tokens from `first` to before `after` to sums, which costs less than asking for each.
   * @default each is asked for
   */
  addRows?(ids: Uint32Array, first: number, after: number, sums: Float64Array): void
  /** Whether the vector of a token points anywhere: zeros do not. @default it is asked for and looked at */
  hasDirection?(id: number): boolean
  /** The tokens of a text without their states, which the table has. @default `embed` is asked, which copies all states */
  encode?(text: string): TokenPlaces
}

/** The tokens of a text that have a vector, and where they stand. */
export interface TokenPlaces extends Pick<TokenStates, 'starts' | 'ends' | 'ids'> {
  /** All tokens, those without a vector too. */
  readonly count: number
}

/** A model as data that can be handed to another thread, where `staticEmbedder` makes the same embedder of it. */
export interface ThreadModel {
  readonly kind: 'static'
  readonly tokenizer: unknown
  /** Shared, where the platform has shared memory, so that threads need no copy of their own. */
  readonly weights: Uint8Array
  readonly config: Readonly<Record<string, unknown>>
  readonly name: string
  readonly fingerprint: string
}

/** What {@link Embedder.embed} gives: one vector a text, in the order of the texts. */
export interface Embedded {
  readonly vectors: readonly Float32Array[]
  /** There when they were asked for. */
  readonly tokens?: readonly TokenStates[]
  readonly usage: Usage
}

/**
 * Turns texts into vectors.
 *
 * An embedder never truncates: a text over `maxTokens` is refused with `TEXT_TOO_LONG` and its index (`averaged` makes an
 * embedder that averages over windows instead). It calls its model once for each `embed`; batches, retries, limits, budgets
 * and caching are `embedAll`'s.
 */
export interface Embedder {
  readonly identity: EmbedderIdentity
  /** Most texts one call may carry. */
  readonly maxBatch: number
  /** Most tokens one call may carry, where the provider has such a limit. */
  readonly maxBatchTokens?: number
  /** Counts tokens as the model does; undefined where only an estimate is to be had. */
  readonly counter?: Counter
  /** Whether `tokens: true` can be asked for. */
  readonly givesTokens: boolean
  /** Set where a token's state is the same in every text, as a static embedder's is: there the ids say it all. */
  readonly tokenTable?: TokenTable
  /** Set where the model is data and nothing else: a thread that reads documents can then embed them as well. */
  readonly forThread?: () => ThreadModel
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded>
}
