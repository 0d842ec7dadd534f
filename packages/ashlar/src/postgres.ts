/**
 * Keeps documents in PostgreSQL with pgvector. Needs the driver `pg` beside it.
 *
 * @module ashlar/postgres
 */
export type { FlatColumns, FlatTable } from './store/flat/flat-columns.ts'
export { type PostgresChunksOptions, postgresChunks } from './store/postgres/postgres-chunks.ts'
export type { PostgresConnection, PostgresPool, PostgresStatement } from './store/postgres/postgres-client.ts'
export { type PostgresStoreOptions, postgresStore } from './store/postgres/postgres-store.ts'
export { type RoleNames, rolesSql, schemaSql } from './store/postgres/schema.ts'
