import { approximateTokens } from './approximate-tokens.ts'
import type { Accuracy, Counter } from './counter.ts'

/** A count that says how it was made. */
export interface Count {
  readonly tokens: number
  /** The `id` of the counter that the number comes from. */
  readonly method: string
  readonly accuracy: Accuracy
  /** Set when the number, or part of it, does not come from where it was asked for. */
  readonly fallback?: Fallback
}

/** Why a count is not the one that was asked for. */
export interface Fallback {
  /** The `id` of the counter that was asked. */
  readonly method: string
  readonly reason: string
}

/** A counter that can tell more about a count than its number: that some of it had to be estimated, for one. */
export interface DetailedCounter extends Counter {
  readonly detail: (text: string) => Count
}

/** A counter that can tell whether a text is within a limit without counting all of it. */
export interface LimitCounter extends Counter {
  readonly isWithin: (text: string, limit: number) => boolean
}

/**
 * Counts a text and says how: which counter, how accurate, and whether it had to fall back.
 *
 * A counter that throws does not end the work: `fallback` counts instead, and the count says so.
 *
 * @example
 * console.log(count('Ashlar fits.', approximateTokens)) // => { tokens: 3, method: 'length/4', accuracy: 'approximate' }
 */
export function count(text: string, counter: Counter, options: { readonly fallback?: Counter } = {}): Count {
  try {
    if (isDetailed(counter)) return counter.detail(text)
    return { tokens: counter(text), method: counter.id, accuracy: counter.accuracy }
  } catch (error) {
    const { fallback = approximateTokens } = options
    return {
      tokens: fallback(text),
      method: fallback.id,
      accuracy: fallback.accuracy,
      fallback: { method: counter.id, reason: error instanceof Error ? error.message : String(error) },
    }
  }
}

/**
 * Whether a text counts to at most `limit`. Reads no more of it than it takes to tell, where the counter knows how.
 *
 * @example
 * console.log(isWithin('four words are here', 3, words)) // => false
 */
export function isWithin(text: string, limit: number, counter: Counter): boolean {
  return 'isWithin' in counter ? (counter as LimitCounter).isWithin(text, limit) : counter(text) <= limit
}

/** A quarter of the code units is at least this share of the tokens of any byte-level tokenizer: three bytes a unit, one token a byte. */
const mostPerQuarter = 12
/** And at most this multiple: no token of OpenAI's is longer than 128 bytes. */
const leastPerQuarter = 1 / 32

/**
 * Counts a text exactly only where that could matter: when it may be near `limit`.
 *
 * Far from it, on either side, the count is length / 4 and says that it is approximate. "Far" is so wide (a twelfth of the limit,
 * thirty-two times the limit) that comparing the result with the limit gives the same answer as exact cl100k and o200k.
 */
export function countNear(text: string, limit: number, counter: Counter, options: { readonly fallback?: Counter } = {}): Count {
  const quarter = approximateTokens(text)
  const far = quarter * mostPerQuarter <= limit || (quarter - 1) * leastPerQuarter > limit
  return count(text, far ? approximateTokens : counter, options)
}

/**
 * The same counter with a memory, for texts that are counted again and again, such as the messages of a conversation.
 *
 * What was counted longest ago is forgotten first. Slices of one text are better measured with `measure`, which is passed on.
 */
export function cachedCounter(
  counter: Counter,
  options: {
    /** How many texts are remembered at most. @default 1000 */
    readonly texts?: number
    /** How many code units these may have together, since a text that is remembered is held in memory. @default 4000000 */
    readonly units?: number
  } = {},
): Counter {
  const { texts = 1000, units = 4_000_000 } = options
  const counts = new Map<string, number>()
  let held = 0
  const counted = (text: string): number => {
    const known = counts.get(text)
    if (known !== undefined) {
      counts.delete(text)
      counts.set(text, known)
      return known
    }
    const tokens = counter(text)
    if (text.length <= units) {
      counts.set(text, tokens)
      held += text.length
      for (const oldest of counts.keys()) {
        if (counts.size <= texts && held <= units) break
        counts.delete(oldest)
        held -= oldest.length
      }
    }
    return tokens
  }
  return Object.assign(counted, counter)
}

/** What a message needs to have to be counted; other fields are not looked at. */
export interface CountedMessage {
  readonly role: string
  readonly content: string
  readonly name?: string
}

/** What a chat format adds to the texts of its messages, in tokens. */
export interface MessageOverhead {
  readonly message: number
  readonly name: number
  readonly conversation: number
}

/** What OpenAI documents for its chat models: 3 tokens around each message, 1 more with a name, 3 to open the answer. */
export const openaiOverhead: MessageOverhead = { message: 3, name: 1, conversation: 3 }

/** The count of a conversation, and of each of its messages. */
export interface ConversationCount extends Count {
  /** Tokens of each message, its overhead included; they add up to `tokens` less the overhead of the conversation. */
  readonly messages: readonly number[]
}

/**
 * Counts a conversation: role, name and content of each message, and what the chat format adds around them.
 *
 * The overhead is the provider's description of its format and not a tokenizer's number, so with any overhead the count is
 * `estimated` at best, even if the texts were counted exactly.
 *
 * @example
 * const talk = [{ role: 'user', content: 'Does it fit?' }, { role: 'assistant', content: 'Exactly.' }]
 * console.log(countMessages(talk, approximateTokens).tokens) // => 18
 */
export function countMessages(
  messages: Iterable<CountedMessage>,
  counter: Counter,
  options: { readonly overhead?: MessageOverhead; readonly fallback?: Counter } = {},
): ConversationCount {
  const { overhead = openaiOverhead } = options
  const each: number[] = []
  let tokens = 0
  let worst: Count = { tokens: 0, method: counter.id, accuracy: counter.accuracy }
  for (const { role, content, name } of messages) {
    let message = overhead.message + (name === undefined ? 0 : overhead.name)
    for (const text of name === undefined ? [role, content] : [role, name, content]) {
      const part = count(text, counter, options)
      message += part.tokens
      if (part.fallback !== undefined && worst.fallback === undefined) worst = part
    }
    each.push(message)
    tokens += message
  }
  if (each.length > 0) tokens += overhead.conversation
  const bare = overhead.message === 0 && overhead.conversation === 0 && overhead.name === 0
  const accuracy = worst.accuracy === 'exact' && !bare ? 'estimated' : worst.accuracy
  return { ...worst, tokens, accuracy, messages: each }
}

function isDetailed(counter: Counter): counter is DetailedCounter {
  return 'detail' in counter
}
