import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Embedder } from '../model/embedder.ts'
import type { Usage } from '../model/usage.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import type { Counter } from '../text/counter.ts'
import { situatingSentence } from './provider-answer.ts'
import { type CacheAccount, PromptCache, type PromptCacheOptions } from './provider-prompt-cache.ts'
import { ProviderRate, type RateLimits, type RatePeak } from './provider-rate.ts'
import { answerWithTools } from './provider-tool-use.ts'
import type { Trouble } from './provider-trouble.ts'
import {
  type Asked,
  type Fields,
  inputText,
  type ProviderName,
  type ProviderRequest,
  RequestRefused,
  type SaidCall,
  type ServedAnswer,
  type ServedCall,
  type ServedFailure,
  type ServedPart,
  type Wire,
  type WireLimits,
} from './provider-wire.ts'
import { anthropicWire } from './provider-wire-anthropic.ts'
import { cohereWire } from './provider-wire-cohere.ts'
import { googleWire } from './provider-wire-google.ts'
import { openaiWire } from './provider-wire-openai.ts'

/** How {@link startProvider} behaves. */
export interface ProviderServerOptions {
  /** Gives the vectors. Without one, requests for embeddings and for ranking are answered with 404. */
  readonly embedder?: Embedder
  /** Counts what is billed and limited. @default a quarter of the code units */
  readonly counter?: Counter
  /**
   * What the chat model says to a prompt, or which tools it calls. @default one sentence made of the prompt's own words; where a tool that
   * searches is offered, questions are looked up with it and answered from what it gives, with citations
   */
  readonly answer?: (parts: readonly ServedPart[], request: ProviderRequest) => string | readonly SaidCall[]
  /** Requests over these are refused with 429 and told how long to wait. @default none */
  readonly limits?: RateLimits
  /** Decides what goes wrong; `troubleShare` makes one that spreads trouble evenly. @default nothing */
  readonly trouble?: (request: ProviderRequest) => Trouble | undefined
  /** Milliseconds before an answer, or a promise to wait for. @default 0 */
  readonly latency?: number | ((request: ProviderRequest) => number | Promise<unknown>)
  /** How prompts are cached; false: not at all. */
  readonly promptCache?: PromptCacheOptions | false
  /** Most texts and tokens of one embedding request, in place of what the providers document. */
  readonly embeddingLimits?: Partial<WireLimits>
}

/** One answered request. */
export interface ProviderLogEntry {
  readonly request: ProviderRequest
  readonly status: number
  /** What went wrong on purpose. */
  readonly trouble?: Trouble
  /** What the answer was billed with; nothing was where there is none. */
  readonly usage?: Usage
  /** The chat model's answer. */
  readonly answer?: string
  /** The tools that the chat model called instead. */
  readonly calls?: readonly ServedCall[]
  /** Whether the answer was a right one and the client was still there to take it. */
  readonly answered: boolean
}

/** A provider on this machine: speaks the formats of OpenAI, Anthropic, Google and Cohere, and behaves. */
export interface Provider extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:` and a port. */
  readonly url: string
  /** What to give each provider package as its `baseURL`; any API key will do. */
  readonly baseURL: Readonly<Record<ProviderName, string>>
  /** Every request that was answered or failed, in the order in which that happened. */
  readonly log: readonly ProviderLogEntry[]
  /** How many requests have arrived. */
  readonly requests: number
  /** Requests that were refused because of `limits`. */
  readonly limited: number
  /** What all answers were billed with. */
  readonly usage: Usage
  /** The most that any second has seen, by arrival, refused requests included. */
  readonly peakPerSecond: RatePeak
  readonly peakPerMinute: RatePeak
  /** The most requests that were being answered at once. */
  readonly peakConcurrency: number
  /** Changes what goes wrong from now on. */
  setTrouble(trouble: ((request: ProviderRequest) => Trouble | undefined) | undefined): void
  close(): Promise<void>
}

const wires: Readonly<Record<ProviderName, Wire>> = {
  openai: openaiWire,
  anthropic: anthropicWire,
  google: googleWire,
  cohere: cohereWire,
}
const paths: Readonly<Record<ProviderName, string>> = {
  openai: '/openai/v1',
  anthropic: '/anthropic/v1',
  google: '/google/v1beta',
  cohere: '/cohere/v2',
}

/** Tokens that chat formats add to each message and to the whole. */
const messageTokens = 4
const promptTokens = 3

/**
 * Starts a provider on this machine's loopback address and any free port.
 *
 * Vectors are the embedder's, answers follow from the prompt, tokens are counted, prompts are cached by prefix or by mark, limits
 * are enforced, and what goes wrong goes wrong on purpose.
 */
export async function startProvider(options: ProviderServerOptions = {}): Promise<Provider> {
  const provider = new ProviderServer(options)
  await provider.listen()
  return provider
}

/** A body to be sent, and how. */
interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

class ProviderServer implements Provider {
  readonly #options: ProviderServerOptions
  readonly #counter: Counter
  readonly #rate: ProviderRate
  readonly #caches: Map<ProviderName, PromptCache> = new Map()
  readonly #server: Server
  readonly #closing: AbortController = new AbortController()
  readonly #log: NotedEntry[] = []
  /** What was said to each request, for clients that refer to it. */
  readonly #said: Map<string, string> = new Map()
  #trouble: ((request: ProviderRequest) => Trouble | undefined) | undefined
  #running = 0
  #url = ''
  #usage: Usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  requests = 0
  limited = 0
  peakConcurrency = 0

  constructor(options: ProviderServerOptions) {
    this.#options = options
    this.#counter = options.counter ?? approximateTokens
    this.#rate = new ProviderRate(options.limits ?? {})
    this.#trouble = options.trouble
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing))
    this.#server.keepAliveTimeout = 60_000
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', () => {
        this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
        resolve()
      })
    })
  }

  get url(): string {
    return this.#url
  }

  get baseURL(): Readonly<Record<ProviderName, string>> {
    return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, this.#url + path])) as Record<
      ProviderName,
      string
    >
  }

  get log(): readonly ProviderLogEntry[] {
    return this.#log
  }

  get usage(): Usage {
    return this.#usage
  }

  get peakPerSecond(): RatePeak {
    return this.#rate.peakPerSecond
  }

  get peakPerMinute(): RatePeak {
    return this.#rate.peakPerMinute
  }

  setTrouble(trouble: ((request: ProviderRequest) => Trouble | undefined) | undefined): void {
    this.#trouble = trouble
  }

  close(): Promise<void> {
    this.#closing.abort()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.peakConcurrency = Math.max(this.peakConcurrency, ++this.#running)
    const [, name = '', path = ''] = /^\/(\w+)(\/[^?]*)/.exec(incoming.url ?? '') ?? []
    const wire = Object.hasOwn(wires, name) ? wires[name as ProviderName] : undefined
    try {
      const body = await readBody(incoming)
      if (wire === undefined || incoming.method !== 'POST') {
        outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{}')
        return
      }
      await this.#answer(name as ProviderName, wire, path, incoming, body, outgoing)
    } catch {
      // The client went away, or the server is closing: there is nobody to tell.
      outgoing.destroy()
    } finally {
      this.#running--
    }
  }

  async #answer(
    provider: ProviderName,
    wire: Wire,
    path: string,
    incoming: IncomingMessage,
    body: string,
    outgoing: ServerResponse,
  ): Promise<void> {
    const id = this.requests++
    const time = Date.now()
    let request: ProviderRequest | undefined
    try {
      if (!wire.hasKey(incoming.headers)) throw new RequestRefused(401, 'No API key was given')
      const asked = wire.read(path, parseBody(body), (said) => this.#said.get(said))
      checkCalls(asked)
      request = { ...asked, id, provider, time, tokens: this.#tokensOf(asked) }
      this.#checkLimits(asked, wire)
      const wait = this.#rate.arrive(performance.now(), request.tokens)
      if (wait > 0) {
        this.limited++
        await this.#fail(outgoing, wire, request, { status: 429, message: 'Rate limit reached', retryAfter: Math.ceil(wait) })
        return
      }
      const trouble = this.#trouble?.(request)
      // Looked up before the wait: what is being answered is in no cache yet.
      const account = this.#account(request)
      await this.#wait(request, outgoing)
      await this.#reply(outgoing, wire, { request, account, trouble })
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      await this.#fail(outgoing, wire, request, { status: error.status, message: error.message })
    }
  }

  async #wait(request: ProviderRequest, outgoing: ServerResponse): Promise<void> {
    const { latency = 0 } = this.#options
    const wait = typeof latency === 'function' ? latency(request) : latency
    if (typeof wait !== 'number') await wait
    else if (wait > 0) await sleep(wait, undefined, { signal: this.#closing.signal })
    if (outgoing.destroyed) throw new Error('The client went away')
  }

  /** Answers, or does what the trouble says instead. */
  async #reply(outgoing: ServerResponse, wire: Wire, job: Job): Promise<void> {
    const { request, trouble } = job
    const failure = failureOf(trouble)
    if (failure !== undefined) return this.#fail(outgoing, wire, request, failure, trouble)
    if (trouble?.kind === 'cut' && trouble.at === 'head') {
      this.#note({ request, trouble, status: 0, answered: false })
      outgoing.destroy()
      return
    }
    if (trouble?.kind === 'silence') {
      this.#note({ request, trouble, status: 0, answered: false })
      return untilGone(outgoing, this.#closing.signal)
    }
    const { body, usage, answer, calls } = await this.#work(wire, job)
    // Noted before it is sent: whoever has the answer finds it in the log.
    const isRight = trouble === undefined || harmless.has(trouble.kind)
    const entry = this.#note({
      request,
      status: 200,
      usage,
      answered: isRight,
      ...(trouble && { trouble }),
      ...(answer !== undefined && { answer }),
      ...(calls !== undefined && { calls }),
    })
    this.#usage = add(this.#usage, usage)
    job.account?.keep()
    const text = damaged(JSON.stringify(body), trouble)
    if (!(await this.#send(outgoing, { status: 200, headers: {}, body: text }, trouble))) entry.answered = false
  }

  #note(entry: NotedEntry): NotedEntry {
    this.#log.push(entry)
    return entry
  }

  async #work(wire: Wire, { request, trouble, account }: Job): Promise<Work> {
    if (request.kind === 'embed') return this.#embed(wire, request, trouble)
    if (request.kind === 'rerank') return this.#rerank(wire, request, trouble)
    return this.#chat(wire, request, { trouble, account })
  }

  async #embed(wire: Wire, request: ProviderRequest & { readonly kind: 'embed' }, trouble: Trouble | undefined): Promise<Work> {
    const { embedder } = this.#options
    if (embedder === undefined) throw new RequestRefused(404, `The model ${request.model} does not exist`)
    const limit = this.#limits(wire).maxTokens
    const texts = request.texts.map((text) => (request.tooLong === 'cut' ? firstTokens(text, limit, this.#counter) : text))
    const vectors = (await this.#vectors(embedder, texts, request.as)).map((vector) =>
      resized(vector, request.dimensions, request.model),
    )
    const usage = { ...noUsage, inputTokens: request.tokens }
    return { body: disturbed(wire.embedded(request, misshaped(vectors, trouble), request.tokens), trouble), usage }
  }

  /** The embedder's batches may be smaller than the provider's. */
  async #vectors(embedder: Embedder, texts: readonly string[], as: 'document' | 'query'): Promise<number[][]> {
    const vectors: number[][] = []
    for (let start = 0; start < texts.length; start += embedder.maxBatch) {
      const batch = await embedder.embed(texts.slice(start, start + embedder.maxBatch), { as, signal: this.#closing.signal })
      vectors.push(...batch.vectors.map((vector) => Array.from(vector)))
    }
    return vectors
  }

  async #rerank(wire: Wire, request: ProviderRequest & { readonly kind: 'rerank' }, trouble: Trouble | undefined): Promise<Work> {
    const { embedder } = this.#options
    if (embedder === undefined) throw new RequestRefused(404, `The model ${request.model} does not exist`)
    const [query = []] = await this.#vectors(embedder, [request.query], 'query')
    const documents = await this.#vectors(embedder, request.texts, 'document')
    const scores = documents.map((document) => (1 + cosine(query, document)) / 2)
    const usage = { ...noUsage, inputTokens: request.tokens }
    return { body: disturbed(wire.reranked(request, misshapedScores(scores, trouble), `${request.id}`), trouble), usage }
  }

  #chat(wire: Wire, request: ProviderRequest & { readonly kind: 'chat' }, { trouble, account }: Omit<Job, 'request'>): Work {
    const given = (this.#options.answer ?? behave)(request.parts, request)
    const calls = typeof given === 'string' ? [] : given.map((call, at) => ({ id: `call_${request.id}_${at}`, ...call }))
    const isCalling = calls.length > 0 && trouble?.kind !== 'refusal'
    const whole = typeof given === 'string' ? given : given.map(inputText).join('')
    // A call is never cut: providers would give half of one as text that cannot be read.
    const limit = isCalling
      ? undefined
      : trouble?.kind === 'length'
        ? Math.max(1, Math.floor(this.#counter(whole) / 2))
        : request.maxTokens
    const said = limit === undefined ? whole : firstTokens(whole, limit, this.#counter)
    const refused = trouble?.kind === 'refusal'
    const text = refused ? 'I cannot help with that.' : said
    const finish: ServedAnswer['finish'] = refused ? 'refused' : isCalling ? 'calls' : said === whole ? 'stop' : 'length'
    const usage = {
      inputTokens: request.tokens,
      cachedTokens: account?.read ?? 0,
      cacheWriteTokens: account?.write ?? 0,
      outputTokens: this.#counter(text),
    }
    const answer = { text, calls: isCalling ? calls : [], finish, usage }
    const body = disturbed(wire.chatted(request, answer, `${request.id}`), trouble)
    if (isCalling) return { body, usage, calls }
    this.#said.set(`${request.id}`, text)
    return { body, usage, answer: text }
  }

  /** What of a chat request is in the provider's prompt cache; Cohere has none. */
  #account(request: ProviderRequest): CacheAccount | undefined {
    if (request.kind !== 'chat' || request.provider === 'cohere') return undefined
    const cache = this.#cacheOf(request.provider)
    return request.provider === 'anthropic'
      ? cache?.marked(request.model, request.parts)
      : cache?.automatic(request.model, request.parts)
  }

  #cacheOf(provider: ProviderName): PromptCache | undefined {
    const { promptCache = {} } = this.#options
    if (promptCache === false) return undefined
    const cache = this.#caches.get(provider) ?? new PromptCache(this.#counter, promptCache)
    this.#caches.set(provider, cache)
    return cache
  }

  #limits(wire: Wire): WireLimits {
    return { ...wire.limits, ...this.#options.embeddingLimits }
  }

  #tokensOf(asked: Asked): number {
    const sum = (texts: readonly string[]): number => texts.reduce((tokens, text) => tokens + this.#counter(text), 0)
    if (asked.kind === 'embed') return sum(asked.texts)
    if (asked.kind === 'rerank') return sum([asked.query, ...asked.texts])
    const messages = asked.parts.filter(({ role }, index) => role !== asked.parts[index - 1]?.role).length
    const tools = asked.tools.map((tool) => JSON.stringify(tool))
    return sum([...asked.parts.map(({ text }) => text), ...tools]) + messages * messageTokens + promptTokens
  }

  #checkLimits(asked: Asked, wire: Wire): void {
    if (asked.kind !== 'embed') return
    const { maxBatch, maxTokens, maxBatchTokens = Number.POSITIVE_INFINITY } = this.#limits(wire)
    if (asked.texts.length > maxBatch) throw new RequestRefused(400, `Too many texts: ${asked.texts.length}, at most ${maxBatch}`)
    let sum = 0
    for (const text of asked.texts) {
      const tokens = this.#counter(text)
      sum += tokens
      if (asked.tooLong === 'refuse' && tokens > maxTokens)
        throw new RequestRefused(
          400,
          `A text has ${tokens} tokens; the maximum input length of ${asked.model} is ${maxTokens} tokens`,
        )
    }
    if (sum > maxBatchTokens) throw new RequestRefused(400, `Requested ${sum} tokens in one call, at most ${maxBatchTokens}`)
  }

  async #fail(
    outgoing: ServerResponse,
    wire: Wire,
    request: ProviderRequest | undefined,
    failure: ServedFailure,
    trouble?: Trouble,
  ): Promise<void> {
    const { headers, body } = wire.failed(failure)
    if (request !== undefined) this.#note({ request, status: failure.status, ...(trouble && { trouble }), answered: false })
    await this.#send(outgoing, { status: failure.status, headers, body: JSON.stringify(body) }, undefined)
  }

  /** Sends a reply; gives whether all of it went out. */
  async #send(outgoing: ServerResponse, { status, headers, body }: Reply, trouble: Trouble | undefined): Promise<boolean> {
    if (outgoing.destroyed) return false
    const bytes = Buffer.from(body)
    outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers })
    if (trouble?.kind === 'cut') {
      outgoing.flushHeaders()
      if (trouble.at !== 'start') await new Promise((resolve) => outgoing.write(bytes.subarray(0, bytes.length >> 1), resolve))
      await sleep(5)
      outgoing.destroy()
      return false
    }
    if (trouble?.kind === 'slow-drip') await this.#drip(outgoing, bytes, trouble.duration ?? 200)
    // A response whose client hung up still counts as finished once it is ended.
    if (outgoing.destroyed) return false
    await new Promise<void>((resolve) => {
      outgoing.once('close', resolve)
      outgoing.end(trouble?.kind === 'slow-drip' ? undefined : bytes, resolve)
    })
    return outgoing.writableFinished
  }

  async #drip(outgoing: ServerResponse, bytes: Buffer, duration: number): Promise<void> {
    const drops = 10
    const size = Math.ceil(bytes.length / drops)
    for (let start = 0; start < bytes.length && !outgoing.destroyed; start += size) {
      outgoing.write(bytes.subarray(start, start + size))
      await sleep(duration / drops, undefined, { signal: this.#closing.signal })
    }
  }
}

/** A request that was let in, with all that was decided about it on arrival. */
interface Job {
  readonly request: ProviderRequest
  readonly trouble: Trouble | undefined
  readonly account: CacheAccount | undefined
}

/** An answer that has been worked out, not yet sent. */
interface Work {
  readonly body: unknown
  readonly usage: Usage
  readonly answer?: string
  readonly calls?: readonly ServedCall[]
}

function behave(parts: readonly ServedPart[], request: ProviderRequest): string | readonly SaidCall[] {
  const tools = request.kind === 'chat' ? request.tools : []
  return tools.length === 0 ? situatingSentence(parts) : answerWithTools(parts, tools)
}

/** Refuses a conversation in which a tool answers what nobody called, or a call has no answer. */
function checkCalls(asked: Asked): void {
  if (asked.kind !== 'chat') return
  const open = new Set<string>()
  for (const { call, answers } of asked.parts) {
    if (call !== undefined) open.add(call.id)
    if (answers !== undefined && !open.delete(answers)) throw new RequestRefused(400, `No tool call found for ${answers}`)
  }
  for (const id of open) throw new RequestRefused(400, `No tool output found for function call ${id}`)
}

/** An entry of the log while its answer may still fail to arrive. */
type NotedEntry = Omit<ProviderLogEntry, 'answered'> & { answered: boolean }

/** Trouble whose answers are right all the same. */
const harmless: ReadonlySet<Trouble['kind']> = new Set(['slow-drip', 'shuffled', 'refusal', 'length'])

function failureOf(trouble: Trouble | undefined): ServedFailure | undefined {
  if (trouble?.kind === 'rate-limit') {
    const { retryAfter, form } = trouble
    return { status: 429, message: 'Rate limit reached', ...(retryAfter !== undefined && { retryAfter }), ...(form && { form }) }
  }
  if (trouble?.kind !== 'status') return undefined
  return { status: trouble.status, message: trouble.status === 529 ? 'Overloaded' : 'The server had an error' }
}

const noUsage: Usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

function add(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function parseBody(body: string): Fields {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Fields
  } catch {
    // Told below, as any other body that is not an object.
  }
  throw new RequestRefused(400, 'The body is not a JSON object')
}

function untilGone(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The longest beginning of a text that has at most so many tokens. */
function firstTokens(text: string, limit: number, counter: Counter): string {
  if (counter(text) <= limit) return text
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (counter(text.slice(0, middle)) <= limit) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}

/** The first numbers of a vector, scaled to length 1 again, as models with nested dimensions are used. */
function resized(vector: readonly number[], dimensions: number | undefined, model: string): readonly number[] {
  if (dimensions === undefined || dimensions === vector.length) return vector
  if (dimensions > vector.length || dimensions < 1)
    throw new RequestRefused(400, `Invalid number of dimensions for ${model}: ${dimensions}, at most ${vector.length}`)
  const first = vector.slice(0, dimensions)
  const length = Math.hypot(...first)
  return length === 0 ? first : first.map((value) => value / length)
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const dot = left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0)
  const lengths = Math.hypot(...left) * Math.hypot(...right)
  return lengths === 0 ? 0 : dot / lengths
}

function misshaped(vectors: readonly (readonly number[])[], trouble: Trouble | undefined): readonly (readonly number[])[] {
  if (trouble?.kind === 'wrong-count') return recounted(vectors, trouble.by ?? -1)
  if (trouble?.kind === 'wrong-dimensions') return vectors.map((vector) => recounted(vector, trouble.by ?? -1))
  return vectors
}

function misshapedScores(scores: readonly number[], trouble: Trouble | undefined): readonly number[] {
  return trouble?.kind === 'wrong-count' ? recounted(scores, trouble.by ?? -1) : scores
}

function recounted<Item>(items: readonly Item[], by: number): readonly Item[] {
  return by < 0 ? items.slice(0, by) : [...items, ...items.slice(0, by)]
}

/** Trouble with what the body says, before it is written as text. */
function disturbed(body: unknown, trouble: Trouble | undefined): unknown {
  if (trouble?.kind === 'wrong-shape') return { result: { status: 'done', items: null } }
  const data = (body as { readonly data?: unknown }).data
  return trouble?.kind === 'shuffled' && Array.isArray(data) ? { ...(body as object), data: data.toReversed() } : body
}

/** Trouble with the text of the body. */
function damaged(text: string, trouble: Trouble | undefined): string {
  if (trouble?.kind === 'malformed-json') return `<html><body>Bad gateway</body></html>${text.slice(0, 40)}`
  return trouble?.kind === 'truncated-json' ? text.slice(0, text.length >> 1) : text
}
