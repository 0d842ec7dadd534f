import { AshlarError } from '../error/ashlar-error.ts'
import { halfFloat } from './half-float.ts'
import { readSafetensors, type Tensor } from './safetensors.ts'

/** One vector for each token of a vocabulary. */
export interface StaticWeights {
  readonly dimensions: number
  /** How many tokens have a vector: ids are below this. */
  readonly size: number
  /** What the numbers are kept as; decides about the last digits of every vector. */
  readonly type: 'float32' | 'float16' | 'int8'
  /** The vector of a token. Decoded when first asked for and kept: texts use a small part of a vocabulary. Not to be written to. */
  row(id: number): Float32Array
}

const types: Readonly<Record<string, StaticWeights['type']>> = { F32: 'float32', F16: 'float16', I8: 'int8' }

/**
 * Reads the weights of a static model from its `model.safetensors`, in the layout of model2vec.
 *
 * That is a matrix `embeddings` (`embedding.weight` when saved by sentence-transformers); where the vocabulary shares rows, a list
 * `mapping` that gives each token its row; and where rows are scaled, a list `weights` with each token's factor.
 *
 * @throws AshlarError `INVALID_MODEL` when there is no such matrix or the lists do not match it.
 */
export function readStaticWeights(file: Uint8Array): StaticWeights {
  const tensors = readSafetensors(file)
  const matrix = tensors.get('embeddings') ?? tensors.get('embedding.weight')
  const type = matrix === undefined ? undefined : types[matrix.type]
  const [rows = 0, dimensions = 0] = matrix?.shape ?? []
  if (matrix === undefined || type === undefined || matrix.shape.length !== 2 || rows === 0 || dimensions === 0) {
    throw invalid('They have no matrix “embeddings” of type F32, F16 or I8', {
      tensors: [...tensors].map(([name, tensor]) => `${name} ${tensor.type} ${tensor.shape.join('x')}`),
    })
  }
  const mapping = tensors.get('mapping')
  const factors = tensors.get('weights')
  const size = mapping?.shape[0] ?? rows
  const rowOf = mapping === undefined ? undefined : readRows(mapping, rows)
  if (factors !== undefined && (factors.shape[0] !== size || factors.bytes.length === 0)) {
    throw invalid(`They have ${factors.shape[0]} factors for ${size} tokens`, { tokens: size })
  }
  const factorOf = factors === undefined ? undefined : numbers(factors)
  // Rows that are kept as they are used need no copy.
  const floats = type === 'float32' && factorOf === undefined ? floatsOf(matrix) : undefined
  const number = floats === undefined ? numbers(matrix) : reader(floats)
  const decoded: (Float32Array | undefined)[] = new Array(size)

  function decode(id: number): Float32Array {
    const from = (rowOf === undefined ? id : (rowOf[id] as number)) * dimensions
    const factor = factorOf === undefined ? 1 : factorOf(id)
    const row = floats?.subarray(from, from + dimensions) ?? new Float32Array(dimensions)
    if (floats === undefined) for (let at = 0; at < dimensions; at++) row[at] = number(from + at) * factor
    if (!row.every(Number.isFinite)) throw invalid(`The vector of token ${id} has numbers that are none`, { token: id })
    decoded[id] = row
    return row
  }
  return { dimensions, size, type, row: (id) => decoded[id] ?? decode(id) }
}

/** Which row of the matrix each token has. */
function readRows(mapping: Tensor, rows: number): Uint32Array {
  const read = numbers(mapping)
  const found = Uint32Array.from({ length: mapping.shape[0] ?? 0 }, (_, id) => read(id))
  const astray = found.findIndex((row, id) => row >= rows || row !== read(id))
  if (mapping.shape.length !== 1 || found.length === 0 || astray >= 0) {
    throw invalid(`They map token ${Math.max(astray, 0)} to a row that is not there`, { rows })
  }
  return found
}

function floatsOf({ bytes }: Tensor): Float32Array {
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return new Float32Array(buffer, byteOffset, bytes.length / 4)
}

/** Reads numbers by their index. Where a view cannot be laid over the bytes they are copied once. */
function numbers({ type, shape, bytes }: Tensor): (at: number) => number {
  const width = bytes.length / shape.reduce((size, side) => size * side, 1)
  const { buffer, byteOffset } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes)
  switch (type) {
    case 'F64':
      return reader(new Float64Array(buffer, byteOffset, bytes.length / 8))
    case 'F32':
      return reader(new Float32Array(buffer, byteOffset, bytes.length / 4))
    case 'I32':
      return reader(new Int32Array(buffer, byteOffset, bytes.length / 4))
    case 'I64': {
      const long = new BigInt64Array(buffer, byteOffset, bytes.length / 8)
      return (index) => Number(long[index])
    }
    case 'F16': {
      const halves = new Uint16Array(buffer, byteOffset, bytes.length / 2)
      return (index) => halfFloat(halves[index] as number)
    }
    default:
      return reader(new Int8Array(buffer, byteOffset, bytes.length))
  }
}

function reader(values: Float64Array | Float32Array | Int32Array | Int8Array): (at: number) => number {
  return (at) => values[at] as number
}

function invalid(what: string, details: Readonly<Record<string, unknown>>): AshlarError {
  return new AshlarError('INVALID_MODEL', `These weights are not those of a static model. ${what}.`, { details })
}
