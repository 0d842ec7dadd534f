import {
  type Asked,
  contentParts,
  type Fields,
  number,
  objects,
  RequestRefused,
  retryAfterHeaders,
  type ServedPart,
  string,
  strings,
  type Wire,
  withoutTools,
} from './provider-wire.ts'

const finishReasons = { stop: 'COMPLETE', length: 'MAX_TOKENS', refused: 'ERROR_TOXIC', calls: 'TOOL_CALL' } as const

/** Cohere's format, version 2: embed, chat and rerank. It cuts long texts unless told not to. */
export const cohereWire: Wire = {
  limits: { maxBatch: 96, maxTokens: 512 },
  hasKey: ({ authorization }) => /^Bearer \S/.test(String(authorization)),
  read(path, body) {
    if (path === '/v2/embed') return embedding(path, body)
    if (path === '/v2/chat') return chat(path, body)
    if (path === '/v2/rerank') return ranking(path, body)
    throw new RequestRefused(404, 'not found')
  },
  embedded: (asked, vectors, tokens) => ({
    id: 'embed',
    embeddings: { float: vectors },
    texts: asked.kind === 'embed' ? asked.texts : [],
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
    response_type: 'embeddings_by_type',
  }),
  chatted: (_asked, { text, finish, usage }, id) => ({
    id,
    generation_id: id,
    message: { role: 'assistant', content: finish === 'refused' ? [] : [{ type: 'text', text }] },
    finish_reason: finishReasons[finish],
    usage: {
      billed_units: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      tokens: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    },
  }),
  reranked: (asked, scores, id) => ({
    id,
    results: scores
      .map((relevance_score, index) => ({ index, relevance_score }))
      .sort((left, right) => right.relevance_score - left.relevance_score)
      .slice(0, asked.kind === 'rerank' ? asked.topN : undefined),
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  }),
  failed: (failure) => ({ headers: retryAfterHeaders(failure), body: { message: failure.message } }),
}

function embedding(path: string, body: Fields): Asked {
  const inputType = string(body, 'input_type')
  if (!['search_document', 'search_query', 'classification', 'clustering', 'image'].includes(inputType))
    throw new RequestRefused(400, `invalid input_type: ${inputType}`)
  return {
    endpoint: path,
    kind: 'embed',
    model: string(body, 'model'),
    texts: strings(body, 'texts'),
    as: inputType === 'search_query' ? 'query' : 'document',
    tooLong: body['truncate'] === 'NONE' ? 'refuse' : 'cut',
    ...number('dimensions', body['output_dimension']),
  }
}

function chat(path: string, body: Fields): Asked {
  const parts = objects(body, 'messages').flatMap((message) => contentParts(roleOf(message), message['content']))
  return {
    endpoint: path,
    kind: 'chat',
    model: string(body, 'model'),
    parts,
    tools: withoutTools(body),
    ...number('maxTokens', body['max_tokens']),
  }
}

function ranking(path: string, body: Fields): Asked {
  const texts = strings(body, 'documents')
  return {
    endpoint: path,
    kind: 'rerank',
    model: string(body, 'model'),
    query: string(body, 'query'),
    texts,
    ...number('topN', body['top_n']),
  }
}

function roleOf({ role }: Fields): ServedPart['role'] {
  if (role === 'system' || role === 'user' || role === 'assistant') return role
  throw new RequestRefused(400, `invalid role: ${JSON.stringify(role)}`)
}
