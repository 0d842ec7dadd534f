import {
  type Asked,
  type Fields,
  number,
  objects,
  RequestRefused,
  type ServedPart,
  string,
  type Wire,
  withoutTools,
} from './provider-wire.ts'

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const finishReasons = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY', calls: 'STOP' } as const

/** Google's format: embedContent, batchEmbedContents and generateContent. Its embedding models cut long texts in silence. */
export const googleWire: Wire = {
  limits: { maxBatch: 100, maxTokens: 2048 },
  hasKey: (headers) => typeof headers['x-goog-api-key'] === 'string',
  read(path, body) {
    const [, model = '', method] = /^\/v1beta\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
    if (method === 'embedContent') return embedding(path, model, [body])
    if (method === 'batchEmbedContents') return embedding(path, model, objects(body, 'requests'))
    if (method === 'generateContent') return generation(path, model, body)
    throw new RequestRefused(404, `models/${model} is not found`)
  },
  embedded: ({ endpoint }, vectors) => {
    const embeddings = vectors.map((values) => ({ values }))
    return endpoint.endsWith(':embedContent') ? { embedding: embeddings[0] } : { embeddings }
  },
  chatted: ({ model }, { text, finish, usage }, id) => ({
    candidates: [
      {
        ...(finish !== 'refused' && { content: { parts: [{ text }], role: 'model' } }),
        finishReason: finishReasons[finish],
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
      ...(usage.cachedTokens > 0 && { cachedContentTokenCount: usage.cachedTokens }),
    },
    modelVersion: model,
    responseId: id,
  }),
  reranked() {
    throw new RequestRefused(404, 'Not found')
  },
  failed: ({ status, message, retryAfter }) => ({
    headers: {},
    body: {
      error: {
        code: status,
        message,
        status: statuses[status] ?? 'UNKNOWN',
        ...(retryAfter !== undefined && {
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter / 1000}s` }],
        }),
      },
    },
  }),
}

function embedding(path: string, model: string, requests: readonly Fields[]): Asked {
  const texts = requests.map(({ content }) =>
    partsOf('user', content as Fields)
      .map(({ text }) => text)
      .join(''),
  )
  const as = requests[0]?.['taskType'] === 'RETRIEVAL_QUERY' ? 'query' : 'document'
  const dimensions = number('dimensions', requests[0]?.['outputDimensionality'])
  return { endpoint: path, kind: 'embed', model, texts, as, tooLong: 'cut', ...dimensions }
}

function generation(path: string, model: string, body: Fields): Asked {
  const { systemInstruction, generationConfig } = body
  const system = systemInstruction === undefined ? [] : partsOf('system', systemInstruction as Fields)
  const contents = objects(body, 'contents').flatMap((content) =>
    partsOf(content['role'] === 'model' ? 'assistant' : 'user', content),
  )
  const maxTokens = number('maxTokens', (generationConfig as Fields | undefined)?.['maxOutputTokens'])
  return { endpoint: path, kind: 'chat', model, parts: [...system, ...contents], tools: withoutTools(body), ...maxTokens }
}

function partsOf(role: ServedPart['role'], content: Fields | undefined): readonly ServedPart[] {
  return objects(content ?? {}, 'parts').map((part) => ({ role, text: string(part, 'text'), cache: false }))
}
