import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteCache } from 'ashlar/cache'
import type { Journal } from 'ashlar/models'

/** The folder of what models once gave: the one named in ASHLAR_EVAL_CACHE, else `.cache` of the checkout. It may be deleted at any time. */
export function cacheFolder(): string {
  const folder = process.env['ASHLAR_EVAL_CACHE'] ?? fileURLToPath(new URL('../.cache', import.meta.url))
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Where the vectors of questions are. */
export function queryFolder(): string {
  return join(cacheFolder(), 'questions')
}

/** A journal that forgets nothing, so that only the first run embeds. Several processes may use it at once. */
export function openEvalCache(): Journal & AsyncDisposable {
  const file = sqliteCache(join(cacheFolder(), 'evals.sqlite'))
  return {
    get: (keys) => file.get(keys),
    set: (entries) => file.set(entries),
    delete: async () => {},
    sweep: async () => {},
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  }
}
