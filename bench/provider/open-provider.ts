import { embeddingTroubles, type Provider, startProvider, type Trouble, troubleShare } from 'ashlar/testing/provider'
import type { ClientJob } from './client.ts'
import { openStaticModel } from './static-model.ts'

/** What is the same for every run against the provider. */
export const terms = {
  dimensions: 256,
  concurrency: 8,
  /** Which part of all requests goes wrong. */
  share: 0.05,
} as const

/** How fast things happen. */
export interface Tempo {
  /** What the provider lets through in a second; the client is told the same for a minute. */
  readonly requestsPerSecond: number
  readonly tokensPerSecond: number
  /** Milliseconds: before an answer, the client's for a whole request, how long a slow answer drips, and what Retry-After says. */
  readonly latency: number
  readonly timeout: number
  readonly drip: number
  readonly retryAfter: number
}

/** Everything that can go wrong with an embedding request; some of it more than once, in other ways. */
export function troublesAt({ drip, retryAfter }: Tempo): readonly Trouble[] {
  return [
    ...embeddingTroubles.filter(({ kind }) => kind !== 'slow-drip' && kind !== 'rate-limit'),
    { kind: 'slow-drip', duration: drip },
    { kind: 'rate-limit' },
    { kind: 'rate-limit', retryAfter },
    { kind: 'rate-limit', retryAfter, form: 'date' },
    { kind: 'cut', at: 'start' },
    { kind: 'silence' },
    { kind: 'shuffled' },
  ]
}

/** A provider with vectors of the static model, limits that it enforces, and trouble for a share of the requests. */
export function openProvider(tempo: Tempo, seed: number): Promise<Provider> {
  const { requestsPerSecond, tokensPerSecond, latency } = tempo
  return startProvider({
    embedder: openStaticModel(),
    limits: { requestsPerSecond, tokensPerSecond },
    latency,
    trouble: troubleShare({ share: terms.share, kinds: troublesAt(tempo), seed }),
  })
}

/** The job of a client that keeps to the provider's limits. */
export function jobFor(provider: Provider, folder: string, tempo: Tempo, maxBatch: number): ClientJob {
  return {
    folder,
    baseURL: provider.baseURL.openai,
    dimensions: terms.dimensions,
    maxBatch,
    concurrency: terms.concurrency,
    requestsPerMinute: tempo.requestsPerSecond * 60,
    tokensPerMinute: tempo.tokensPerSecond * 60,
    timeout: tempo.timeout,
  }
}
