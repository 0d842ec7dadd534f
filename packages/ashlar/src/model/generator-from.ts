import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { Generated, GenerateOptions, Generator, Prompt, PromptPart } from './generator.ts'
import { providerError, saysRefused } from './provider-error.ts'
import { checkModel, type KnownModel, type ProviderModel, type ProviderOptions } from './provider-model.ts'
import { readProviderUsage } from './provider-usage.ts'
import { noUsage } from './usage.ts'

/** A language model of any AI SDK provider package, of specification version 1 to 4. */
export interface ProviderLanguageModel extends ProviderModel {
  readonly doGenerate: (options: never) => PromiseLike<unknown>
}

/** How {@link generatorFrom} makes a generator. */
export interface GeneratorFromOptions {
  /** What the identity calls the model, where the model's own name does not say it. @default `provider/model` */
  readonly model?: string
  /** @default the provider's own */
  readonly temperature?: number
  /** Most tokens of an answer, unless `generate` is told otherwise. @default the provider's own */
  readonly maxTokens?: number
  /** Most tokens that prompt and answer may have together. @default not known */
  readonly contextTokens?: number
  /** Passed to the provider with every call: reasoning effort, safety settings. */
  readonly providerOptions?: ProviderOptions
  /** How the provider caches prompts. @default known for Anthropic, OpenAI, Google and some others, else `none` */
  readonly promptCache?: Generator['promptCache']
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Providers that cache by prefix without being asked. */
const automatic: ReadonlySet<string> = new Set(['openai', 'azure', 'google', 'deepseek', 'xai'])

/** What marks the end of a part that is worth caching; each provider reads its own and passes over the others. */
const cacheMark: ProviderOptions = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  bedrock: { cachePoint: { type: 'default' } },
}

/**
 * A generator that calls any AI SDK provider's language model, of AI SDK 4 to 7.
 *
 * Each `generate` is one call, never a stream, never with tools. An answer that was refused or cut short is given as such, not
 * thrown; only calls that failed are.
 */
export function generatorFrom(model: ProviderLanguageModel, options: GeneratorFromOptions = {}): Generator {
  const known = checkModel(model, 'language')
  const name = options.model ?? known.name
  const { temperature, maxTokens, contextTokens, providerOptions, headers } = options
  const promptCache = options.promptCache ?? promptCacheOf(model, known, name)

  async function generate(prompt: Prompt, { maxTokens: limit = maxTokens, signal }: GenerateOptions = {}): Promise<Generated> {
    signal?.throwIfAborted()
    const call = {
      ...(known.version === 'v1' && { inputFormat: 'messages', mode: { type: 'regular' } }),
      prompt: messagesOf(prompt, known, promptCache === 'marked'),
      ...(limit !== undefined && { [known.version === 'v1' ? 'maxTokens' : 'maxOutputTokens']: limit }),
      ...(temperature !== undefined && { temperature }),
      ...(signal && { abortSignal: signal }),
      ...(headers && { headers }),
      ...(providerOptions && { [optionsField(known)]: providerOptions }),
    }
    let answer: unknown
    try {
      answer = await model.doGenerate(call as never)
    } catch (error) {
      if (isAshlarError(error)) throw error
      // Some filters answer with an error instead of an answer that says so.
      if (signal?.aborted !== true && saysRefused(error)) return { text: '', finish: 'refused', usage: noUsage }
      throw providerError(error, name, signal)
    }
    return readAnswer(answer, name)
  }

  return {
    identity: {
      model: name,
      options: {
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { maxTokens }),
        ...providerOptions,
      },
    },
    maxTokens: contextTokens,
    promptCache,
    generate,
  }
}

function promptCacheOf({ provider }: ProviderModel, known: KnownModel, name: string): Generator['promptCache'] {
  // Claude is also sold by others: `vertex.anthropic.messages`, `amazon-bedrock` with `anthropic.claude-…`.
  if (/anthropic|claude/i.test(`${provider} ${name}`) || (known.provider === 'amazon-bedrock' && /nova/i.test(name)))
    return 'marked'
  return automatic.has(known.provider) ? 'automatic' : 'none'
}

/** In AI SDK 4 the options of a provider stand under the same name in what is asked and in what is answered. */
function optionsField({ version }: KnownModel): 'providerMetadata' | 'providerOptions' {
  return version === 'v1' ? 'providerMetadata' : 'providerOptions'
}

function messagesOf({ system, parts }: Prompt, known: KnownModel, isMarked: boolean): unknown[] {
  const content = parts.map(({ text, cache = false }: PromptPart) => ({
    type: 'text',
    text,
    ...(cache && isMarked && { [optionsField(known)]: cacheMark }),
  }))
  return [...(system === undefined ? [] : [{ role: 'system', content: system }]), { role: 'user', content }]
}

function readAnswer(answer: unknown, name: string): Generated {
  if (typeof answer !== 'object' || answer === null) throw unusable(name, answer)
  const fields = answer as Readonly<Record<string, unknown>>
  const { text, content } = fields
  const said = Array.isArray(content) ? textOf(content) : (text ?? '')
  if (typeof said !== 'string') throw unusable(name, said)
  const finish = finishOf(fields)
  const usage = readProviderUsage(answer)
  // Google's packages take any object for an answer; one without a text, an end or a count is none.
  if (said === '' && finish === 'other' && usage.inputTokens + usage.outputTokens === 0) throw unusable(name, undefined)
  return { text: said, finish, usage }
}

function unusable(name: string, found: unknown): AshlarError {
  return new AshlarError(
    'INVALID_RESPONSE',
    `${name} answered with ${found === undefined ? 'nothing' : typeof found} in place of a text`,
    {
      details: { model: name, retryable: true },
    },
  )
}

/** Reasoning, sources and whatever else a model gives beside its answer is left out. */
function textOf(content: readonly { readonly type?: unknown; readonly text?: unknown }[]): string {
  return content
    .filter(({ type, text }) => type === 'text' && typeof text === 'string')
    .map(({ text }) => text)
    .join('')
}

/** A word up to version 2; after that, the word and what the provider itself called it. */
function finishOf(answer: Readonly<Record<string, unknown>>): Generated['finish'] {
  const { finishReason } = answer
  const reason =
    typeof finishReason === 'object' && finishReason !== null ? (finishReason as { unified?: unknown; raw?: unknown }) : undefined
  const unified = reason === undefined ? finishReason : reason.unified
  if (unified === 'stop') return hasRefusal(answer) ? 'refused' : 'stop'
  if (unified === 'length') return 'length'
  if (
    unified === 'content-filter' ||
    /refus|toxic|safety|blocklist|prohibited|filter/i.test(String(reason?.raw ?? rawReason(answer)))
  )
    return 'refused'
  return 'other'
}

/** What the provider itself called the end of its answer, for packages that are older than the word for it. */
function rawReason(answer: Readonly<Record<string, unknown>>): unknown {
  const body = rawBody(answer)
  return body?.['stop_reason'] ?? body?.['finish_reason']
}

/** OpenAI's models end a refusal as any answer and put it beside the text, where older packages do not look. */
function hasRefusal(answer: Readonly<Record<string, unknown>>): boolean {
  const choices = rawBody(answer)?.['choices'] as readonly { readonly message?: { readonly refusal?: unknown } }[] | undefined
  const refusal = choices?.[0]?.message?.refusal
  return typeof refusal === 'string' && refusal !== ''
}

function rawBody({ rawResponse, response }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  return ((rawResponse ?? response) as { readonly body?: Readonly<Record<string, unknown>> } | undefined)?.body
}
