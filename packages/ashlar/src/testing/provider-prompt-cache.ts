import { createHash } from 'node:crypto'

import type { Counter } from '../text/counter.ts'
import type { ServedPart } from './provider-wire.ts'

/** How prompts are cached. */
export interface PromptCacheOptions {
  /** Prefixes of fewer tokens are not cached. @default 1024 */
  readonly minimumTokens?: number
  /** Milliseconds that a prefix is kept after its last use. @default 300000 */
  readonly lifetime?: number
}

/** What of a prompt was read from the cache and what was written to it. */
export interface CacheAccount {
  readonly read: number
  readonly write: number
  /** Makes the prompt's prefixes known to later prompts; called once the prompt has been answered, not before. */
  readonly keep: () => void
}

/** Code units between two places where an automatic cache may end. */
const block = 256
/** Automatic caches count in steps of this many tokens. */
const step = 128

/** The prompt caches of one provider: by longest shared prefix, or where marks say so. */
export class PromptCache {
  readonly #minimum: number
  readonly #lifetime: number
  readonly #counter: Counter
  /** When each prefix, as a hash, was last used. */
  readonly #used: Map<string, number> = new Map()

  constructor(counter: Counter, { minimumTokens = 1024, lifetime = 300_000 }: PromptCacheOptions) {
    this.#counter = counter
    this.#minimum = minimumTokens
    this.#lifetime = lifetime
  }

  /** As OpenAI and Google do it: the longest prefix that an earlier prompt to the same model began with. */
  automatic(model: string, parts: readonly ServedPart[]): CacheAccount {
    const text = parts.map(({ role, text: own }) => `${role}\u0000${own}`).join('\u0001')
    const hash = createHash('sha256').update(`automatic\u0000${model}\u0000`)
    const prefixes: { readonly end: number; readonly key: string }[] = []
    for (let end = block; end <= text.length; end += block) {
      hash.update(text.slice(end - block, end), 'utf16le')
      prefixes.push({ end, key: hash.copy().digest('base64') })
    }
    const known = prefixes.findLast(({ key }) => this.#isKnown(key))
    const tokens = known === undefined ? 0 : this.#counter(text.slice(0, known.end))
    const read = tokens < this.#minimum ? 0 : tokens - (tokens % step)
    return { read, write: 0, keep: () => this.#keep(prefixes.map(({ key }) => key)) }
  }

  /** As Anthropic does it: up to the marks, where the prefix was written before, and from there to the last mark written now. */
  marked(model: string, parts: readonly ServedPart[]): CacheAccount {
    const hash = createHash('sha256').update(`marked\u0000${model}\u0000`)
    let tokens = 0
    const prefixes = parts.map((part) => {
      hash.update(`${part.role}\u0000${part.text}\u0001`, 'utf16le')
      tokens += this.#counter(part.text)
      return { tokens, key: hash.copy().digest('base64'), cache: part.cache }
    })
    const last = prefixes.findLast(({ cache, tokens: sum }) => cache && sum >= this.#minimum)
    if (last === undefined) return { read: 0, write: 0, keep: () => undefined }
    const known = prefixes.slice(0, prefixes.indexOf(last) + 1).findLast(({ key }) => this.#isKnown(key))
    const read = known?.tokens ?? 0
    const written = prefixes.filter(({ cache, tokens: sum }) => cache && sum >= this.#minimum).map(({ key }) => key)
    return { read, write: last.tokens - read, keep: () => this.#keep(known === undefined ? written : [...written, known.key]) }
  }

  #isKnown(key: string): boolean {
    const used = this.#used.get(key)
    return used !== undefined && Date.now() - used <= this.#lifetime
  }

  #keep(keys: readonly string[]): void {
    const now = Date.now()
    for (const key of keys) this.#used.set(key, now)
  }
}
