import type { Embedder } from 'ashlar/models'

const dimensions = 64

/** An embedder of a few lines that behaves: texts with common words have near vectors. */
export const wordEmbedder: Embedder = {
  identity: {
    model: 'test/words',
    options: {},
    dimensions,
    pooling: 'mean',
    normalized: true,
    queryPrefix: '',
    documentPrefix: '',
    maxTokens: undefined,
  },
  maxBatch: 100,
  givesTokens: false,
  async embed(texts) {
    return {
      vectors: texts.map(vectorOf),
      usage: { inputTokens: texts.join(' ').length >> 2, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
    }
  },
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions).fill(0.01)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
