import {
  type Asked,
  contentParts,
  type Fields,
  number,
  objects,
  RequestRefused,
  retryAfterHeaders,
  type ServedAnswer,
  type ServedFailure,
  type ServedPart,
  string,
  strings,
  type Wire,
} from './provider-wire.ts'

/** OpenAI's format: embeddings, chat completions and responses. */
export const openaiWire: Wire = {
  limits: { maxBatch: 2048, maxTokens: 8192, maxBatchTokens: 300_000 },
  hasKey: ({ authorization }) => /^Bearer \S/.test(String(authorization)),
  read(path, body) {
    if (path === '/v1/embeddings') return embeddings(body)
    if (path === '/v1/chat/completions') return completions(body)
    if (path === '/v1/responses') return responses(body)
    throw new RequestRefused(404, `Unknown request URL: POST ${path}`)
  },
  embedded: ({ model }, vectors, tokens) => ({
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }),
  chatted: (asked, answer, id) =>
    asked.endpoint === '/v1/responses' ? response(asked, answer, id) : completion(asked, answer, id),
  reranked() {
    throw new RequestRefused(404, 'Not found')
  },
  failed,
}

function embeddings(body: Fields): Asked {
  const { input, dimensions } = body
  const texts = typeof input === 'string' ? [input] : strings(body, 'input')
  if (texts.includes('')) throw new RequestRefused(400, "'$.input' is invalid: a text is empty")
  return {
    endpoint: '/v1/embeddings',
    kind: 'embed',
    model: string(body, 'model'),
    texts,
    as: 'document',
    tooLong: 'refuse',
    ...number('dimensions', dimensions),
  }
}

function completions(body: Fields): Asked {
  const parts = objects(body, 'messages').flatMap((message) => contentParts(roleOf(message), message['content']))
  const maxTokens = body['max_completion_tokens'] ?? body['max_tokens']
  return {
    endpoint: '/v1/chat/completions',
    kind: 'chat',
    model: string(body, 'model'),
    parts,
    ...number('maxTokens', maxTokens),
  }
}

function responses(body: Fields): Asked {
  const { instructions, input } = body
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : objects(body, 'input')
  const system = typeof instructions === 'string' ? contentParts('system', instructions) : []
  const parts = [...system, ...messages.flatMap((message) => contentParts(roleOf(message), message['content']))]
  return {
    endpoint: '/v1/responses',
    kind: 'chat',
    model: string(body, 'model'),
    parts,
    ...number('maxTokens', body['max_output_tokens']),
  }
}

function roleOf({ role }: Fields): ServedPart['role'] {
  if (role === 'system' || role === 'developer') return 'system'
  if (role === 'user' || role === 'assistant') return role
  throw new RequestRefused(400, `Invalid role: ${JSON.stringify(role)}`)
}

function completion({ model }: Asked, { text, finish, usage }: ServedAnswer, id: string): unknown {
  const refused = finish === 'refused'
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: refused ? null : text, refusal: refused ? text : null, annotations: [] },
        logprobs: null,
        // A refusal is a complete answer in this format.
        finish_reason: refused ? 'stop' : finish,
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedTokens, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
  }
}

function response({ model }: Asked, { text, finish, usage }: ServedAnswer, id: string): unknown {
  const incomplete = finish === 'length' ? { reason: 'max_output_tokens' } : null
  const content =
    finish === 'refused' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs: [] }
  const status = incomplete === null ? 'completed' : 'incomplete'
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: null,
    incomplete_details: incomplete,
    model,
    output: [{ id: `msg_${id}`, type: 'message', status, role: 'assistant', content: [content] }],
    usage: {
      input_tokens: usage.inputTokens,
      input_tokens_details: { cached_tokens: usage.cachedTokens },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }
}

function failed(failure: ServedFailure): { headers: Record<string, string>; body: unknown } {
  const { status, message, retryAfter, form } = failure
  const type = status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error'
  const code = status === 429 ? 'rate_limit_exceeded' : status === 401 ? 'invalid_api_key' : null
  const exact: Record<string, string> = retryAfter === undefined || form === 'date' ? {} : { 'retry-after-ms': `${retryAfter}` }
  return { headers: { ...retryAfterHeaders(failure), ...exact }, body: { error: { message, type, param: null, code } } }
}
