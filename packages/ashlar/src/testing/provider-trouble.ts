import type { ProviderRequest } from './provider-wire.ts'

/** One way in which a provider's answer goes wrong. */
export type Trouble =
  /** Status 429. `retryAfter` is in milliseconds; without it the provider does not say how long to wait. */
  | { readonly kind: 'rate-limit'; readonly retryAfter?: number; readonly form?: 'header' | 'date' }
  /** A failure of the provider: 500, 503, 529 (Anthropic's "overloaded") or any other status. */
  | { readonly kind: 'status'; readonly status: number }
  /** A right answer that comes in small pieces over `duration` milliseconds. @default 200 */
  | { readonly kind: 'slow-drip'; readonly duration?: number }
  /** No answer until the client gives up. */
  | { readonly kind: 'silence' }
  /** The connection ends: before the answer's head, after it, or in the middle of its body. @default 'body' */
  | { readonly kind: 'cut'; readonly at?: 'head' | 'start' | 'body' }
  /** Status 200 and a body that is not JSON. */
  | { readonly kind: 'malformed-json' }
  /** Status 200 and the first half of the right body, with a length that says it is all. */
  | { readonly kind: 'truncated-json' }
  /** Status 200 and JSON of another shape. */
  | { readonly kind: 'wrong-shape' }
  /** One vector (or score) too few, or `by` too many. @default -1 */
  | { readonly kind: 'wrong-count'; readonly by?: number }
  /** Vectors of `by` more numbers than there should be. @default -1 */
  | { readonly kind: 'wrong-dimensions'; readonly by?: number }
  /** Vectors in another order, with the numbers that say where each belongs. Only in OpenAI's format, which has such numbers. */
  | { readonly kind: 'shuffled' }
  /** The model, or a filter before it, will not answer. */
  | { readonly kind: 'refusal' }
  /** The answer breaks off for its length. */
  | { readonly kind: 'length' }

/** Every kind of trouble that an embedding request can meet and that goes away when it is tried again. */
export const embeddingTroubles: readonly Trouble[] = [
  { kind: 'rate-limit' },
  { kind: 'rate-limit', retryAfter: 50 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 529 },
  { kind: 'slow-drip' },
  { kind: 'cut', at: 'head' },
  { kind: 'cut', at: 'body' },
  { kind: 'malformed-json' },
  { kind: 'truncated-json' },
  { kind: 'wrong-shape' },
  { kind: 'wrong-count' },
  { kind: 'wrong-dimensions' },
]

/** Every kind of trouble that a chat request can meet; after refusals and answers cut short, trying again is no remedy. */
export const chatTroubles: readonly Trouble[] = [
  ...embeddingTroubles.filter(({ kind }) => kind !== 'wrong-count' && kind !== 'wrong-dimensions'),
  { kind: 'refusal' },
  { kind: 'length' },
]

/** How {@link troubleShare} spreads trouble. */
export interface TroubleShareOptions {
  /** Which part of all requests goes wrong, between 0 and 1. */
  readonly share: number
  /** Taken in turn, so that each comes about as often as the others. @default {@link embeddingTroubles} */
  readonly kinds?: readonly Trouble[]
  /** @default 1 */
  readonly seed?: number
}

/**
 * Trouble for a fixed share of the requests: one in every run of `1 / share`, at a place that the seed decides, the kinds in
 * turn. The same requests in the same order meet the same trouble.
 */
export function troubleShare({
  share,
  kinds = embeddingTroubles,
  seed = 1,
}: TroubleShareOptions): (request: ProviderRequest) => Trouble | undefined {
  if (!(share > 0) || kinds.length === 0) return () => undefined
  const random = seededRandom(seed)
  let asked = 0
  let given = 0
  let next = random() / share
  return () => {
    if (asked++ < Math.floor(next)) return undefined
    const kind = kinds[given % kinds.length]
    given++
    next = (given + random()) / share
    return kind
  }
}

/** Numbers between 0 and 1 from a seed, the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
