/**
 * A provider on this machine that speaks the formats of OpenAI, Anthropic, Google and Cohere and behaves: real vectors, counted
 * tokens, prompt caches, limits, and trouble on purpose. For tests; needs Node.
 *
 * @module ashlar/testing/provider
 */
export type { PromptCacheOptions } from './testing/provider-prompt-cache.ts'
export type { RateLimits, RatePeak } from './testing/provider-rate.ts'
export { type Provider, type ProviderLogEntry, type ProviderServerOptions, startProvider } from './testing/provider-server.ts'
export {
  chatTroubles,
  embeddingTroubles,
  type Trouble,
  type TroubleShareOptions,
  troubleShare,
} from './testing/provider-trouble.ts'
export type {
  ProviderName,
  ProviderRequest,
  SaidCall,
  ServedCall,
  ServedPart,
  ServedTool,
  WireLimits,
} from './testing/provider-wire.ts'
