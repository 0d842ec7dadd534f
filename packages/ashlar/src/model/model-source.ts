import { isAbsolute, join } from 'node:path'
import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import { type ModelFolder, openModelFolder, type WeightType } from './model-folder.ts'
import type { openTransformers } from './onnx-model.ts'

/** Where a model comes from. */
export interface ModelSource {
  /**
   * How the weights are stored: `fp32` is `onnx/model.onnx`, `q8` is `onnx/model_quantized.onnx`, and so on.
   * @default 'q8'
   */
  readonly dtype?: WeightType
  /**
   * Allows the network: what is passed as folder is then a model's name on the Hugging Face hub (`Xenova/all-MiniLM-L6-v2`),
   * which transformers.js downloads once and keeps. Without it nothing is ever fetched.
   * @default false
   */
  readonly download?: boolean
  /** Where downloaded models are kept. @default the cache folder of transformers.js */
  readonly downloadFolder?: string
  /** Processor threads for one run of the model. One costs the least time in all; more answer a single long text sooner. @default 1 */
  readonly threads?: number
  /** Ends the wait for a model that is being opened. */
  readonly signal?: AbortSignal
}

/**
 * Opens the folder that was named, or the one that a download fills. A model that was downloaded before is not asked for again.
 *
 * @throws AshlarError `MODEL_NOT_FOUND` for a model that is not there or cannot be fetched.
 */
export async function openModelSource(
  transformers: Awaited<ReturnType<typeof openTransformers>>,
  folder: string,
  { dtype = 'q8', download = false, downloadFolder, signal }: ModelSource,
): Promise<ModelFolder> {
  if (!download) return openModelFolder(folder, dtype)
  const cache = downloadFolder ?? transformers.env.cacheDir
  if (isAbsolute(folder) || !/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(folder) || cache === null) {
    const message = `download takes the name of a model on the hub, such as Xenova/all-MiniLM-L6-v2, not ${JSON.stringify(folder)}.`
    throw new AshlarError('INVALID_OPTION', message, { details: { name: folder } })
  }
  const path = join(cache, folder)
  try {
    return await openModelFolder(path, dtype)
  } catch (error) {
    if (!isAshlarError(error) || error.code !== 'MODEL_NOT_FOUND') throw error
  }
  signal?.throwIfAborted()
  try {
    await transformers.AutoTokenizer.from_pretrained(folder, { cache_dir: cache })
    signal?.throwIfAborted()
    const model = await transformers.AutoModel.from_pretrained(folder, { dtype, cache_dir: cache })
    await model.dispose()
  } catch (cause) {
    signal?.throwIfAborted()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AshlarError('MODEL_NOT_FOUND', `The model ${folder} could not be downloaded: ${reason}`, {
      details: { name: folder },
      cause,
    })
  }
  return openModelFolder(path, dtype)
}
