import type { Usage } from './usage.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What a language model's answer says it consumed. Each version of the specification, and before version 3 each provider, puts
 * it elsewhere.
 */
export function readProviderUsage(answer: object): Usage {
  const { usage, providerMetadata, rawResponse, response } = answer as Fields
  const counts = fields(usage)
  const input = counts['inputTokens']
  if (typeof input === 'object' && input !== null) return nestedUsage(fields(input), fields(counts['outputTokens']))
  const metadata = fields(providerMetadata)
  const raw = fields(fields(rawResponse ?? response)['body'])
  const shared = { outputTokens: count(counts['outputTokens'] ?? counts['completionTokens']) }
  const stated = count(input ?? counts['promptTokens'])
  const anthropic = fields(metadata['anthropic'])
  if (Object.keys(anthropic).length > 0) {
    // Anthropic's own figure leaves out what was read from the cache or written to it.
    const cachedTokens = count(counts['cachedInputTokens'] ?? anthropic['cacheReadInputTokens'])
    const cacheWriteTokens = count(anthropic['cacheCreationInputTokens'])
    return { ...shared, inputTokens: stated + cachedTokens + cacheWriteTokens, cachedTokens, cacheWriteTokens }
  }
  const bedrock = fields(fields(metadata['bedrock'])['usage'])
  if (Object.keys(bedrock).length > 0) {
    const cachedTokens = count(counts['cachedInputTokens'] ?? bedrock['cacheReadInputTokens'])
    const cacheWriteTokens = count(bedrock['cacheWriteInputTokens'])
    return { ...shared, inputTokens: stated + cachedTokens + cacheWriteTokens, cachedTokens, cacheWriteTokens }
  }
  const cached =
    counts['cachedInputTokens'] ??
    fields(metadata['openai'])['cachedPromptTokens'] ??
    fields(raw['usageMetadata'])['cachedContentTokenCount']
  return { ...shared, inputTokens: stated, cachedTokens: Math.min(count(cached), stated), cacheWriteTokens: 0 }
}

/** Version 3 and later: every figure has its place, and the total includes all of them. */
function nestedUsage(input: Fields, output: Fields): Usage {
  const cachedTokens = count(input['cacheRead'])
  const cacheWriteTokens = count(input['cacheWrite'])
  const total = input['total'] === undefined ? count(input['noCache']) + cachedTokens + cacheWriteTokens : count(input['total'])
  return { inputTokens: total, cachedTokens, cacheWriteTokens, outputTokens: count(output['total']) }
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Not stated, `NaN` and nonsense count as nothing. */
function count(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}
