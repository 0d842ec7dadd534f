import { promises, type StoreContractOptions } from './store-contract-case.ts'
import { embeddingPromises } from './store-contract-embeddings.ts'
import { filterPromises } from './store-contract-filters.ts'
import { readingPromises } from './store-contract-reading.ts'
import { tenancyPromises } from './store-contract-tenancy.ts'
import { traitPromises } from './store-contract-traits.ts'
import { writingPromises } from './store-contract-writing.ts'

/**
 * Registers what every store promises as tests: whole replacement, receipts, nothing left over, the same ranking everywhere, tenants that
 * never see each other, filters that mean what they say, whatever is thrown at it. Where a store may differ, its `supports` says so, and
 * both answers are tested.
 */
export function storeContract(options: StoreContractOptions): void {
  const promise = promises(options)
  writingPromises(promise, options)
  readingPromises(promise, options)
  embeddingPromises(promise)
  filterPromises(promise, options)
  tenancyPromises(promise)
  traitPromises(promise)
}
