import { AshlarError } from '../error/ashlar-error.ts'
import type { ModelFolder } from './model-folder.ts'
import { optionalPackage } from './optional-package.ts'
import type { ModelInput } from './token-template.ts'

type Transformers = typeof import('@huggingface/transformers')
type Loaded = Awaited<ReturnType<Transformers['AutoModel']['from_pretrained']>>

/** Imports transformers.js, which is installed by whoever wants local models. */
export function openTransformers(neededBy: string): Promise<Transformers> {
  return optionalPackage('@huggingface/transformers', () => import('@huggingface/transformers'), neededBy)
}

/** One of a model's outputs: its shape, and its numbers row by row. */
export interface Output {
  readonly shape: readonly number[]
  readonly numbers: Float32Array
}

/**
 * The ONNX weights of a model folder, ready to run on one input at a time.
 *
 * One at a time because quantised weights give each input other numbers in other company: activations are scaled over the whole
 * batch. Loading is told to stay local on every call, so the settings of transformers.js that other code may use stay untouched.
 */
export class OnnxModel implements AsyncDisposable {
  readonly #transformers: Transformers
  readonly #model: Loaded
  readonly #name: string
  readonly #wantsSegments: boolean
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  private constructor(transformers: Transformers, model: Loaded, name: string) {
    this.#transformers = transformers
    this.#model = model
    this.#name = name
    const sessions = model.sessions as Readonly<Record<string, { readonly inputNames?: readonly string[] }>>
    this.#wantsSegments = Object.values(sessions).some(({ inputNames }) => inputNames?.includes('token_type_ids') === true)
  }

  /** Loads the weights: to give the states of tokens, or to classify. */
  static async open(
    transformers: Transformers,
    folder: ModelFolder,
    head: 'states' | 'classes',
    threads: number,
  ): Promise<OnnxModel> {
    const { AutoModel, AutoModelForSequenceClassification } = transformers
    const kind = head === 'states' ? AutoModel : AutoModelForSequenceClassification
    try {
      const model = await kind.from_pretrained(folder.path, {
        dtype: folder.weightType,
        local_files_only: true,
        session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
      })
      return new OnnxModel(transformers, model, folder.name)
    } catch (cause) {
      throw new AshlarError('INVALID_MODEL', `transformers.js cannot load the model in ${folder.path}: ${messageOf(cause)}`, {
        details: { folder: folder.path },
        cause,
      })
    }
  }

  /** Runs the model on one input and gives the first of the named outputs that it has. */
  async run(input: ModelInput, outputs: readonly string[]): Promise<Output> {
    if (this.#isClosed) throw new AshlarError('INVALID_MODEL', `The model ${this.#name} was closed.`)
    const running = this.#run(input)
    this.#running.add(running)
    try {
      const given = await running
      const name = outputs.find((one) => given[one] !== undefined)
      const tensor = name === undefined ? undefined : given[name]
      if (tensor === undefined) {
        throw new AshlarError('INVALID_MODEL', `The model ${this.#name} has no output ${outputs.join(' or ')}.`, {
          details: { model: this.#name, outputs },
        })
      }
      const numbers = (tensor.type === 'float32' ? tensor.data : tensor.to('float32').data) as Float32Array
      return { shape: tensor.dims, numbers }
    } finally {
      this.#running.delete(running)
    }
  }

  async #run({ ids, segments }: ModelInput): Promise<Record<string, InstanceType<Transformers['Tensor']> | undefined>> {
    const { Tensor } = this.#transformers
    const shape = [1, ids.length]
    const inputs = {
      input_ids: new Tensor('int64', integers(ids), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      ...(this.#wantsSegments && { token_type_ids: new Tensor('int64', integers(segments), shape) }),
    }
    try {
      return await this.#model(inputs)
    } catch (cause) {
      throw new AshlarError('MODEL_FAILED', `The model ${this.#name} failed: ${messageOf(cause)}`, { cause })
    }
  }

  /** Frees the weights once what is running has ended; whatever is asked afterwards is refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    await this.#model.dispose()
  }
}

/** A loop, because `from` with a function costs more than a short text's share of everything else here. */
function integers(values: readonly number[]): BigInt64Array {
  const result = new BigInt64Array(values.length)
  for (let at = 0; at < values.length; at++) result[at] = BigInt(values[at] as number)
  return result
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
