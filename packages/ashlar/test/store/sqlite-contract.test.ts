import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { storeContract } from '../../src/testing/store-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-contract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

storeContract({
  name: 'the SQLite store',
  test,
  // The contract is not about the power going out; waiting for the disk would only make it slow.
  open: (scope, name) => sqliteStore(join(folder, `${name}.db`), scope, { survives: 'process' }),
  reference: (scope) => memoryStore(scope),
  recall: 0.99,
})
