/** Memory that a module of WebAssembly works on. Its buffer is another one after it has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** Adds pages of 65,536 bytes. */
  grow(pages: number): number
}

/** What is used of WebAssembly: the types of the language without a browser do not have it. */
interface WebAssemblyGlobal {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { readonly host: { readonly memory: WasmMemory } },
  ) => { readonly exports: { readonly run: unknown } }
}

const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyGlobal }).WebAssembly

export function newWasmMemory(): WasmMemory {
  return new Memory({ initial: 1 })
}

/** The function `run` of a module that works on a memory. */
export function instantiate(bytes: Uint8Array, memory: WasmMemory): unknown {
  return new Instance(new Module(bytes), { host: { memory } }).exports.run
}
