import { afterAll, describe, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { storeContract } from '../../src/testing/store-contract.ts'
import { openTestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()
const pool = database?.connect()

afterAll(async () => database?.[Symbol.asyncDispose]())

describe.skipIf(pool === undefined)('a PostgreSQL store', () => {
  storeContract({
    name: 'postgres',
    test: (name, body, timeout) => test(name, body, timeout),
    open: (scope, data) => postgresStore(pool as NonNullable<typeof pool>, scope, { schema: data }),
    reference: (scope) => memoryStore(scope),
  })
})
