/**
 * A store in one SQLite file.
 *
 * @module ashlar/sqlite
 */
export type { FlatColumns, FlatTable } from './store/flat/flat-columns.ts'
export { schemaSql } from './store/sqlite/schema.ts'
export { sqliteChunks } from './store/sqlite/sqlite-chunks.ts'
export { type SqliteStoreOptions, sqliteStore } from './store/sqlite/sqlite-store.ts'
