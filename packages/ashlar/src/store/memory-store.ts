import { checkScope } from './check-scope.ts'
import { MemoryData } from './memory-data.ts'
import { MemoryEngine } from './memory-engine.ts'
import type { Store, StoreScope } from './store.ts'
import { TreeStore } from './tree-store.ts'

/** What a memory store is opened for, and what it keeps its data in. */
export interface MemoryStoreOptions extends StoreScope {
  /** Lets several stores see the same data: make it with `memoryData` and pass it to each. @default data of its own */
  readonly data?: MemoryData
}

/**
 * A {@link Store} in the memory of this process, for tests, small collections and browsers. Vectors are compared exactly, every one of
 * them.
 */
export function memoryStore({ data = memoryData(), ...scope }: MemoryStoreOptions): Store {
  const checked = checkScope(scope)
  return new TreeStore({ scope: checked, engine: new MemoryEngine(data, checked), cache: data.cache })
}

/** Room for the data of several memory stores, of one workspace or many. */
export function memoryData(): MemoryData {
  return new MemoryData()
}
