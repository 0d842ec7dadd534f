import { createOpenAI } from '@ai-sdk/openai'
import { describe, expect, test } from 'vitest'

import { embedderFrom } from '../../src/model/embedder-from.ts'
import { startProvider } from '../../src/testing/provider-server.ts'
import { hashedEmbedder } from './hashed-embedder.ts'

const texts = ['Ashlar is dressed stone.', 'Mortar joints are thin.', 'A quoin stands at the corner.']

describe('embeddings through the OpenAI package', () => {
  test('are those of the embedder behind', async () => {
    await using provider = await startProvider({ embedder: hashedEmbedder() })
    const openai = createOpenAI({ baseURL: provider.baseURL.openai, apiKey: 'key' })
    const embedder = embedderFrom(openai.embedding('text-embedding-3-small'))
    const { vectors, usage } = await embedder.embed(texts, { as: 'document' })
    const { vectors: expected } = await hashedEmbedder().embed(texts, { as: 'document' })
    expect(vectors).toEqual(expected)
    expect(usage.inputTokens).toBe(provider.log[0]?.request.tokens)
    expect(embedder.identity).toEqual({
      model: 'openai/text-embedding-3-small',
      options: {},
      dimensions: 64,
      pooling: 'provider',
      normalized: true,
      queryPrefix: '',
      documentPrefix: '',
      maxTokens: 8191,
    })
  })
})
