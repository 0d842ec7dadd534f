import { AshlarError } from '../error/ashlar-error.ts'
import type { Embedded, Embedder, EmbedderIdentity, EmbedOptions, TokenStates } from './embedder.ts'
import { knownLocalModels, type LocalModelUse } from './known-local-models.ts'
import type { ModelFolder } from './model-folder.ts'
import { type ModelSource, openModelSource } from './model-source.ts'
import { type ModelTokenizer, openModelTokenizer, type TextTokens } from './model-tokenizer.ts'
import { OnnxModel, openTransformers } from './onnx-model.ts'
import { normalize, poolStates } from './pooling.ts'
import { tokenLimit } from './token-limit.ts'
import type { ModelInput } from './token-template.ts'

/** How a local model is opened for embedding. What is left out is known for common models, or read from the folder. */
export interface LocalEmbedderOptions extends ModelSource {
  /**
   * How token states become one vector: their mean, the first (`cls`) or the last.
   * @default known for common models; else what `1_Pooling/config.json` says
   */
  readonly pooling?: 'mean' | 'cls' | 'last'
  /** Whether vectors are given length 1. @default true */
  readonly normalize?: boolean
  /** Put before each query. @default known for common models; else what `config_sentence_transformers.json` says, or nothing */
  readonly queryPrefix?: string
  /** Put before each document. @default like `queryPrefix` */
  readonly documentPrefix?: string
  /** Most tokens of one text, prefix included and special tokens not, where it should be less than the model reads. @default all it reads */
  readonly maxTokens?: number
}

/** The outputs that hold the states of tokens, under the names that exports give them. */
const stateOutputs = ['last_hidden_state', 'token_embeddings']

/**
 * An embedder that runs ONNX weights from a folder with transformers.js, an optional package: offline, on this machine.
 *
 * The folder is laid out as on the Hugging Face hub: `config.json`, `tokenizer.json`, `onnx/model_quantized.onnx`. Each text is a
 * run of its own, because quantised weights give a text other vectors in other company. Long runs hold the event loop up for
 * as long as one text takes. Dispose of it to free the weights.
 *
 * @throws AshlarError `MISSING_PACKAGE`, `MODEL_NOT_FOUND`, `INVALID_MODEL`, `INVALID_OPTION`, `UNSUPPORTED_TOKENIZER`.
 */
export async function localEmbedder(folder: string, options: LocalEmbedderOptions = {}): Promise<Embedder & AsyncDisposable> {
  const { signal, threads = 1 } = options
  signal?.throwIfAborted()
  const transformers = await openTransformers('localEmbedder')
  const files = await openModelSource(transformers, folder, options)
  const use = await modelUse(files, options)
  const tokenizer = await openModelTokenizer(transformers, files)
  const limits = {
    tokenizerConfig: await files.read('tokenizer_config.json'),
    // For the common models it is known that they read more than these files would let them.
    sentenceConfig: knownLocalModels.has(files.name) ? undefined : await files.read('sentence_bert_config.json'),
  }
  const maxTokens = tokenLimit(files, limits, { special: tokenizer.template.one([]).ids.length, wanted: options.maxTokens })
  const weights = await files.weightsHash()
  signal?.throwIfAborted()
  const model = await OnnxModel.open(transformers, files, 'states', threads)
  try {
    signal?.throwIfAborted()
    // One short run: what kind of model it is should come out now and not at the first text.
    const { shape } = await model.run(tokenizer.template.one(tokenizer.encode('a').ids), stateOutputs)
    const dimensions = shape[2]
    if (shape.length !== 3 || dimensions === undefined) {
      throw new AshlarError('INVALID_MODEL', `The model in ${files.path} gives no states of tokens: it is not for embedding.`, {
        details: { folder: files.path, shape },
      })
    }
    return new LocalEmbedder(model, tokenizer, {
      model: `local/${files.name}`,
      options: { dtype: files.weightType, weights },
      dimensions,
      ...use,
      normalized: options.normalize ?? true,
      maxTokens,
    })
  } catch (error) {
    await model[Symbol.asyncDispose]()
    throw error
  }
}

type LocalIdentity = EmbedderIdentity & LocalModelUse & { readonly dimensions: number }

class LocalEmbedder implements Embedder, AsyncDisposable {
  readonly identity: LocalIdentity
  /** Texts do not share a run: this only says after how many it is worth writing down what there is. */
  readonly maxBatch = 64
  readonly counter: ModelTokenizer['counter']
  readonly givesTokens: boolean
  readonly #model: OnnxModel
  readonly #tokenizer: ModelTokenizer

  constructor(model: OnnxModel, tokenizer: ModelTokenizer, identity: LocalIdentity) {
    this.#model = model
    this.#tokenizer = tokenizer
    this.identity = identity
    this.counter = tokenizer.counter
    this.givesTokens = tokenizer.givesOffsets
  }

  async embed(texts: readonly string[], { as, tokens: wantsTokens = false, signal }: EmbedOptions): Promise<Embedded> {
    signal?.throwIfAborted()
    if (wantsTokens && !this.givesTokens) {
      const reason = 'its tokenizer does not say where in the text a token stands'
      throw new AshlarError('INVALID_OPTION', `${this.identity.model} gives no token states: ${reason}.`)
    }
    const { pooling, normalized, dimensions, queryPrefix, documentPrefix } = this.identity
    const prefix = as === 'query' ? queryPrefix : documentPrefix
    // All of them before the first run: a text that is too long should not cost the work on those before it.
    const encoded = texts.map((text, index) => this.#encode(prefix + text, index))
    const vectors: Float32Array[] = []
    const states: TokenStates[] = []
    let inputTokens = 0
    for (const { tokens, input } of encoded) {
      signal?.throwIfAborted()
      const { numbers } = await this.#model.run(input, stateOutputs)
      const vector = poolStates(numbers, { tokens: input.ids.length, dimensions, pooling })
      vectors.push(normalized ? normalize(vector) : vector)
      if (wantsTokens) states.push(ownStates(tokens, input, { numbers, dimensions, prefix: prefix.length }))
      inputTokens += input.ids.length
    }
    return {
      vectors,
      ...(wantsTokens && { tokens: states }),
      usage: { inputTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
    }
  }

  #encode(text: string, index: number): { readonly tokens: TextTokens; readonly input: ModelInput } {
    const tokens = this.#tokenizer.encode(text)
    const { maxTokens, model } = this.identity
    if (maxTokens !== undefined && tokens.ids.length > maxTokens) {
      const message = `Text ${index} has ${tokens.ids.length} tokens; ${model} reads ${maxTokens}.`
      throw new AshlarError('TEXT_TOO_LONG', message, { details: { index, tokens: tokens.ids.length, limit: maxTokens } })
    }
    return { tokens, input: this.#tokenizer.template.one(tokens.ids) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]()
  }
}

/** The states of the text's own tokens, with offsets that do not count the prefix. */
function ownStates(
  { ids, starts = [], ends = [] }: TextTokens,
  { first }: ModelInput,
  { numbers, dimensions, prefix }: { readonly numbers: Float32Array; readonly dimensions: number; readonly prefix: number },
): TokenStates {
  let skipped = 0
  while (skipped < ids.length && (ends[skipped] as number) <= prefix) skipped++
  const fromText = (offset: number): number => Math.max(0, offset - prefix)
  return {
    starts: Uint32Array.from(starts.slice(skipped), fromText),
    ends: Uint32Array.from(ends.slice(skipped), fromText),
    ids: Uint32Array.from(ids.slice(skipped)),
    // A view: the numbers belong to this run alone, and copying them would cost as much as all the rest of it.
    states: numbers.subarray((first + skipped) * dimensions, (first + ids.length) * dimensions),
  }
}

/** How the model is to be used: as the person says, else as is known, else as the folder says. */
async function modelUse(folder: ModelFolder, options: LocalEmbedderOptions): Promise<LocalModelUse> {
  const known = knownLocalModels.get(folder.name)
  const prompts = known === undefined ? await folderPrompts(folder) : known
  return {
    pooling: options.pooling ?? known?.pooling ?? (await folderPooling(folder)),
    queryPrefix: options.queryPrefix ?? prompts.queryPrefix,
    documentPrefix: options.documentPrefix ?? prompts.documentPrefix,
  }
}

async function folderPooling({ path, name, read }: ModelFolder): Promise<LocalModelUse['pooling']> {
  const file = '1_Pooling/config.json'
  const config = await read(file)
  if (config === undefined) {
    const message = `How the model ${name} makes one vector of its tokens is not known, and ${path} has no ${file}. Pass pooling: 'mean', 'cls' or 'last', as the model's authors say.`
    throw new AshlarError('INVALID_OPTION', message, { details: { folder: path, option: 'pooling' } })
  }
  const modes = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true)
  const pooling = modes.length === 1 ? poolingModes.get(modes[0] as string) : undefined
  if (pooling === undefined) {
    const message = `${path}/${file} asks for ${modes.join(' and ') || 'no pooling'}, which is not to be had here.`
    throw new AshlarError('INVALID_MODEL', message, { details: { folder: path, modes } })
  }
  return pooling
}

/** The names of sentence-transformers. */
const poolingModes: ReadonlyMap<string, LocalModelUse['pooling']> = new Map([
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_lasttoken', 'last'],
])

async function folderPrompts({ read }: ModelFolder): Promise<Omit<LocalModelUse, 'pooling'>> {
  const { prompts = {} } = ((await read('config_sentence_transformers.json')) ?? {}) as { readonly prompts?: object }
  const named = prompts as Readonly<Record<string, unknown>>
  const first = (...names: string[]): string => names.map((name) => named[name]).find((one) => typeof one === 'string') as string
  return { queryPrefix: first('query') ?? '', documentPrefix: first('document', 'passage') ?? '' }
}
