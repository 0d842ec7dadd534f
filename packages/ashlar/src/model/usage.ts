/** What a call to a model consumed, in the tokens its provider counted. */
export interface Usage {
  /** Tokens the model read, cached ones included. */
  readonly inputTokens: number
  /** The part of `inputTokens` that the provider read from its prompt cache. */
  readonly cachedTokens: number
  /** The part of `inputTokens` that the provider wrote to its prompt cache. */
  readonly cacheWriteTokens: number
  readonly outputTokens: number
}

/** Prices for a million tokens, in the currency of your budget. */
export interface Price {
  readonly input: number
  /** For tokens read from the prompt cache. @default `input` */
  readonly cachedInput?: number
  /** For tokens written to the prompt cache. @default `input` */
  readonly cacheWrite?: number
  /** @default 0 */
  readonly output?: number
}

/** Nothing consumed: where sums start. */
export const noUsage: Usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

/** The sum of two usages. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  }
}

/** What a usage costs at a price. */
export function costOf(usage: Usage, price: Price): number {
  const { input, cachedInput = input, cacheWrite = input, output = 0 } = price
  const fresh = usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens
  return (
    (fresh * input + usage.cachedTokens * cachedInput + usage.cacheWriteTokens * cacheWrite + usage.outputTokens * output) / 1e6
  )
}
