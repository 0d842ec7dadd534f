import type { Embedder, EmbedderIdentity } from '../../src/model/embedder.ts'
import { noUsage } from '../../src/model/usage.ts'

/** An embedder that knows a few topics by the words that name them, and what was asked of it. */
export interface TopicEmbedder extends Embedder {
  /** The texts of each call. */
  readonly calls: (readonly string[])[]
}

/** The vector of a text counts the topics it names, and beside them has a small direction of its own; without a topic it is zero. */
export function topicEmbedder(
  topics: readonly string[],
  more: Partial<EmbedderIdentity> & Partial<Pick<Embedder, 'maxBatch' | 'counter'>> = {},
): TopicEmbedder {
  const { maxBatch = 1000, counter, ...identity } = more
  const calls: (readonly string[])[] = []
  return {
    identity: {
      model: 'test/topics',
      options: {},
      dimensions: topics.length + 4,
      pooling: 'provider',
      normalized: false,
      queryPrefix: '',
      documentPrefix: '',
      maxTokens: undefined,
      ...identity,
    },
    maxBatch,
    ...(counter !== undefined && { counter }),
    givesTokens: false,
    calls,
    embed: async (texts, { signal }) => {
      signal?.throwIfAborted()
      calls.push(texts)
      return { vectors: texts.map((text) => vectorOf(text.toLowerCase(), topics)), usage: noUsage }
    },
  }
}

function vectorOf(text: string, topics: readonly string[]): Float32Array {
  const vector = new Float32Array(topics.length + 4)
  for (const [axis, topic] of topics.entries()) vector[axis] = text.split(topic).length - 1
  if (vector.some((value) => value > 0)) vector[topics.length + (text.length % 4)] = 0.3
  return vector
}
