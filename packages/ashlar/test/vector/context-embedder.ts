import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedded, Embedder, TokenStates } from '../../src/model/embedder.ts'
import { noUsage } from '../../src/model/usage.ts'
import { sha256 } from '../../src/text/sha-256.ts'

export interface ContextEmbedderOptions {
  readonly dimensions?: number
  readonly maxTokens?: number
  readonly documentPrefix?: string
  readonly pooling?: 'mean' | 'cls'
}

/**
 * An embedder that behaves: a token's state is a fixed random vector of its word, moved a little towards the words around it, so
 * that the same word has other states in other company. It refuses texts over its limit.
 */
export function contextEmbedder(options: ContextEmbedderOptions = {}): Embedder & { readonly calls: string[] } {
  const { dimensions = 64, maxTokens, documentPrefix = '', pooling = 'mean' } = options
  const calls: string[] = []

  function read(text: string, index: number): { readonly tokens: TokenStates; readonly vector: Float32Array } {
    const found = [...text.matchAll(/[\p{L}\p{N}\p{M}]+|[^\s]/gu)]
    if (maxTokens !== undefined && found.length > maxTokens) {
      throw new AshlarError('TEXT_TOO_LONG', 'Too long.', { details: { index, tokens: found.length } })
    }
    const words = found.map(([word]) => wordVector(word.toLowerCase(), dimensions))
    const around = new Float32Array(dimensions)
    for (const word of words) for (let at = 0; at < dimensions; at++) around[at]! += word[at]! / words.length
    const states = new Float32Array(words.length * dimensions)
    for (const [token, word] of words.entries()) {
      for (let at = 0; at < dimensions; at++) states[token * dimensions + at] = word[at]! + around[at]!
    }
    const tokens = {
      starts: Uint32Array.from(found, (one) => one.index),
      ends: Uint32Array.from(found, (one) => one.index + one[0].length),
      ids: Uint32Array.from(found, ([word]) => Number.parseInt(sha256(word.toLowerCase(), 64).slice(0, 4), 16)),
      states,
    }
    return { tokens, vector: words.length === 0 ? wordVector('nothing', dimensions) : around }
  }

  return {
    calls,
    identity: {
      model: 'test/context',
      options: {},
      dimensions,
      pooling,
      normalized: false,
      queryPrefix: '',
      documentPrefix,
      maxTokens,
    },
    maxBatch: 4,
    givesTokens: true,
    counter: Object.assign((text: string) => [...text.matchAll(/[\p{L}\p{N}\p{M}]+|[^\s]/gu)].length, {
      id: 'context-words',
      accuracy: 'exact' as const,
    }),
    async embed(texts, { tokens = false, signal }): Promise<Embedded> {
      signal?.throwIfAborted()
      calls.push(...texts)
      const results = texts.map(read)
      return {
        vectors: results.map(({ vector }) => vector),
        ...(tokens ? { tokens: results.map((result) => result.tokens) } : {}),
        usage: { ...noUsage, inputTokens: results.reduce((sum, result) => sum + result.tokens.ids.length, 0) },
      }
    },
  }
}

/** Numbers between -1 and 1, the same for the same word. */
export function wordVector(word: string, dimensions: number): Float32Array {
  let state = Number.parseInt(sha256(word, 64).slice(0, 8), 16) | 1
  return Float32Array.from({ length: dimensions }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 0x8000_0000
  })
}
