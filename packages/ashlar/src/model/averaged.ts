import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { Counter } from '../text/counter.ts'
import { measureWith } from '../text/measure.ts'
import { isWhiteSpace } from '../text/white-space.ts'
import type { Embedded, Embedder, EmbedderIdentity, EmbedOptions, TokenStates } from './embedder.ts'
import { normalize } from './pooling.ts'
import { addUsage, noUsage } from './usage.ts'

/** What {@link averaged} needs to know where the embedder does not say it. */
export interface AveragedOptions {
  /** Counts tokens as the model does. @default the embedder's own */
  readonly counter?: Counter
  /** Most tokens of one window, prefix included. @default the embedder's own limit */
  readonly maxTokens?: number
}

/**
 * An embedder that takes texts of any length: one over the limit is embedded as windows, cut at white space where there is some,
 * and its vector is their mean, weighted by tokens.
 *
 * Texts within the limit get the same vectors as before. The identity changes all the same, because it says how texts over the
 * limit are treated.
 *
 * @throws AshlarError `INVALID_OPTION` if neither the embedder nor the options say how to count and how far.
 */
export function averaged(embedder: Embedder, options: AveragedOptions = {}): Embedder {
  const { counter = embedder.counter, maxTokens = embedder.identity.maxTokens } = options
  if (counter === undefined || maxTokens === undefined || !Number.isInteger(maxTokens) || maxTokens < 1) {
    const lacks = counter === undefined ? 'counter' : 'maxTokens'
    const message = `averaged cannot cut texts for ${embedder.identity.model} without a usable ${lacks}: pass it as an option.`
    throw new AshlarError('INVALID_OPTION', message, { details: { option: lacks, maxTokens } })
  }
  return new AveragedEmbedder(embedder, counter, maxTokens)
}

/** A part of a text that is embedded by itself. */
interface Window {
  readonly text: string
  /** Which text it is of, and where in it it starts. */
  readonly index: number
  readonly start: number
  readonly tokens: number
}

interface WindowVector extends Window {
  readonly vector: Float32Array
  readonly states: TokenStates | undefined
}

class AveragedEmbedder implements Embedder {
  readonly maxBatch: number
  readonly maxBatchTokens?: number
  readonly counter: Counter
  readonly givesTokens: boolean
  readonly #embedder: Embedder
  readonly #maxTokens: number

  constructor(embedder: Embedder, counter: Counter, maxTokens: number) {
    this.#embedder = embedder
    this.#maxTokens = maxTokens
    this.counter = counter
    this.maxBatch = embedder.maxBatch
    if (embedder.maxBatchTokens !== undefined) this.maxBatchTokens = embedder.maxBatchTokens
    this.givesTokens = embedder.givesTokens
  }

  get identity(): EmbedderIdentity {
    const { identity } = this.#embedder
    const options = { ...identity.options, overLimit: 'average', window: this.#maxTokens }
    return { ...identity, options, maxTokens: undefined }
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded> {
    options.signal?.throwIfAborted()
    const { queryPrefix, documentPrefix } = this.#embedder.identity
    const prefix = options.as === 'query' ? queryPrefix : documentPrefix
    const ofText: WindowVector[][] = texts.map(() => [])
    let usage = noUsage
    for (const batch of this.#batches(texts.flatMap((text, index) => [...this.#windows(text, index, prefix)]))) {
      const embedded = await this.#embedBatch(batch, options)
      usage = addUsage(usage, embedded.usage)
      for (const [at, window] of batch.entries()) {
        const vector = embedded.vectors[at] as Float32Array
        ofText[window.index]?.push({ ...window, vector, states: embedded.tokens?.[at] })
      }
    }
    const vectors = ofText.map((windows) => meanVector(windows, this.identity.normalized))
    return { vectors, ...(options.tokens === true && { tokens: ofText.map(joinStates) }), usage }
  }

  /** Windows grow the number of texts, so that one call can become several. */
  *#batches(windows: readonly Window[]): Iterable<readonly Window[]> {
    const mostTokens = this.maxBatchTokens ?? Number.POSITIVE_INFINITY
    let batch: Window[] = []
    let tokens = 0
    for (const window of windows) {
      if (batch.length > 0 && (batch.length >= this.maxBatch || tokens + window.tokens > mostTokens)) {
        yield batch
        batch = []
        tokens = 0
      }
      batch.push(window)
      tokens += window.tokens
    }
    if (batch.length > 0) yield batch
  }

  async #embedBatch(batch: readonly Window[], options: EmbedOptions): Promise<Embedded> {
    try {
      return await this.#embedder.embed(
        batch.map(({ text }) => text),
        options,
      )
    } catch (error) {
      // A counter that only estimates can be wrong; what the caller knows is the text, not the window.
      if (!isAshlarError(error) || error.code !== 'TEXT_TOO_LONG') throw error
      const window = batch[Number(error.details['index'])]
      if (window === undefined) throw error
      const message = `A window of text ${window.index} is still too long: ${error.message}`
      throw new AshlarError('TEXT_TOO_LONG', message, { details: { ...error.details, index: window.index }, cause: error })
    }
  }

  *#windows(text: string, index: number, prefix: string): Iterable<Window> {
    const whole = this.counter(prefix + text)
    if (whole <= this.#maxTokens) {
      yield { text, index, start: 0, tokens: whole }
      return
    }
    const measure = measureWith(this.counter, text)
    const limit = Math.max(1, this.#maxTokens - this.counter(prefix))
    for (let start = 0; start < text.length; ) {
      let end = windowEnd(text, start, measure.reach(start, limit))
      // Prefix and window can make more tokens together than apart.
      for (let less = limit - 1; less > 0 && this.counter(prefix + text.slice(start, end)) > this.#maxTokens; less--) {
        end = windowEnd(text, start, measure.reach(start, less))
      }
      const tokens = measure.count(start, end)
      // A window of white space says nothing.
      if (tokens > 0) yield { text: text.slice(start, end), index, start, tokens }
      start = end
    }
  }
}

/** The last place at or before `reach` where a window may end: behind white space, else between two characters. */
function windowEnd(text: string, start: number, reach: number): number {
  if (reach >= text.length) return text.length
  if (isWhiteSpace(text.charCodeAt(reach)) && reach > start) return reach
  for (let end = reach; end > start; end--) if (isWhiteSpace(text.charCodeAt(end - 1))) return end
  const end = isInsidePair(text, reach) ? reach - 1 : reach
  // Windows advance by a character at least, even where it is more than fits.
  return end > start ? end : start + (isInsidePair(text, start + 1) ? 2 : 1)
}

function isInsidePair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}

function meanVector(windows: readonly WindowVector[], normalized: boolean): Float32Array {
  const [first] = windows
  if (first === undefined)
    throw new AshlarError('INVALID_RESPONSE', 'The counter counts tokens in a text, and none in any part of it.')
  if (windows.length === 1) return first.vector
  const sum = new Float64Array(first.vector.length)
  let weight = 0
  for (const { vector, tokens } of windows) {
    weight += tokens
    for (let axis = 0; axis < sum.length; axis++) sum[axis] = (sum[axis] as number) + tokens * (vector[axis] as number)
  }
  const mean = Float32Array.from(sum, (value) => value / weight)
  return normalized ? normalize(mean) : mean
}

function joinStates(windows: readonly WindowVector[]): TokenStates {
  const all = windows.flatMap(({ states, start }) => (states === undefined ? [] : [{ states, start }]))
  const joined = {
    starts: new Uint32Array(all.reduce((sum, { states }) => sum + states.ids.length, 0)),
    ends: new Uint32Array(all.reduce((sum, { states }) => sum + states.ids.length, 0)),
    ids: new Uint32Array(all.reduce((sum, { states }) => sum + states.ids.length, 0)),
    states: new Float32Array(all.reduce((sum, { states }) => sum + states.states.length, 0)),
  }
  let tokens = 0
  let numbers = 0
  for (const { states, start } of all) {
    joined.starts.set(
      states.starts.map((offset) => offset + start),
      tokens,
    )
    joined.ends.set(
      states.ends.map((offset) => offset + start),
      tokens,
    )
    joined.ids.set(states.ids, tokens)
    joined.states.set(states.states, numbers)
    tokens += states.ids.length
    numbers += states.states.length
  }
  return joined
}
