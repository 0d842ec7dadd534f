import type { Embedder } from '../../src/model/embedder.ts'
import { noUsage } from '../../src/model/usage.ts'

/** An embedder that counts letters, and what it was asked. */
export interface LetterEmbedder extends Embedder {
  /** Texts of each call, in their order. */
  readonly calls: readonly string[][]
  /** Everything it was asked to embed, since the last time this was asked. */
  taken(): readonly string[]
}

/** Makes one. With `tokens` it gives a state for each word, so that documents are embedded in windows. */
export function letterEmbedder(options: { readonly tokens?: boolean; readonly maxBatch?: number } = {}): LetterEmbedder {
  const { tokens = false, maxBatch = 64 } = options
  const calls: string[][] = []
  let seen = 0
  return {
    identity: {
      model: `test/letters${tokens ? '-tokens' : ''}`,
      options: {},
      dimensions: 27,
      pooling: 'mean',
      normalized: true,
      queryPrefix: '',
      documentPrefix: '',
      maxTokens: undefined,
    },
    maxBatch,
    givesTokens: tokens,
    calls,
    taken() {
      const texts = calls.slice(seen).flat()
      seen = calls.length
      return texts
    },
    async embed(texts, { tokens: wanted = false }) {
      calls.push([...texts])
      const usage = { ...noUsage, inputTokens: texts.reduce((sum, text) => sum + wordsOf(text).length, 0) }
      const vectors = texts.map(vectorOf)
      if (!wanted) return { vectors, usage }
      const states = texts.map((text) => {
        const words = wordsOf(text)
        const rows = new Float32Array(words.length * 27)
        for (const [at, { 0: word }] of words.entries()) rows.set(vectorOf(word), at * 27)
        return {
          starts: Uint32Array.from(words, ({ index }) => index),
          ends: Uint32Array.from(words, ({ 0: word, index }) => index + word.length),
          ids: Uint32Array.from(words, ({ 0: word }) => word.length),
          states: rows,
        }
      })
      return { vectors, tokens: states, usage }
    },
  }
}

function wordsOf(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(/\S+/g)]
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(27)
  for (const unit of text.toLowerCase()) {
    const place = unit.charCodeAt(0) - 97
    vector[place >= 0 && place < 26 ? place : 26] = (vector[place >= 0 && place < 26 ? place : 26] as number) + 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((number) => number / length)
}
