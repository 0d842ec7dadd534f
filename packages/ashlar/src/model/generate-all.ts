import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import type { Counter } from '../text/counter.ts'
import { askAll, isFailure, unusable, type Work, type WorkOptions } from './ask-all.ts'
import { createCaller } from './caller.ts'
import { contentKey } from './content-key.ts'
import type { Generated, Generator, Prompt } from './generator.ts'
import { canonical, identityKey } from './identity-key.ts'
import { costOf, noUsage, type Usage } from './usage.ts'

/** A prompt, with a name that its outcome will carry. */
export interface GenerateItem {
  readonly id?: string | undefined
  readonly prompt: Prompt
  /**
   * What the answer is kept under, where it is to be used again for prompts that differ in what does not matter. Everything that
   * does matter must be in it, the model's identity included. @default a hash of model and prompt
   */
  readonly key?: string
  /** What it will probably consume; what a budget reserves. @default all of the prompt read afresh, and the longest answer */
  readonly estimate?: Usage
}

/** How {@link generateAll} generates. */
export interface GenerateAllOptions extends WorkOptions {
  /** Most tokens of an answer; what a budget reserves for it. @default the model's own, for which 1024 are reserved */
  readonly maxTokens?: number
  /**
   * Whether the first prompt of those that share a marked beginning goes alone, so that the provider has cached it when the others
   * follow. Prompts with different beginnings do not wait for each other. @default whether the model's provider caches prompts
   */
  readonly warm?: boolean
  /** Counts tokens for estimates. @default a quarter of the characters */
  readonly counter?: Counter
  /** Asks again where the cache holds a refusal; otherwise a refusal is paid for once, too. @default false */
  readonly retryRefused?: boolean
  /** Throws an `AshlarError` where an answer cannot be used: it is then asked for again, and not kept. @default takes any */
  readonly check?: (answer: Generated) => void
}

/** What became of one prompt: its answer, or its own error (`REFUSED` where the model declined). */
export type GenerateOutcome =
  | {
      /** Its place among the items. */
      readonly index: number
      readonly id?: string
      readonly text: string
      /** `length`: the answer was cut off. */
      readonly finish: Exclude<Generated['finish'], 'refused'>
      /** What the answer took when it was made. */
      readonly usage: Usage
      /** What it cost then, at the price given now; 0 where no price is known. */
      readonly cost: number
      /** When it was answered, in ISO 8601, and a hash of the exact prompt that it answers. */
      readonly time: string
      readonly promptHash: string
      /** Whether it cost nothing this time: it was in the cache, or another prompt before it is equal. */
      readonly cached: boolean
      readonly error?: undefined
    }
  | { readonly index: number; readonly id?: string; readonly text?: undefined; readonly error: AshlarError }

const usualAnswer = 1024
const finishes: ReadonlySet<unknown> = new Set(['stop', 'length', 'refused', 'other'])

/**
 * Answers any number of prompts: limits, retries, budget and cache included. Outcomes come in the order of the prompts, each
 * exactly once; a prompt that fails or is refused has an error of its own.
 *
 * Equal prompts are answered once. An answer is in the cache before it comes out, so that a second run costs nothing for it.
 */
export async function* generateAll(
  generator: Generator,
  items: Iterable<GenerateItem> | AsyncIterable<GenerateItem>,
  options: GenerateAllOptions = {},
): AsyncGenerator<GenerateOutcome, void, undefined> {
  const caller = options.caller ?? createCaller()
  const price = options.price ?? caller.price
  const work = generatingWork(generator, { ...options, caller })
  for await (const outcome of askAll(items, work, { ...options, caller })) {
    const place = { index: outcome.index, ...(outcome.id !== undefined && { id: outcome.id }) }
    if (isFailure(outcome)) {
      yield { ...place, error: outcome.error }
      continue
    }
    const { text, finish, usage, time, promptHash } = outcome.value
    const cost = price === undefined ? 0 : costOf(usage, price)
    if (finish === 'refused')
      yield { ...place, error: refusal(generator, { ...place, text, usage, cost, cached: outcome.cached }) }
    else yield { ...place, text, finish, usage, cost, time, promptHash, cached: outcome.cached }
  }
}

function generatingWork(
  generator: Generator,
  options: GenerateAllOptions & Required<Pick<GenerateAllOptions, 'caller'>>,
): Work<GenerateItem, GenerateItem, Answered> {
  const { caller, maxTokens, counter = approximateTokens, retryRefused = false, check } = options
  const identity = identityKey(generator.identity)
  const outputTokens = maxTokens ?? usualAnswer
  const warm = options.warm ?? generator.promptCache !== 'none'
  return {
    kind: 'generate',
    read: (item) => ({ id: item.id, input: item }),
    maxBatch: 1,
    maxBatchTokens: Number.POSITIVE_INFINITY,
    readAhead: Math.max(64, caller.concurrency * 16),
    keyOf: ({ prompt, key }) => key ?? contentKey(identity, 'generate', String(maxTokens), asked(prompt)),
    estimate: ({ prompt, estimate }) => estimate ?? { ...noUsage, inputTokens: countPrompt(prompt, counter), outputTokens },
    async ask([item], signal) {
      const { prompt } = item as GenerateItem
      const answer = await generator.generate(prompt, { signal, ...(maxTokens !== undefined && { maxTokens }) })
      if (typeof answer.text !== 'string' || !finishes.has(answer.finish))
        throw unusable('The model gave no text where one was expected', answer.usage)
      if (answer.finish !== 'refused') checkAnswer(answer, check)
      const { text, finish, usage } = answer
      const kept = { text, finish, usage, time: new Date().toISOString(), promptHash: contentKey(asked(prompt)) }
      return { values: [kept], usage }
    },
    codec: { encode, decode: (bytes) => decode(bytes, retryRefused) },
    ...(warm && { gate: warmFirst() }),
  }
}

/** An answer, and what is to be known of it later. */
interface Answered extends Generated {
  readonly time: string
  readonly promptHash: string
}

function checkAnswer(answer: Generated, check: GenerateAllOptions['check']): void {
  try {
    check?.(answer)
  } catch (error) {
    if (!isAshlarError(error)) throw error
    throw new AshlarError('INVALID_RESPONSE', error.message, { details: { ...error.details, usage: answer.usage }, cause: error })
  }
}

/** What a prompt says, without the marks that only tell the provider what to cache. */
function asked({ system, parts }: Prompt): string {
  return canonical({ system, parts: parts.map(({ text }) => text) })
}

function countPrompt({ system = '', parts }: Prompt, counter: Counter): number {
  return parts.reduce((sum, { text }) => sum + counter(text), counter(system))
}

/** The beginning that other prompts may share: everything up to the last mark; undefined without any. */
function sharedBeginning({ system, parts }: Prompt): string | undefined {
  const last = parts.findLastIndex(({ cache }) => cache === true)
  return last < 0 ? undefined : contentKey(asked({ ...(system !== undefined && { system }), parts: parts.slice(0, last + 1) }))
}

/** Lets one prompt of each beginning go first, another one where that was not answered, and all others after it. */
function warmFirst(): (item: GenerateItem, run: () => Promise<boolean>) => Promise<void> {
  const beginnings = new Map<string, 'warm' | Promise<boolean>>()
  return async ({ prompt }, run) => {
    const beginning = sharedBeginning(prompt)
    if (beginning === undefined) {
      await run()
      return
    }
    for (let state = beginnings.get(beginning); state !== undefined; state = beginnings.get(beginning)) {
      if (state === 'warm' || (await state)) {
        await run()
        return
      }
    }
    // What comes next is known before those who wait for it are told.
    const first = run().then(
      (answered) => {
        if (answered) beginnings.set(beginning, 'warm')
        else beginnings.delete(beginning)
        return answered
      },
      (error) => {
        beginnings.delete(beginning)
        throw error
      },
    )
    beginnings.set(
      beginning,
      first.catch(() => false),
    )
    await first
  }
}

function encode(answered: Answered): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answered))
}

function decode(bytes: Uint8Array, retryRefused: boolean): Answered | undefined {
  try {
    const kept = JSON.parse(new TextDecoder().decode(bytes)) as Answered
    if (typeof kept.text !== 'string' || typeof kept.time !== 'string' || !finishes.has(kept.finish)) return undefined
    return retryRefused && kept.finish === 'refused' ? undefined : kept
  } catch {
    return undefined
  }
}

function refusal(generator: Generator, details: Readonly<Record<string, unknown>>): AshlarError {
  const { index, id } = details
  const name = id === undefined ? `item ${index}` : `item ${index}, ${JSON.stringify(id)}`
  return new AshlarError('REFUSED', `${generator.identity.model} declined to answer (${name})`, { details })
}
