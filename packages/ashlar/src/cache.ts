/**
 * A cache on disk for what models answered, for Node 22.13 and newer.
 *
 * @module ashlar/cache
 */
export type { Journal } from './model/journal.ts'
export type { ModelCache } from './model/model-cache.ts'
export { type SqliteCacheOptions, sqliteCache } from './model/sqlite-cache.ts'
