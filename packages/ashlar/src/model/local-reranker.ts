import { AshlarError } from '../error/ashlar-error.ts'
import { type ModelSource, openModelSource } from './model-source.ts'
import { type ModelTokenizer, openModelTokenizer } from './model-tokenizer.ts'
import { OnnxModel, openTransformers } from './onnx-model.ts'
import type { Reranked, Reranker, RerankerIdentity } from './reranker.ts'
import { tokenLimit } from './token-limit.ts'

/** How a local cross-encoder is opened. */
export interface LocalRerankerOptions extends ModelSource {
  /** Most tokens of query and text together, special tokens not counted, where it should be less than the model reads. @default all it reads */
  readonly maxTokens?: number
}

/**
 * A reranker that runs a cross-encoder's ONNX weights from a folder with transformers.js, an optional package: offline.
 *
 * Each pair of query and text is a run of its own, so a text has the same score in any company. Scores are logits: above 0 the model
 * holds the text for an answer. Dispose of it to free the weights.
 *
 * @throws AshlarError `MISSING_PACKAGE`, `MODEL_NOT_FOUND`, `INVALID_MODEL`, `INVALID_OPTION`, `UNSUPPORTED_TOKENIZER`.
 */
export async function localReranker(folder: string, options: LocalRerankerOptions = {}): Promise<Reranker & AsyncDisposable> {
  const { signal, threads = 1 } = options
  signal?.throwIfAborted()
  const transformers = await openTransformers('localReranker')
  const files = await openModelSource(transformers, folder, options)
  const tokenizer = await openModelTokenizer(transformers, files)
  const limits = { tokenizerConfig: await files.read('tokenizer_config.json'), sentenceConfig: undefined }
  const maxTokens = tokenLimit(files, limits, { special: tokenizer.template.two([], []).ids.length, wanted: options.maxTokens })
  const weights = await files.weightsHash()
  signal?.throwIfAborted()
  const model = await OnnxModel.open(transformers, files, 'classes', threads)
  try {
    signal?.throwIfAborted()
    const { ids } = tokenizer.encode('a')
    // One short run: what kind of model it is should come out now and not at the first text.
    const { shape } = await model.run(tokenizer.template.two(ids, ids), ['logits'])
    if (shape.at(-1) !== 1 || shape.length !== 2) {
      throw new AshlarError(
        'INVALID_MODEL',
        `The model in ${files.path} does not give one score a pair: it is no cross-encoder.`,
        {
          details: { folder: files.path, shape },
        },
      )
    }
    return new LocalReranker(model, tokenizer, {
      model: `local/${files.name}`,
      options: { dtype: files.weightType, weights },
      scale: 'logit',
      maxTokens,
    })
  } catch (error) {
    await model[Symbol.asyncDispose]()
    throw error
  }
}

class LocalReranker implements Reranker, AsyncDisposable {
  readonly identity: RerankerIdentity
  readonly maxBatch = 64
  readonly #model: OnnxModel
  readonly #tokenizer: ModelTokenizer

  constructor(model: OnnxModel, tokenizer: ModelTokenizer, identity: RerankerIdentity) {
    this.#model = model
    this.#tokenizer = tokenizer
    this.identity = identity
  }

  async rerank(query: string, texts: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<Reranked> {
    options.signal?.throwIfAborted()
    const asked = this.#tokenizer.encode(query).ids
    const { maxTokens, model } = this.identity
    const inputs = texts.map((text, index) => {
      const { ids } = this.#tokenizer.encode(text)
      const tokens = asked.length + ids.length
      if (maxTokens !== undefined && tokens > maxTokens) {
        const message = `Query and text ${index} have ${asked.length} and ${ids.length} tokens; ${model} reads ${maxTokens} in all.`
        throw new AshlarError('TEXT_TOO_LONG', message, { details: { index, tokens, limit: maxTokens } })
      }
      return this.#tokenizer.template.two(asked, ids)
    })
    const scores: number[] = []
    let inputTokens = 0
    for (const input of inputs) {
      options.signal?.throwIfAborted()
      const { numbers } = await this.#model.run(input, ['logits'])
      scores.push(numbers[0] as number)
      inputTokens += input.ids.length
    }
    return { scores, usage: { inputTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]()
  }
}
