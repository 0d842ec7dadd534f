/** Numbers for a tensor, in one of the types of the format. */
export interface TensorToWrite {
  readonly type: string
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

/** A tensor of the given type from numbers. */
export function tensor(type: string, shape: readonly number[], values: readonly number[]): TensorToWrite {
  const widths: Record<string, number> = { F64: 8, F32: 4, F16: 2, I64: 8, I32: 4, I8: 1, U8: 1 }
  const width = widths[type]!
  const bytes = new Uint8Array(values.length * width)
  const view = new DataView(bytes.buffer)
  values.forEach((value, index) => {
    const at = index * width
    if (type === 'F64') view.setFloat64(at, value, true)
    else if (type === 'F32') view.setFloat32(at, value, true)
    else if (type === 'F16') view.setUint16(at, halfBits(value), true)
    else if (type === 'I64') view.setBigInt64(at, BigInt(value), true)
    else if (type === 'I32') view.setInt32(at, value, true)
    else view.setInt8(at, value)
  })
  return { type, shape, bytes }
}

/** The bits of a number of at most eleven significant binary digits and of moderate size. */
function halfBits(value: number): number {
  if (value === 0) return 0
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024)
}

/** A safetensors file with these tensors, one after the other; `offset` leaves that many bytes free before it in its buffer. */
export function safetensorsFile(tensors: Readonly<Record<string, TensorToWrite>>, offset = 0): Uint8Array {
  let at = 0
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  for (const [name, { type, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype: type, shape, data_offsets: [at, at + bytes.length] }
    at += bytes.length
  }
  return withHeader(JSON.stringify(header), Object.values(tensors), offset)
}

/** A file with any header. */
export function withHeader(header: string, tensors: readonly TensorToWrite[], offset = 0): Uint8Array {
  const text = new TextEncoder().encode(header)
  const size = 8 + text.length + tensors.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const file = new Uint8Array(new ArrayBuffer(offset + size), offset)
  new DataView(file.buffer, offset).setBigUint64(0, BigInt(text.length), true)
  file.set(text, 8)
  let at = 8 + text.length
  for (const { bytes } of tensors) {
    file.set(bytes, at)
    at += bytes.length
  }
  return file
}
