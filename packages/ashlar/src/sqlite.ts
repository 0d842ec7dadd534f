/**
 * A store in one SQLite file.
 *
 * @module ashlar/sqlite
 */
export { schemaSql } from './store/sqlite/schema.ts'
export { type SqliteStoreOptions, sqliteStore } from './store/sqlite/sqlite-store.ts'
