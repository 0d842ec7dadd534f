/**
 * Keeps documents in PostgreSQL with pgvector. Needs the driver `postgres` beside it.
 *
 * @module ashlar/postgres
 */
export type { PostgresClient, PostgresQuery, PostgresTransaction } from './store/postgres/postgres-client.ts'
export { type PostgresStoreOptions, postgresStore } from './store/postgres/postgres-store.ts'
export { type RoleNames, rolesSql, schemaSql } from './store/postgres/schema.ts'
