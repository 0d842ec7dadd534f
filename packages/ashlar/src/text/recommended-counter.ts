import type { Accuracy } from './counter.ts'

/** Which counter to use for a provider, and where it is imported from. */
export interface CounterRecommendation {
  /** The counter's `id`, as in `Count.method`. */
  readonly method: string
  readonly accuracy: Accuracy
  /** The name to import, and the entry to import it from. */
  readonly name: string
  readonly from: 'ashlar' | 'ashlar/tokens' | 'ashlar/tokenizer'
}

const o200k: CounterRecommendation = { method: 'o200k', accuracy: 'exact', name: 'o200k', from: 'ashlar/tokens' }
const cl100k: CounterRecommendation = { method: 'cl100k', accuracy: 'exact', name: 'cl100k', from: 'ashlar/tokens' }
const fallback: CounterRecommendation = {
  method: 'length/4',
  accuracy: 'approximate',
  name: 'approximateTokens',
  from: 'ashlar',
}

/** The counter for each provider, as data. `local` stands for any model that comes with a `tokenizer.json`. */
export const recommendedCounters: Readonly<Record<'openai' | 'anthropic' | 'gemini' | 'local' | 'other', CounterRecommendation>> =
  {
    openai: o200k,
    anthropic: { method: 'anthropic-estimate', accuracy: 'estimated', name: 'anthropicTokens', from: 'ashlar' },
    gemini: { method: 'gemini-estimate', accuracy: 'estimated', name: 'geminiTokens', from: 'ashlar' },
    local: { method: 'tokenizer.json', accuracy: 'exact', name: 'tokenizerCounter', from: 'ashlar/tokenizer' },
    other: fallback,
  }

/** OpenAI's models before GPT-4o, and its embedding models to this day. */
const cl100kModels = /^(?:text-embedding-|gpt-3\.5|gpt-35|gpt-4(?:$|-(?!o)))/

/**
 * The counter to use for a provider, and for one of its models if that makes a difference.
 *
 * @example
 * console.log(recommendedCounter('openai', 'text-embedding-3-small').name) // => cl100k
 */
export function recommendedCounter(provider: string, model = ''): CounterRecommendation {
  switch (provider.toLowerCase()) {
    case 'openai':
    case 'azure':
      return cl100kModels.test(model) ? cl100k : o200k
    case 'anthropic':
      return recommendedCounters.anthropic
    case 'google':
    case 'gemini':
    case 'vertex':
      return recommendedCounters.gemini
    case 'local':
    case 'huggingface':
    case 'transformers':
      return recommendedCounters.local
    default:
      return recommendedCounters.other
  }
}
