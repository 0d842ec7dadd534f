import { AshlarError } from '../error/ashlar-error.ts'

/** One tensor of a safetensors file: its bytes are a view into the file. */
export interface Tensor {
  /** How the numbers are written: `F32`, `F16`, `I8` … */
  readonly type: string
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

/** Bytes of one number of each type that is read here. */
const widths: Readonly<Record<string, number>> = { F64: 8, I64: 8, F32: 4, I32: 4, F16: 2, I8: 1 }

/** A longer header than this is not one: the format allows no more. */
const longestHeader = 100_000_000

/**
 * The tensors of a safetensors file by name, without copying them. Tensors of types that are not read here are left out.
 *
 * @throws AshlarError `INVALID_MODEL` when the bytes are no such file, or not the whole of one.
 */
export function readSafetensors(file: Uint8Array): ReadonlyMap<string, Tensor> {
  if (file.length < 8) throw invalid(`they are ${file.length} bytes`, file)
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const length = view.getUint32(0, true)
  if (view.getUint32(4, true) !== 0 || length > longestHeader || length > file.length - 8) {
    throw invalid('the header they announce does not fit in', file)
  }
  const header = readHeader(file.subarray(8, 8 + length), file)
  const data = file.subarray(8 + length)
  const tensors = new Map<string, Tensor>()
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue
    const tensor = readTensor(entry, data)
    if (tensor === undefined) throw invalid(`the tensor “${name}” is not described or not all there`, file)
    if (tensor.type in widths) tensors.set(name, tensor)
  }
  return tensors
}

function readHeader(bytes: Uint8Array, file: Uint8Array): object {
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof header === 'object' && header !== null && !Array.isArray(header)) return header
  } catch (cause) {
    throw invalid('their header is not JSON', file, cause)
  }
  throw invalid('their header is no object', file)
}

function readTensor(entry: unknown, data: Uint8Array): Tensor | undefined {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>
  if (typeof dtype !== 'string' || !isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) return undefined
  const [start, end] = offsets as [number, number]
  if (start > end || end > data.length) return undefined
  const width = widths[dtype]
  if (width !== undefined && shape.reduce((size, side) => size * side, width) !== end - start) return undefined
  return { type: dtype, shape, bytes: data.subarray(start, end) }
}

function isSizes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0)
}

function invalid(what: string, file: Uint8Array, cause?: unknown): AshlarError {
  return new AshlarError(
    'INVALID_MODEL',
    `These weights are no whole safetensors file: ${what}. Pass the content of the model’s model.safetensors.`,
    { details: { bytes: file.length }, cause },
  )
}
