import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { Counter } from '../text/counter.ts'
import type { Embedded, Embedder, EmbedderIdentity, EmbedOptions } from './embedder.ts'
import { embeddingModelFacts } from './embedding-model-facts.ts'
import { canonical } from './identity-key.ts'
import { normalize } from './pooling.ts'
import { providerError, saysTooLong } from './provider-error.ts'
import { checkModel, type KnownModel, mergeProviderOptions, type ProviderModel, type ProviderOptions } from './provider-model.ts'
import { noUsage, type Usage } from './usage.ts'

/** An embedding model of any AI SDK provider package, of specification version 1 to 4. */
export interface ProviderEmbeddingModel extends ProviderModel {
  readonly maxEmbeddingsPerCall: unknown
  readonly doEmbed: (options: never) => PromiseLike<unknown>
}

/** How {@link embedderFrom} makes an embedder. */
export interface EmbedderFromOptions {
  /** What the identity calls the model, where the model's own name does not say it, as with a deployment of your own. @default `provider/model` */
  readonly model?: string
  /** Numbers to ask for in a vector, and to insist on. @default the model's own */
  readonly dimensions?: number
  /** Passed to the provider with every call; wins over what the bridge sets itself. */
  readonly providerOptions?: ProviderOptions
  /** Passed with calls of one kind only; wins over all else. */
  readonly providerOptionsAs?: { readonly document?: ProviderOptions; readonly query?: ProviderOptions }
  /** Put before each query. @default '', but for models known to need one */
  readonly queryPrefix?: string
  /** Put before each document. @default '', but for models known to need one */
  readonly documentPrefix?: string
  /** Most tokens of one text, prefix included. @default known for models of OpenAI, Google, Cohere and Voyage */
  readonly maxTokens?: number
  /** Counts as the model does. Only an `exact` counter can refuse a text before the call. @default none */
  readonly counter?: Counter
  /** Most texts of one call. @default what the provider package says, else 96 */
  readonly maxBatch?: number
  /** Most tokens of one call. @default known for models of OpenAI and Voyage */
  readonly maxBatchTokens?: number
  /** Scales vectors to length 1 where the provider does not. @default true */
  readonly normalize?: boolean
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a provider package takes in `doEmbed`, over all versions. */
interface EmbedCall {
  readonly values: readonly string[]
  readonly abortSignal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  readonly dimensions?: number
  readonly providerOptions?: ProviderOptions
}

/** How one provider wants to be asked for things that the specification does not name. */
interface ProviderHabits {
  /** The name that its options stand under. */
  readonly key: string
  readonly dimensions: string
  readonly document?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

const habits: Readonly<Record<string, ProviderHabits>> = {
  openai: { key: 'openai', dimensions: 'dimensions' },
  azure: { key: 'openai', dimensions: 'dimensions' },
  google: {
    key: 'google',
    dimensions: 'outputDimensionality',
    // Vertex AI cuts long texts in silence unless told not to; other Google models ignore the field.
    document: { taskType: 'RETRIEVAL_DOCUMENT', autoTruncate: false },
    query: { taskType: 'RETRIEVAL_QUERY', autoTruncate: false },
  },
  cohere: {
    key: 'cohere',
    dimensions: 'outputDimension',
    document: { inputType: 'search_document', truncate: 'NONE' },
    query: { inputType: 'search_query', truncate: 'NONE' },
  },
  'amazon-bedrock': {
    key: 'bedrock',
    dimensions: 'dimensions',
    document: { inputType: 'search_document', truncate: 'NONE' },
    query: { inputType: 'search_query', truncate: 'NONE' },
  },
  voyage: {
    key: 'voyage',
    dimensions: 'outputDimension',
    document: { inputType: 'document', truncation: false },
    query: { inputType: 'query', truncation: false },
  },
}

/** Batches of this many texts suit every provider known; the package's own figure is used where it gives one. */
const cautiousBatch = 96

/**
 * An embedder that calls any AI SDK provider's embedding model, of AI SDK 4 to 7.
 *
 * Providers that tell documents from queries (Google, Cohere, Voyage) are told, and those that would cut long texts in silence
 * are told not to. Each `embed` is one call: a batch over `maxBatch` is refused; `embedAll` batches and retries.
 */
export function embedderFrom(model: ProviderEmbeddingModel, options: EmbedderFromOptions = {}): Embedder {
  const known = checkModel(model, 'embedding')
  const name = options.model ?? known.name
  const facts = embeddingModelFacts(name)
  const { counter, maxTokens = facts?.maxTokens, normalize: toLengthOne = true } = options
  const { queryPrefix = facts?.queryPrefix ?? '', documentPrefix = facts?.documentPrefix ?? '' } = options
  const maxBatch = options.maxBatch ?? batchOf(model)
  const maxBatchTokens = options.maxBatchTokens ?? facts?.maxBatchTokens
  checkPositive({ maxTokens, maxBatch, maxBatchTokens, dimensions: options.dimensions })
  const asked = { document: optionsFor('document', model, known, options), query: optionsFor('query', model, known, options) }
  const identity: Omit<EmbedderIdentity, 'dimensions'> = {
    model: name,
    options: identityOptions(asked.document, asked.query),
    pooling: 'provider',
    normalized: toLengthOne,
    queryPrefix,
    documentPrefix,
    maxTokens,
  }
  let dimensions = options.dimensions

  async function embed(texts: readonly string[], { as, tokens, signal }: EmbedOptions): Promise<Embedded> {
    signal?.throwIfAborted()
    if (tokens === true) throw new AshlarError('INVALID_OPTION', `${name} does not give token states`, { details: { tokens } })
    if (texts.length === 0) return { vectors: [], usage: noUsage }
    if (texts.length > maxBatch)
      throw new AshlarError('INVALID_OPTION', `${name} takes ${maxBatch} texts a call; got ${texts.length}`, {
        details: { texts: texts.length, maxBatch },
      })
    const prefix = as === 'query' ? queryPrefix : documentPrefix
    const values = prefix === '' ? texts : texts.map((text) => prefix + text)
    if (counter?.accuracy === 'exact' && maxTokens !== undefined) refuseLong(values, counter, maxTokens, name)
    const call: EmbedCall = {
      values: [...values],
      ...(signal && { abortSignal: signal }),
      ...(options.headers && { headers: options.headers }),
      ...(options.dimensions !== undefined && known.version === 'v4' && { dimensions: options.dimensions }),
      ...(known.version !== 'v1' && { providerOptions: asked[as] }),
    }
    const caller = known.version === 'v1' ? withSettings(model, known, asked[as]) : model
    let answer: unknown
    try {
      answer = await caller.doEmbed(call as never)
    } catch (error) {
      if (isAshlarError(error)) throw error
      if (texts.length === 1 && signal?.aborted !== true && saysTooLong(error))
        throw tooLong(0, undefined, maxTokens, name, error)
      throw providerError(error, name, signal)
    }
    const vectors = readVectors(answer, texts.length, dimensions, name)
    dimensions ??= vectors[0]?.length
    if (toLengthOne) for (const vector of vectors) toUnitLength(vector)
    return { vectors, usage: usageOf(answer) }
  }

  return {
    get identity() {
      return { ...identity, dimensions }
    },
    maxBatch,
    ...(maxBatchTokens !== undefined && { maxBatchTokens }),
    ...(counter && { counter }),
    givesTokens: false,
    embed,
  }
}

function batchOf(model: ProviderEmbeddingModel): number {
  const said = model.maxEmbeddingsPerCall
  return typeof said === 'number' && said >= 1 ? Math.min(Math.floor(said), Number.MAX_SAFE_INTEGER) : cautiousBatch
}

function checkPositive(figures: Readonly<Record<string, number | undefined>>): void {
  for (const [name, figure] of Object.entries(figures)) {
    if (figure !== undefined && !(Number.isInteger(figure) && figure > 0))
      throw new AshlarError('INVALID_OPTION', `${name} must be a whole number above 0; got ${figure}`, {
        details: { [name]: figure },
      })
  }
}

/** What the provider is asked beside the texts, for one kind of text. */
function optionsFor(as: 'document' | 'query', model: object, known: KnownModel, options: EmbedderFromOptions): ProviderOptions {
  const habit = habitsOf(known)
  const set = known.version === 'v1' ? settingsOf(model) : {}
  const dimensions = options.dimensions !== undefined && { [habit.dimensions]: options.dimensions }
  const own = { ...habit[as], ...set, ...dimensions }
  const base: ProviderOptions = Object.keys(own).length > 0 ? { [habit.key]: own } : {}
  return mergeProviderOptions(mergeProviderOptions(base, options.providerOptions), options.providerOptionsAs?.[as])
}

function habitsOf({ provider }: KnownModel): ProviderHabits {
  return (Object.hasOwn(habits, provider) ? habits[provider] : undefined) ?? { key: provider, dimensions: 'dimensions' }
}

/** What a model of AI SDK 4 was made with: in that version options belonged to the model, not to the call. */
function settingsOf(model: object): Readonly<Record<string, unknown>> {
  const { settings } = model as { readonly settings?: unknown }
  return typeof settings === 'object' && settings !== null ? (settings as Readonly<Record<string, unknown>>) : {}
}

/** The same model of AI SDK 4 with other settings; the one that was given stays as it is. */
function withSettings(model: ProviderEmbeddingModel, known: KnownModel, asked: ProviderOptions): ProviderEmbeddingModel {
  return Object.create(model, { settings: { value: asked[habitsOf(known).key] ?? {} } }) as ProviderEmbeddingModel
}

function identityOptions(document: ProviderOptions, query: ProviderOptions): Readonly<Record<string, unknown>> {
  return canonical(document) === canonical(query) ? { ...document } : { document, query }
}

function refuseLong(values: readonly string[], counter: Counter, limit: number, name: string): void {
  for (const [index, value] of values.entries()) {
    const tokens = counter(value)
    if (tokens > limit) throw tooLong(index, tokens, limit, name)
  }
}

function tooLong(
  index: number,
  tokens: number | undefined,
  limit: number | undefined,
  name: string,
  cause?: unknown,
): AshlarError {
  const message = `Text ${index} has ${tokens === undefined ? 'more tokens than' : `${tokens} tokens;`} ${name} reads${limit === undefined ? '' : ` ${limit}`}`
  return new AshlarError('TEXT_TOO_LONG', message, { details: { index, tokens, limit, model: name }, cause })
}

/** The vectors of an answer, in the order of the texts; `INVALID_RESPONSE` where they cannot be that. */
function readVectors(answer: unknown, texts: number, dimensions: number | undefined, name: string): Float32Array[] {
  const wrong = (found: string): AshlarError =>
    new AshlarError('INVALID_RESPONSE', `${name} answered with ${found}`, {
      details: { model: name, texts, dimensions, retryable: true, usage: usageOf(answer) },
    })
  const embeddings = (answer as { readonly embeddings?: unknown } | null)?.embeddings
  if (!Array.isArray(embeddings)) throw wrong('no vectors')
  if (embeddings.length !== texts) throw wrong(`${embeddings.length} vectors for ${texts} texts`)
  const order = statedOrder(answer, texts)
  const vectors: Float32Array[] = new Array(texts)
  let length = dimensions
  for (const [index, embedding] of embeddings.entries()) {
    if (!isNumbers(embedding) || embedding.length === 0) throw wrong(`something that is no vector for text ${index}`)
    length ??= embedding.length
    if (embedding.length !== length) throw wrong(`a vector of ${embedding.length} numbers where ${length} were expected`)
    const vector = Float32Array.from(embedding)
    if (!vector.every(Number.isFinite)) throw wrong(`a vector for text ${index} with numbers that are not finite`)
    vectors[order?.[index] ?? index] = vector
  }
  return vectors
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) ? value.every((item) => typeof item === 'number') : value instanceof Float32Array
}

/**
 * Where each vector belongs, where the raw answer numbers them as OpenAI's does. Provider packages take them as they come, but
 * servers that only speak the same format do not all keep the order.
 */
function statedOrder(answer: unknown, texts: number): readonly number[] | undefined {
  const data = (answer as { readonly response?: { readonly body?: { readonly data?: unknown } } }).response?.body?.data
  if (!Array.isArray(data) || data.length !== texts) return undefined
  const order = data.map((item: { readonly index?: unknown } | null) => item?.index)
  const isOrder =
    order.every((index) => Number.isInteger(index)) &&
    new Set(order).size === texts &&
    Math.max(...(order as number[])) === texts - 1
  return isOrder ? (order as number[]) : undefined
}

/** Leaves alone what has length 1 already, to the rounding of the numbers, so that vectors stay those that the provider gave. */
function toUnitLength(vector: Float32Array): void {
  let square = 0
  for (const value of vector) square += value * value
  if (Math.abs(square - 1) > 1e-5) normalize(vector)
}

function usageOf(answer: unknown): Usage {
  const tokens = (answer as { readonly usage?: { readonly tokens?: unknown } } | null)?.usage?.tokens
  return typeof tokens === 'number' && tokens > 0 ? { ...noUsage, inputTokens: tokens } : noUsage
}
