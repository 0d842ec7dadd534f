/**
 * Text that a model writes about chunks, kept beside them: situating context, questions, keywords; what it will cost before it is
 * asked for; and keywords from statistics, without a model.
 *
 * @module ashlar/enrich
 */
export {
  type AnyChunker,
  type ContextualChunk,
  type ContextualChunksOptions,
  type ContextualDocument,
  contextualChunks,
} from './enrich/contextual-chunks.ts'
export {
  type ChildKeywords,
  type CorpusKeywordsOptions,
  corpusKeywords,
  type TermStatistics,
  termStatistics,
} from './enrich/corpus-keywords.ts'
export { type EnrichOptions, enrich } from './enrich/enrich.ts'
export { type EnrichedText, type EnrichedTextOptions, enrichedText } from './enrich/enriched-text.ts'
export type {
  Enrichment,
  EnrichmentKind,
  EnrichmentOutcome,
  EnrichmentPiece,
  EnrichmentSource,
  Provenance,
} from './enrich/enrichment.ts'
export type { EnrichmentOptions } from './enrich/enrichment-options.ts'
export { enrichmentRoom } from './enrich/enrichment-room.ts'
export { type EnrichmentPlan, type EnrichmentPlanOptions, planEnrichment } from './enrich/plan-enrichment.ts'
export type { EnrichmentTemplate } from './enrich/template.ts'
export { templates } from './enrich/templates.ts'
