import { test } from 'vitest'
import { memoryData, memoryStore } from '../../src/store/memory-store.ts'
import { storeContract } from '../../src/testing/store-contract.ts'
import { memoryOrphans } from './memory-orphans.ts'

const sets = new Map<string, ReturnType<typeof memoryData>>()

storeContract({
  name: 'the memory store',
  test,
  open(scope, name) {
    const data = sets.get(name) ?? memoryData()
    sets.set(name, data)
    return memoryStore({ ...scope, data })
  },
  reference: (scope) => memoryStore(scope),
  orphans: (name) => memoryOrphans(sets.get(name) ?? memoryData()),
})
