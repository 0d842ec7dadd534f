import {
  contentParts,
  type Fields,
  number,
  objects,
  RequestRefused,
  retryAfterHeaders,
  type ServedPart,
  type ServedTool,
  string,
  type Wire,
} from './provider-wire.ts'

/** How many cache marks a request may carry. */
const maxMarks = 4

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const stopReasons = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal', calls: 'tool_use' } as const

/** Anthropic's format: messages, with cache marks. */
export const anthropicWire: Wire = {
  limits: { maxBatch: 0, maxTokens: 0 },
  hasKey: (headers) => typeof headers['x-api-key'] === 'string' || /^Bearer \S/.test(String(headers['authorization'])),
  read(path, body) {
    if (path !== '/v1/messages') throw new RequestRefused(404, 'Not found')
    if (typeof body['max_tokens'] !== 'number') throw new RequestRefused(400, 'max_tokens: Field required')
    const { system } = body
    const parts: ServedPart[] = system === undefined ? [] : [...contentParts('system', system)]
    for (const message of objects(body, 'messages')) parts.push(...blocks(roleOf(message), message['content']))
    const marks = parts.filter(({ cache }) => cache).length
    if (marks > maxMarks) throw new RequestRefused(400, `At most ${maxMarks} blocks may carry cache_control; found ${marks}`)
    if (parts.some(({ text, cache }) => cache && text === ''))
      throw new RequestRefused(400, 'cache_control cannot be set for empty text blocks')
    if (parts.some(({ role, text }) => text === '' && role !== 'tool'))
      throw new RequestRefused(400, 'text content blocks must be non-empty')
    return {
      endpoint: path,
      kind: 'chat',
      model: string(body, 'model'),
      parts,
      tools: toolsOf(body),
      ...number('maxTokens', body['max_tokens']),
    }
  },
  embedded() {
    throw new RequestRefused(404, 'Not found')
  },
  chatted: ({ model }, { text, calls, finish, usage }, id) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(finish === 'refused' || finish === 'calls' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', ...call })),
    ],
    stop_reason: stopReasons[finish],
    stop_sequence: null,
    usage: {
      // What was read from the cache or written to it is counted beside this figure, not in it.
      input_tokens: usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens,
      cache_creation_input_tokens: usage.cacheWriteTokens,
      cache_read_input_tokens: usage.cachedTokens,
      cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
      output_tokens: usage.outputTokens,
      service_tier: 'standard',
    },
  }),
  reranked() {
    throw new RequestRefused(404, 'Not found')
  },
  failed: (failure) => ({
    headers: retryAfterHeaders(failure),
    body: { type: 'error', error: { type: errorTypes[failure.status] ?? 'api_error', message: failure.message } },
  }),
}

/** The blocks of a message: what is said, tools that are called, and what they answered. */
function blocks(role: 'user' | 'assistant', content: unknown): readonly ServedPart[] {
  if (!Array.isArray(content)) return contentParts(role, content)
  return content.flatMap((block: Fields): readonly ServedPart[] => {
    const cache = typeof block['cache_control'] === 'object' && block['cache_control'] !== null
    if (block['type'] === 'tool_use') {
      const { input } = block
      const call = { id: string(block, 'id'), name: string(block, 'name'), input }
      return [{ role, text: JSON.stringify(input), cache, call }]
    }
    if (block['type'] !== 'tool_result') return contentParts(role, [block])
    const answered = contentParts('tool', block['content'] ?? '')
    return [{ role: 'tool', text: answered.map(({ text }) => text).join(''), cache, answers: string(block, 'tool_use_id') }]
  })
}

function toolsOf(body: Fields): readonly ServedTool[] {
  if (body['tools'] === undefined) return []
  return objects(body, 'tools').map((tool) => ({
    name: string(tool, 'name'),
    description: String(tool['description'] ?? ''),
    schema: tool['input_schema'],
  }))
}

function roleOf({ role }: Fields): 'user' | 'assistant' {
  if (role === 'user' || role === 'assistant') return role
  throw new RequestRefused(400, `messages: unexpected role ${JSON.stringify(role)}`)
}
