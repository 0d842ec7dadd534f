import type { ModelCache } from './model-cache.ts'

/**
 * Keeps what was paid for until its document is stored: `sqliteCache` on disk is one, so that a run that was killed pays again only for
 * the calls that were under way.
 */
export interface Journal extends ModelCache {
  /** Forgets entries; keys that are not there are passed over. */
  delete(keys: readonly string[]): Promise<void>
  /** Forgets what was last written or used before a time in milliseconds: what no run will ask for again. */
  sweep(before: number): Promise<void>
}
