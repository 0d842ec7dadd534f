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
  /** The vector of a token. Those that are asked for first stay decoded: texts use a small part of a vocabulary. Not to be written to. */
  row(id: number): Float32Array
  /** Whether a token's vector has a number other than 0. */
  hasDirection(id: number): boolean
  /** Adds the vectors of the tokens from `first` to before `after` to sums in double precision. */
  addRows(ids: Uint32Array, first: number, after: number, sums: Float64Array): void
}

/** Tokens whose vectors stay decoded: most of any text. The others are decoded again, which costs less than keeping a large vocabulary. */
const mostKept = 4_096

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
  const matrixRow = (id: number): number => (rowOf === undefined ? id : (rowOf[id] as number)) * dimensions
  const room = Math.min(mostKept, size)
  // One piece of memory: rows of their own would lie between everything else that comes and goes. Behind those that stay, four pass through.
  const rowsOf = lazily(() => floats ?? new Float32Array((room + passing) * dimensions))
  const places = new Int32Array(size).fill(-1)
  const views: (Float32Array | undefined)[] = []
  /** For each token 1 where its vector points anywhere, 2 where it does not, 0 as long as nobody has asked. */
  const directions = new Uint8Array(size)
  let kept = 0

  function decode(id: number, into: Float32Array, at: number): void {
    const from = matrixRow(id)
    const factor = factorOf === undefined ? 1 : factorOf(id)
    for (let index = 0; index < dimensions; index++) into[at + index] = number(from + index) * factor
    check(id, into, at)
  }

  function check(id: number, rows: Float32Array, at: number): void {
    for (let index = at; index < at + dimensions; index++)
      if (!Number.isFinite(rows[index])) throw invalid(`The vector of token ${id} has numbers that are none`, { token: id })
  }

  /** Where the row of a token begins; one that does not stay is put to the place for those that pass, of which there are four. */
  function placeOf(rows: Float32Array, id: number, spare: number): number {
    const known = places[id] as number
    if (known >= 0) return known
    if (floats !== undefined) {
      check(id, floats, matrixRow(id))
      places[id] = matrixRow(id)
      return matrixRow(id)
    }
    const stays = kept < room
    const place = (stays ? kept : room + spare) * dimensions
    decode(id, rows, place)
    if (stays) {
      places[id] = place
      kept++
    }
    return place
  }

  function row(id: number): Float32Array {
    const known = views[id]
    if (known !== undefined) return known
    const rows = rowsOf()
    if (floats === undefined && places[id] === -1 && kept === room) {
      const own = new Float32Array(dimensions)
      decode(id, own, 0)
      return own
    }
    const place = placeOf(rows, id, 0)
    const view = rows.subarray(place, place + dimensions)
    views[id] = view
    return view
  }

  function addRows(ids: Uint32Array, first: number, after: number, sums: Float64Array): void {
    const rows = rowsOf()
    let token = first
    // Four rows at a time: the sums are read and written a quarter as often.
    for (; token + 4 <= after; token += 4) {
      const a = placeOf(rows, ids[token] as number, 0)
      const b = placeOf(rows, ids[token + 1] as number, 1)
      const c = placeOf(rows, ids[token + 2] as number, 2)
      const d = placeOf(rows, ids[token + 3] as number, 3)
      for (let at = 0; at < dimensions; at++) {
        const pairs = (rows[a + at] as number) + (rows[b + at] as number) + ((rows[c + at] as number) + (rows[d + at] as number))
        sums[at] = (sums[at] as number) + pairs
      }
    }
    for (; token < after; token++) {
      const place = placeOf(rows, ids[token] as number, 0)
      for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + (rows[place + at] as number)
    }
  }

  function hasDirection(id: number): boolean {
    if (directions[id] === 0) {
      const rows = rowsOf()
      const place = placeOf(rows, id, 0)
      directions[id] = rows.subarray(place, place + dimensions).some((value) => value !== 0) ? 1 : 2
    }
    return directions[id] === 1
  }
  return { dimensions, size, type, row, addRows, hasDirection }
}

/** Rows that are decoded at once without staying. */
const passing = 4

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
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
