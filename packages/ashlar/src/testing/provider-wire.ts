import type { Usage } from '../model/usage.ts'

/** The providers whose formats are spoken. */
export type ProviderName = 'openai' | 'anthropic' | 'google' | 'cohere'

/** One piece of a prompt as it came over the wire. */
export interface ServedPart {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** What was said; of a call, its input as JSON; of a tool, what it answered. */
  readonly text: string
  /** Marked for the prompt cache, as Anthropic's format can. */
  readonly cache: boolean
  /** The call of a tool that the assistant made. */
  readonly call?: ServedCall
  /** The id of the call that a tool answers. */
  readonly answers?: string
}

/** A tool that a chat request offers. */
export interface ServedTool {
  readonly name: string
  readonly description: string
  /** Its JSON Schema, as it came over the wire. */
  readonly schema: unknown
}

/** A call that the chat model makes. An input that is a string goes over the wire as it is where the format takes text: broken JSON, say. */
export interface SaidCall {
  readonly name: string
  readonly input: unknown
}

/** A call with the id that its answer names. */
export interface ServedCall extends SaidCall {
  readonly id: string
}

/** What a request asks for, whatever format it came in. */
export type Asked = { readonly endpoint: string; readonly model: string } & (
  | {
      readonly kind: 'embed'
      readonly texts: readonly string[]
      readonly as: 'document' | 'query'
      readonly dimensions?: number
      /** What becomes of texts over the limit: some providers refuse them, others cut them in silence. */
      readonly tooLong: 'refuse' | 'cut'
    }
  | {
      readonly kind: 'chat'
      readonly parts: readonly ServedPart[]
      /** Empty where none is offered. */
      readonly tools: readonly ServedTool[]
      readonly maxTokens?: number
    }
  | { readonly kind: 'rerank'; readonly query: string; readonly texts: readonly string[]; readonly topN?: number }
)

/** A request as it is shown to options and kept in the log. */
export type ProviderRequest = Asked & {
  /** Counts up from 0 in the order of arrival. */
  readonly id: number
  readonly provider: ProviderName
  /** When it arrived, in milliseconds of the epoch. */
  readonly time: number
  /** Tokens of all its texts. */
  readonly tokens: number
}

/** A chat model's answer before it is put into a format. */
export interface ServedAnswer {
  readonly text: string
  /** Tools that it wants called; then there is no text. */
  readonly calls: readonly ServedCall[]
  readonly finish: 'stop' | 'length' | 'refused' | 'calls'
  readonly usage: Usage
}

/** What a failure is told as. */
export interface ServedFailure {
  readonly status: number
  readonly message: string
  /** Milliseconds. */
  readonly retryAfter?: number
  readonly form?: 'header' | 'date'
}

/** Limits that a provider documents for all its models. */
export interface WireLimits {
  readonly maxBatch: number
  readonly maxTokens: number
  readonly maxBatchTokens?: number
}

/** One provider's format: reads requests, writes answers and failures. */
export interface Wire {
  readonly limits: WireLimits
  /** Whether the request carries a key, as the provider wants it. */
  hasKey(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean
  /**
   * Reads a request; a `RequestRefused` is thrown where the provider would not take it. `recall` gives the text of an answer by the id of
   * the request that it was given to, for formats in which a client refers to what was said before.
   */
  read(path: string, body: Fields, recall: (id: string) => string | undefined): Asked
  embedded(asked: Asked, vectors: readonly (readonly number[])[], tokens: number): unknown
  chatted(asked: Asked, answer: ServedAnswer, id: string): unknown
  reranked(asked: Asked, scores: readonly number[], id: string): unknown
  failed(failure: ServedFailure): { readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
}

/** Thrown where a provider would answer with an error by its own rules. */
export class RequestRefused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A JSON object that came over the wire, whose fields are still to be looked at. */
export type Fields = Readonly<Record<string, unknown>>

/** The objects of an array field; refuses anything else. */
export function objects(body: Fields, name: string): readonly Fields[] {
  const value = body[name]
  if (!Array.isArray(value)) throw new RequestRefused(400, `Missing or invalid field: ${name}`)
  return value.map((item) => {
    if (typeof item !== 'object' || item === null) throw new RequestRefused(400, `Invalid item in field: ${name}`)
    return item as Fields
  })
}

/** The strings of an array field; refuses anything else. */
export function strings(body: Fields, name: string): readonly string[] {
  const value = body[name]
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new RequestRefused(400, `Missing or invalid field: ${name}`)
  return value
}

/** A string field; refuses anything else. */
export function string(body: Fields, name: string): string {
  const value = body[name]
  if (typeof value !== 'string') throw new RequestRefused(400, `Missing or invalid field: ${name}`)
  return value
}

/** A number where there is one, under its name in {@link Asked}. */
export function number<Name extends string>(name: Name, value: unknown): { readonly [key in Name]?: number } {
  return typeof value === 'number' ? ({ [name]: value } as { readonly [key in Name]: number }) : {}
}

/** The text of a message's content: a string, or parts whose text stands in `text`. */
export function contentParts(role: ServedPart['role'], content: unknown): readonly ServedPart[] {
  if (typeof content === 'string') return [{ role, text: content, cache: false }]
  if (!Array.isArray(content)) throw new RequestRefused(400, 'Missing or invalid field: content')
  return content.map((part: Fields) => ({
    role,
    text: string(part, 'text'),
    cache: typeof part['cache_control'] === 'object' && part['cache_control'] !== null,
  }))
}

/** Refuses tools, for formats in which they are not spoken here. */
export function withoutTools({ tools }: Fields): readonly ServedTool[] {
  if (Array.isArray(tools) && tools.length > 0) throw new RequestRefused(400, 'Tools are not supported')
  return []
}

/** A call in the form of formats that write its input as text. */
export function textCall(id: string, name: string, input: string): ServedPart {
  return { role: 'assistant', text: input, cache: false, call: { id, name, input: parsed(input) } }
}

/** The input of a call as text. */
export function inputText({ input }: SaidCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** The headers that say how long to wait: in seconds, or as a date. */
export function retryAfterHeaders({ retryAfter, form = 'header' }: ServedFailure): Record<string, string> {
  if (retryAfter === undefined) return {}
  return { 'retry-after': form === 'date' ? new Date(Date.now() + retryAfter).toUTCString() : `${retryAfter / 1000}` }
}
