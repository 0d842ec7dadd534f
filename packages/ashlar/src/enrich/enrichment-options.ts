import { AshlarError } from '../error/ashlar-error.ts'
import type { Generator } from '../model/generator.ts'
import { anthropicTokens } from '../text/anthropic-tokens.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import type { Counter } from '../text/counter.ts'
import { geminiTokens } from '../text/gemini-tokens.ts'
import type { EnrichmentKind } from './enrichment.ts'
import { expectedTokens } from './enrichment-room.ts'
import { type EnrichmentTemplate, type PreparedTemplate, prepareTemplate } from './template.ts'
import { templates } from './templates.ts'

/** What is asked about chunks, and of whom. */
export interface EnrichmentOptions {
  readonly generator: Generator
  /** What is to be written; all kinds in one call, since the document is most of what a call costs. @default ['context'] */
  readonly kinds?: readonly EnrichmentKind[]
  /** What the model is asked. A bare string asks for one kind in its own words. @default templates.english */
  readonly template?: string | EnrichmentTemplate
  /** Questions for each chunk, at most. @default 3 */
  readonly questions?: number
  /** Keywords for each chunk, at most. @default 8 */
  readonly keywords?: number
  /**
   * Characters up to which a document is shown whole. Of a longer one a model sees the outline, the beginning, and the
   * neighbourhood of the chunk. @default 50000
   */
  readonly documentLimit?: number
  /**
   * Characters of a longer document that are shown around a chunk. Chunks that stand together share them, so that they are
   * cached by the provider like a whole document. @default 20000
   */
  readonly neighbourhood?: number
  /**
   * What must be unchanged for a paid answer to be used again, besides the model and what it is asked. `chunk`: the chunk's own
   * text, the headings above it, the document's id and title; the answer may then have been written in view of an older version
   * of the rest. `document`: the whole document, so that any edit pays for all of its chunks again. @default 'chunk'
   */
  readonly reuse?: 'chunk' | 'document'
  /** Most tokens of an answer. A model that thinks before it answers needs more. @default 1000 */
  readonly maxTokens?: number
  /** Counts tokens for plans and reservations. @default an estimate for the generator's provider */
  readonly counter?: Counter
  /** Tokens below which the provider caches no prompt. @default what its documentation says of the model: 1024, 2048 or 4096 */
  readonly promptCacheMinimum?: number
}

/** Options with defaults filled in and checked; the template made ready. */
export interface ResolvedEnrichment {
  readonly generator: Generator
  readonly kinds: readonly EnrichmentKind[]
  readonly template: PreparedTemplate
  readonly counts: { readonly questions: number; readonly keywords: number }
  readonly documentLimit: number
  readonly neighbourhood: number
  readonly reuse: 'chunk' | 'document'
  readonly maxTokens: number
  readonly counter: Counter
  /** Tokens of an answer as they are expected. */
  readonly answerTokens: number
  readonly promptCacheMinimum: number
}

const everyKind: readonly EnrichmentKind[] = ['context', 'questions', 'keywords']

/** Checks options and fills in defaults, before anything is spent. */
export function resolveEnrichment(options: EnrichmentOptions): ResolvedEnrichment {
  const { generator, template = templates.english, reuse = 'chunk' } = options
  const { questions = 3, keywords = 8, documentLimit = 50_000, neighbourhood = 20_000, maxTokens = 1_000 } = options
  const asked = options.kinds ?? ['context']
  const kinds = everyKind.filter((kind) => asked.includes(kind))
  if (kinds.length === 0 || kinds.length !== asked.length)
    refuse('kinds', options.kinds, `some of ${everyKind.join(', ')}, each once`)
  if (reuse !== 'chunk' && reuse !== 'document') refuse('reuse', reuse, "'chunk' or 'document'")
  for (const [name, value] of Object.entries({ questions, keywords, documentLimit, neighbourhood, maxTokens }))
    if (!Number.isSafeInteger(value) || value < 1) refuse(name, value, 'a whole number of at least 1')
  const counts = { questions, keywords }
  return {
    generator,
    kinds,
    template: prepareTemplate(template, kinds, counts),
    counts,
    documentLimit,
    neighbourhood,
    reuse,
    maxTokens,
    counter: options.counter ?? counterFor(generator.identity.model),
    answerTokens: Math.min(maxTokens, expectedTokens(kinds, counts)),
    promptCacheMinimum: options.promptCacheMinimum ?? promptCacheMinimum(generator.identity.model),
  }
}

function counterFor(model: string): Counter {
  if (/anthropic|claude/i.test(model)) return anthropicTokens
  return /google|gemini/i.test(model) ? geminiTokens : approximateTokens
}

/** Anthropic's larger and smaller models differ; the others that cache do so from 1024 tokens. */
function promptCacheMinimum(model: string): number {
  if (/(?:haiku|opus)-4-[5-9]/.test(model)) return 4096
  return /haiku/.test(model) ? 2048 : 1024
}

function refuse(name: string, value: unknown, wanted: string): never {
  throw new AshlarError('INVALID_OPTION', `${name} must be ${wanted}, not ${JSON.stringify(value) ?? 'undefined'}.`, {
    details: { [name]: value },
  })
}
