import type { EnrichmentKind } from './enrichment.ts'

/** What an answer takes: a context of two sentences, a question, a keyword, each with its share of label and separators. */
const contextTokens = 60
const questionTokens = 20
const keywordTokens = 5
/** Some answers are longer than they should be. */
const slack = 1.5

/** Tokens of an answer as they are expected. */
export function expectedTokens(
  kinds: readonly EnrichmentKind[],
  counts: { readonly questions: number; readonly keywords: number },
): number {
  const tokens = {
    context: contextTokens,
    questions: questionTokens * counts.questions,
    keywords: keywordTokens * counts.keywords,
  }
  return kinds.reduce((sum, kind) => sum + tokens[kind], 0)
}

/**
 * Tokens to leave free when children are cut, so that what a model writes about them has room beside them under an embedder's
 * limit: cut to the limit less this, then join with `enrichedText`, which keeps to the limit whatever was written.
 *
 * @example
 * console.log(512 - enrichmentRoom({ kinds: ['context', 'keywords'], keywords: 8 })) // => 362
 */
export function enrichmentRoom(
  options: {
    /** @default ['context'] */
    readonly kinds?: readonly EnrichmentKind[]
    /** Questions for each chunk. @default 3 */
    readonly questions?: number
    /** Keywords for each chunk. @default 8 */
    readonly keywords?: number
  } = {},
): number {
  const { kinds = ['context'], questions = 3, keywords = 8 } = options
  return Math.ceil(expectedTokens(kinds, { questions, keywords }) * slack)
}
