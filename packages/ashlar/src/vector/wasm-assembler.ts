/** Instructions of a function as bytes. Parts are nested in the order in which a stack machine runs them. */
export type Code = number | readonly Code[]

/** The types of WebAssembly that are used here. */
const wasmType = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const

type WasmType = keyof typeof wasmType

/** Instructions by the names that the WebAssembly text format has for them. Operands come before the operator. */
export const wasm = {
  loop: (body: Code): Code => [0x03, 0x40, body, 0x0b],
  branchIf: (depth: number, condition: Code): Code => [condition, 0x0d, depth],
  get: (local: number): Code => [0x20, unsigned(local)],
  set: (local: number, value: Code): Code => [value, 0x21, unsigned(local)],
  i32: {
    const: (value: number): Code => [0x41, signed(value)],
    add: (one: Code, other: Code): Code => [one, other, 0x6a],
    mul: (one: Code, other: Code): Code => [one, other, 0x6c],
    lessUnsigned: (one: Code, other: Code): Code => [one, other, 0x49],
  },
  v128: {
    load: (address: Code, offset: number): Code => [address, simd(0), 0x00, unsigned(offset)],
    /** The lower half; the upper one is 0. */
    loadHalf: (address: Code, offset: number): Code => [address, simd(93), 0x00, unsigned(offset)],
    store: (address: Code, offset: number, value: Code): Code => [address, value, simd(11), 0x00, unsigned(offset)],
    zero: [simd(12), Array.from({ length: 16 }, () => 0)] as Code,
    and: (one: Code, other: Code): Code => [one, other, simd(78)],
  },
  i8x16: {
    splat: (value: Code): Code => [value, simd(15)],
    swizzle: (table: Code, indexes: Code): Code => [table, indexes, simd(14)],
    shiftRightUnsigned: (value: Code, bits: number): Code => [value, 0x41, bits, simd(109)],
    add: (one: Code, other: Code): Code => [one, other, simd(110)],
  },
  i16x8: {
    shiftLeft: (value: Code, bits: number): Code => [value, 0x41, bits, simd(139)],
    shiftRightUnsigned: (value: Code, bits: number): Code => [value, 0x41, bits, simd(141)],
    add: (one: Code, other: Code): Code => [one, other, simd(142)],
    sub: (one: Code, other: Code): Code => [one, other, simd(145)],
    narrowUnsigned: (low: Code, high: Code): Code => [low, high, simd(134)],
  },
  i32x4: {
    extendLowUnsigned: (value: Code): Code => [value, simd(169)],
    extendHighUnsigned: (value: Code): Code => [value, simd(170)],
    truncateUnsigned: (value: Code): Code => [value, simd(249)],
  },
  f32: {
    const: (value: number): Code => [0x43, [...new Uint8Array(Float32Array.of(value).buffer)]],
  },
  f32x4: {
    splat: (value: Code): Code => [value, simd(19)],
    convertUnsigned: (value: Code): Code => [value, simd(251)],
    add: (one: Code, other: Code): Code => [one, other, simd(228)],
    mul: (one: Code, other: Code): Code => [one, other, simd(230)],
    min: (one: Code, other: Code): Code => [one, other, simd(232)],
    max: (one: Code, other: Code): Code => [one, other, simd(233)],
  },
  f64: {
    add: (one: Code, other: Code): Code => [one, other, 0xa0],
    store: (address: Code, offset: number, value: Code): Code => [address, value, 0x39, 0x00, unsigned(offset)],
  },
  f64x2: {
    /** The two numbers of the lower half in double precision. */
    promoteLow: (value: Code): Code => [value, simd(95)],
    extractLane: (value: Code, lane: 0 | 1): Code => [value, simd(33), lane],
    add: (one: Code, other: Code): Code => [one, other, simd(240)],
    mul: (one: Code, other: Code): Code => [one, other, simd(242)],
  },
} as const

/**
 * A module of one function without a result, `run`, that works on the memory it imports as `host.memory`. Parameters are the first
 * locals.
 */
export function assembleModule(parameters: readonly WasmType[], locals: readonly WasmType[], body: Code): Uint8Array {
  const types = (names: readonly WasmType[]): Code => names.map((name) => wasmType[name])
  const code = [unsigned(locals.length), locals.map((name) => [1, wasmType[name]]), body, 0x0b]
  return Uint8Array.from(
    bytesOf([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [1, 0x60, unsigned(parameters.length), types(parameters), 0]),
      section(2, [1, name('host'), name('memory'), 0x02, 0x00, 1]),
      section(3, [1, 0]),
      section(7, [1, name('run'), 0x00, 0]),
      section(10, [1, sized(code)]),
    ]),
  )
}

function section(id: number, content: Code): Code {
  return [id, sized(content)]
}

function sized(content: Code): Code {
  const bytes = bytesOf(content)
  return [unsigned(bytes.length), bytes]
}

function name(text: string): Code {
  return sized([...new TextEncoder().encode(text)])
}

function simd(number: number): Code {
  return [0xfd, unsigned(number)]
}

function unsigned(value: number): Code {
  return value < 128 ? value : [(value & 127) | 128, unsigned(value >>> 7)]
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? value & 127 : [(value & 127) | 128, signed(value >> 7)]
}

function bytesOf(code: Code): number[] {
  return typeof code === 'number' ? [code] : code.flatMap(bytesOf)
}
