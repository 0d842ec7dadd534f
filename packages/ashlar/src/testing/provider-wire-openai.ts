import {
  type Asked,
  contentParts,
  type Fields,
  inputText,
  number,
  objects,
  RequestRefused,
  retryAfterHeaders,
  type ServedAnswer,
  type ServedFailure,
  type ServedPart,
  type ServedTool,
  string,
  strings,
  textCall,
  type Wire,
} from './provider-wire.ts'

/** OpenAI's format: embeddings, chat completions and responses. */
export const openaiWire: Wire = {
  limits: { maxBatch: 2048, maxTokens: 8192, maxBatchTokens: 300_000 },
  hasKey: ({ authorization }) => /^Bearer \S/.test(String(authorization)),
  read(path, body, recall) {
    if (path === '/v1/embeddings') return embeddings(body)
    if (path === '/v1/chat/completions') return completions(body)
    if (path === '/v1/responses') return responses(body, recall)
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
  const parts = objects(body, 'messages').flatMap(messageParts)
  const maxTokens = body['max_completion_tokens'] ?? body['max_tokens']
  return {
    endpoint: '/v1/chat/completions',
    kind: 'chat',
    model: string(body, 'model'),
    parts,
    tools: toolsOf(body, 'function'),
    ...number('maxTokens', maxTokens),
  }
}

function messageParts(message: Fields): readonly ServedPart[] {
  const { role, content } = message
  if (role === 'tool') return [result(string(message, 'tool_call_id'), content)]
  const calls = message['tool_calls'] === undefined ? [] : objects(message, 'tool_calls')
  const said = calls.length > 0 && (content === null || content === '') ? [] : contentParts(roleOf(message), content)
  return [...said, ...calls.map((call) => calledBy(call['function'] as Fields, string(call, 'id')))]
}

function calledBy(call: Fields, id: string): ServedPart {
  return textCall(id, string(call, 'name'), string(call, 'arguments'))
}

function result(answers: string, content: unknown): ServedPart {
  const text = contentParts('tool', content)
    .map((part) => part.text)
    .join('')
  return { role: 'tool', text, cache: false, answers }
}

/** Chat completions put a tool into a field of its own; responses do not. */
function toolsOf(body: Fields, field?: 'function'): readonly ServedTool[] {
  if (body['tools'] === undefined) return []
  return objects(body, 'tools').map((tool) => {
    const own = field === undefined ? tool : (tool[field] as Fields)
    return { name: string(own, 'name'), description: String(own['description'] ?? ''), schema: own['parameters'] }
  })
}

function responses(body: Fields, recall: (id: string) => string | undefined): Asked {
  const { instructions, input } = body
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : objects(body, 'input')
  const system = typeof instructions === 'string' ? contentParts('system', instructions) : []
  const parts = [...system, ...messages.flatMap((item) => itemParts(item, recall))]
  return {
    endpoint: '/v1/responses',
    kind: 'chat',
    model: string(body, 'model'),
    parts,
    tools: toolsOf(body),
    ...number('maxTokens', body['max_output_tokens']),
  }
}

function itemParts(item: Fields, recall: (id: string) => string | undefined): readonly ServedPart[] {
  if (item['type'] === 'function_call') return [calledBy(item, string(item, 'call_id'))]
  if (item['type'] === 'function_call_output') return [result(string(item, 'call_id'), item['output'])]
  if (item['type'] !== 'item_reference') return contentParts(roleOf(item), item['content'])
  const id = string(item, 'id')
  const text = recall(id.replace(/^msg_/, ''))
  if (text === undefined) throw new RequestRefused(404, `Item with id '${id}' not found.`)
  return [{ role: 'assistant', text, cache: false }]
}

function roleOf({ role }: Fields): ServedPart['role'] {
  if (role === 'system' || role === 'developer') return 'system'
  if (role === 'user' || role === 'assistant') return role
  throw new RequestRefused(400, `Invalid role: ${JSON.stringify(role)}`)
}

function completion({ model }: Asked, { text, calls, finish, usage }: ServedAnswer, id: string): unknown {
  const refused = finish === 'refused'
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refused || finish === 'calls' ? null : text,
          refusal: refused ? text : null,
          annotations: [],
          ...(finish === 'calls' && {
            tool_calls: calls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: inputText(call) },
            })),
          }),
        },
        logprobs: null,
        // A refusal is a complete answer in this format.
        finish_reason: refused ? 'stop' : finish === 'calls' ? 'tool_calls' : finish,
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

function response({ model }: Asked, { text, calls, finish, usage }: ServedAnswer, id: string): unknown {
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
    output:
      finish === 'calls'
        ? calls.map((call) => ({
            id: `fc_${call.id}`,
            type: 'function_call',
            status,
            call_id: call.id,
            name: call.name,
            arguments: inputText(call),
          }))
        : [{ id: `msg_${id}`, type: 'message', status, role: 'assistant', content: [content] }],
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
