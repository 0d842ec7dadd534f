import type { Embedder } from '../../src/model/embedder.ts'
import { noUsage } from '../../src/model/usage.ts'
import { words } from '../../src/text/word.ts'

/** Counts words into a fixed number of signed buckets and scales to length 1: a real embedder that needs no weights. */
export function hashedEmbedder(dimensions = 64): Embedder {
  return {
    identity: {
      model: 'test/hashed-words',
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
    embed: async (texts, { signal }) => {
      signal?.throwIfAborted()
      return { vectors: texts.map((text) => vectorOf(text, dimensions)), usage: noUsage }
    },
  }
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const { start, end } of words(text)) {
    const hash = hashOf(text.slice(start, end).toLowerCase())
    const bucket = hash % dimensions
    vector[bucket] = (vector[bucket] as number) + (hash & 0x40000000 ? 1 : -1)
  }
  // A text without words still has a direction of its own.
  if (vector.every((value) => value === 0)) vector[hashOf(text) % dimensions] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 13)) >>> 1
}
