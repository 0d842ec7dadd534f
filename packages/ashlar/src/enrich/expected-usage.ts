import type { Generator } from '../model/generator.ts'
import type { Usage } from '../model/usage.ts'
import { cachedCounter } from '../text/count.ts'
import type { ResolvedEnrichment } from './enrichment-options.ts'
import { type EnrichmentRequest, promptOf } from './enrichment-request.ts'

/** Tokens that chat formats add to a prompt of one message, and for a system text. */
const messageTokens = 7
const systemTokens = 4
/** Automatic prompt caches read whole steps of this many tokens. */
const step = 128

/** Makes a function that says what a request will probably consume, if all others that share its part are sent too. */
export function expectedUsage(options: ResolvedEnrichment): (request: EnrichmentRequest) => Usage {
  const { generator, template, promptCacheMinimum, answerTokens } = options
  // The shared part is counted once and looked up for the other chunks.
  const counter = cachedCounter(options.counter, { texts: 16 })
  const system = template.system === undefined ? 0 : counter(template.system) + systemTokens
  return (request) => {
    const { parts } = promptOf(request, options)
    const own = options.counter(parts.at(-1)?.text ?? '')
    const shared = system + (parts.length > 1 ? counter(request.shared) : 0)
    const cacheable = request.sharing && shared >= promptCacheMinimum ? cacheableTokens(generator, shared) : 0
    return {
      inputTokens: shared + own + messageTokens,
      cachedTokens: request.first ? 0 : cacheable,
      cacheWriteTokens: request.first && generator.promptCache === 'marked' ? cacheable : 0,
      outputTokens: answerTokens,
    }
  }
}

function cacheableTokens({ promptCache }: Generator, tokens: number): number {
  if (promptCache === 'none') return 0
  return promptCache === 'marked' ? tokens : tokens - (tokens % step)
}
