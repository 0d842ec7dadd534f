import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { AshlarError } from '../error/ashlar-error.ts'

/** How a model's weights are stored, as transformers.js calls it. */
export type WeightType = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4'

/** What the name of the ONNX file ends with for each type. */
const endings: Readonly<Record<WeightType, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
}

type Json = Readonly<Record<string, unknown>>

/** The files of one model, in the layout of the Hugging Face hub. */
export interface ModelFolder {
  /** The folder's own name, without the path to it. */
  readonly name: string
  readonly path: string
  readonly weightType: WeightType
  /** `config.json`. */
  readonly config: Json
  /** `tokenizer.json`. */
  readonly tokenizer: Json
  /** A JSON file that need not be there. */
  read(file: string): Promise<Json | undefined>
  /** A short hash of the weights: a folder's name alone does not say what is in it. */
  weightsHash(): Promise<string>
}

/**
 * Opens the folder of a model and makes sure that what is needed of it is there.
 *
 * @throws AshlarError `MODEL_NOT_FOUND` that names the folder or the file; `INVALID_MODEL` for a file that cannot be read.
 */
export async function openModelFolder(folder: string, weightType: WeightType): Promise<ModelFolder> {
  const ending = endings[weightType]
  if (ending === undefined) {
    throw new AshlarError(
      'INVALID_OPTION',
      `dtype is ${String(weightType)}; it must be one of ${Object.keys(endings).join(', ')}.`,
      {
        details: { dtype: weightType },
      },
    )
  }
  const path = resolve(folder)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) {
    throw new AshlarError('MODEL_NOT_FOUND', `There is no folder ${path}. Nothing was downloaded.`, { details: { folder: path } })
  }
  const config = await readNeeded(path, 'config.json')
  const tokenizer = await readNeeded(path, 'tokenizer.json')
  const weights = `onnx/model${ending}.onnx`
  if ((await stat(join(path, weights)).catch(() => undefined)) === undefined) throw await missingWeights(path, weights)
  return {
    name: basename(path),
    path,
    weightType,
    config,
    tokenizer,
    read: (file) => readJson(path, file),
    weightsHash: () => hashFiles(path, `model${ending}.onnx`),
  }
}

async function readNeeded(path: string, file: string): Promise<Json> {
  const json = await readJson(path, file)
  if (json === undefined) throw missing(path, file)
  return json
}

async function readJson(path: string, file: string): Promise<Json | undefined> {
  const text = await readFile(join(path, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new AshlarError('INVALID_MODEL', `${join(path, file)} is not JSON.`, { details: { folder: path, file }, cause })
  }
}

function missing(path: string, file: string, hint = ''): AshlarError {
  return new AshlarError('MODEL_NOT_FOUND', `There is no ${file} in ${path}.${hint} Nothing was downloaded.`, {
    details: { folder: path, file },
  })
}

async function missingWeights(path: string, file: string): Promise<AshlarError> {
  const names = await readdir(join(path, 'onnx')).catch((): string[] => [])
  const others = Object.entries(endings).filter(([, ending]) => names.includes(`model${ending}.onnx`))
  const hint = others.map(([type, ending]) => ` There is onnx/model${ending}.onnx, for which dtype is ${type}.`).join('')
  return missing(path, file, hint)
}

/** Hashes the graph and, where the weights lie in files of their own, those too. */
async function hashFiles(path: string, graph: string): Promise<string> {
  const names = await readdir(join(path, 'onnx'))
  const hash = createHash('sha256')
  for (const name of names.filter((one) => one === graph || one.startsWith(`${graph}_data`)).toSorted()) {
    for await (const block of createReadStream(join(path, 'onnx', name), { highWaterMark: 1 << 20 }))
      hash.update(block as Uint8Array)
  }
  return hash.digest('hex').slice(0, 16)
}
