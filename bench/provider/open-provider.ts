import { embeddingTroubles, type Provider, startProvider, type Trouble, troubleShare } from 'ashlar/testing/provider'
import type { ClientJob } from './client.ts'
import { openStaticModel } from './static-model.ts'

/** What is the same for every run against the provider. */
export const terms = {
  dimensions: 256,
  concurrency: 8,
  /** Milliseconds: the client's for one request, and how long a slow answer drips. */
  timeout: 3000,
  drip: 12_000,
  /** Which part of all requests goes wrong. */
  share: 0.05,
} as const

/** Everything that can go wrong with an embedding request; some of it more than once, in other ways. */
export const troubles: readonly Trouble[] = [
  ...embeddingTroubles.filter(({ kind }) => kind !== 'slow-drip' && kind !== 'rate-limit'),
  { kind: 'slow-drip', duration: terms.drip },
  { kind: 'rate-limit' },
  { kind: 'rate-limit', retryAfter: 1000 },
  { kind: 'rate-limit', retryAfter: 1000, form: 'date' },
  { kind: 'cut', at: 'start' },
  { kind: 'silence' },
  { kind: 'shuffled' },
]

/** What the provider lets through in a second; the client is told the same for a minute. */
export interface Limits {
  readonly requestsPerSecond: number
  readonly tokensPerSecond: number
}

/** A provider with vectors of the static model, limits that it enforces, and trouble for a share of the requests. */
export function openProvider(limits: Limits, options: { readonly seed: number; readonly latency: number }): Promise<Provider> {
  return startProvider({
    embedder: openStaticModel(),
    limits,
    latency: options.latency,
    trouble: troubleShare({ share: terms.share, kinds: troubles, seed: options.seed }),
  })
}

/** The job of a client that keeps to the provider's limits. */
export function jobFor(provider: Provider, folder: string, limits: Limits, maxBatch: number): ClientJob {
  return {
    folder,
    baseURL: provider.baseURL.openai,
    dimensions: terms.dimensions,
    maxBatch,
    concurrency: terms.concurrency,
    requestsPerMinute: limits.requestsPerSecond * 60,
    tokensPerMinute: limits.tokensPerSecond * 60,
    timeout: terms.timeout,
  }
}
