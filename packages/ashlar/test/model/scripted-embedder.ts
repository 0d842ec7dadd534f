import { AshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedded, Embedder, EmbedderIdentity, EmbedOptions } from '../../src/model/embedder.ts'
import { noUsage } from '../../src/model/usage.ts'
import type { FakeClock } from './fake-clock.ts'

/** What goes wrong with a call. */
export type Trouble =
  | 'none'
  | '429'
  | '429 with Retry-After'
  | '500'
  | 'cut'
  | 'never'
  | 'fewer vectors'
  | 'more vectors'
  | 'other dimensions'
  | 'not finite'

export const troubles: readonly Trouble[] = [
  'none',
  '429',
  '429 with Retry-After',
  '500',
  'cut',
  'never',
  'fewer vectors',
  'more vectors',
  'other dimensions',
  'not finite',
]

export interface ScriptedEmbedder extends Embedder {
  /** The texts of each call that was answered in full. */
  readonly answered: (readonly string[])[]
  /** All calls, failed ones included, and when they came. */
  readonly calls: (readonly string[])[]
  readonly times: number[]
}

export interface Script {
  readonly clock?: FakeClock
  /** One for each call in turn; none after that. */
  readonly troubles?: readonly Trouble[]
  readonly maxBatch?: number
  readonly maxBatchTokens?: number
  readonly takes?: number
  readonly dimensions?: number | undefined
  readonly maxTokens?: number
}

const identity: EmbedderIdentity = {
  model: 'test/scripted',
  options: {},
  dimensions: 4,
  pooling: 'provider',
  normalized: false,
  queryPrefix: '',
  documentPrefix: '',
  maxTokens: undefined,
}

/** A vector that tells its text from all others of a test. */
export function vectorOf(text: string, as: 'document' | 'query' = 'document'): Float32Array {
  let hash = 7
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return Float32Array.of(text.length, hash & 0xffff, hash >>> 16, as === 'query' ? 1 : 0)
}

/**
 * Embeds as a provider with a bad day would. Texts with `unfit` in them make any call fail with status 400, those with `odd` make
 * its answer unusable, and those longer than `maxTokens` characters are refused by their index.
 */
export function scriptedEmbedder(script: Script = {}): ScriptedEmbedder {
  const remaining = [...(script.troubles ?? [])]
  const answered: (readonly string[])[] = []
  const calls: (readonly string[])[] = []
  const times: number[] = []
  async function embed(texts: readonly string[], { as, signal }: EmbedOptions): Promise<Embedded> {
    signal?.throwIfAborted()
    calls.push(texts)
    times.push(script.clock?.now() ?? 0)
    const long = texts.findIndex((text) => text.length > (script.maxTokens ?? Number.POSITIVE_INFINITY))
    if (long >= 0) throw new AshlarError('TEXT_TOO_LONG', 'Too long', { details: { index: long } })
    const trouble = remaining.shift() ?? 'none'
    await script.clock?.sleep(script.takes ?? 10)
    if (trouble === 'never') await new Promise(() => {})
    if (trouble === '429') throw failed(429)
    if (trouble === '429 with Retry-After') throw failed(429, { retryAfter: 1500 })
    if (trouble === '500') throw failed(500)
    if (trouble === 'cut') throw failed(undefined)
    if (texts.some((text) => text.includes('unfit'))) throw failed(400, { retryable: false })
    const vectors = texts.map((text) => vectorOf(text, as))
    if (trouble === 'fewer vectors') vectors.pop()
    if (trouble === 'more vectors') vectors.push(Float32Array.of(0, 0, 0, 0))
    if (trouble === 'other dimensions') vectors[0] = Float32Array.of(1, 2, 3)
    if (trouble === 'not finite' || texts.some((text) => text.includes('odd'))) vectors[0]?.fill(Number.NaN)
    else if (trouble === 'none') answered.push(texts)
    return { vectors, usage: { ...noUsage, inputTokens: texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0) } }
  }
  return {
    identity: { ...identity, ...('dimensions' in script && { dimensions: script.dimensions }) },
    maxBatch: script.maxBatch ?? 5,
    ...(script.maxBatchTokens !== undefined && { maxBatchTokens: script.maxBatchTokens }),
    givesTokens: false,
    answered,
    calls,
    times,
    embed,
  }
}

function failed(status: number | undefined, more: Readonly<Record<string, unknown>> = {}): AshlarError {
  return new AshlarError('MODEL_FAILED', `Failed with ${status}`, { details: { status, retryable: true, ...more } })
}
