/**
 * Cuts plain text, markdown, tables and JSON into chunks that are exact slices of their source, and opens libraries.
 *
 * No dependency, no network, no runtime but JavaScript's own. Cutting is pure and synchronous; what `open` needs is loaded when it is
 * called.
 *
 * @module ashlar
 */
export type { Chunk } from './chunk/chunk.ts'
export {
  type ChunkDocumentsOptions,
  type ChunkMetadata,
  chunkDocuments,
  type SourceDocument,
} from './chunk/chunk-documents.ts'
export type { ChunkOptions } from './chunk/chunk-options.ts'
export { type Chunker, chunk, chunkCsv, chunkJson, chunkJsonLines, chunkMarkdown, chunkText } from './chunk/chunkers.ts'
export { type CsvOptions, csv } from './chunk/csv.ts'
export { type IdentifyOptions, identify } from './chunk/identify.ts'
export { json } from './chunk/json.ts'
export { jsonLines } from './chunk/json-lines.ts'
export { markdown } from './chunk/markdown.ts'
export { cutVersion } from './chunk/pack.ts'
export { plain } from './chunk/plain.ts'
export { type Content, presets } from './chunk/presets.ts'
export { type Format, type Inside, type Seam, strength } from './chunk/seam.ts'
export { recursiveSeparators, separators } from './chunk/separators.ts'
export { AshlarError, type AshlarErrorCode, isAshlarError } from './error/ashlar-error.ts'
export type { Answer, AnswerCitation } from './library/answer.ts'
export type { AnswerOptions } from './library/answer-from-evidence.ts'
export type { Feedback, FeedbackEntry } from './library/feedback.ts'
export { feedbackFields } from './library/feedback-fields.ts'
export type {
  Abortable,
  Addable,
  AddOptions,
  AskOptions,
  ErasureReceipt,
  FeedbackListOptions,
  Library,
  LibraryDocument,
  LibraryEntry,
  LibraryListOptions,
  LibrarySearchOptions,
  PlanOptions,
  SyncOptions,
} from './library/library.ts'
export type { LibraryStats, SearchStats } from './library/library-stats.ts'
export { open } from './library/open.ts'
export type { OpenOptions } from './library/open-options.ts'
export type { Evidence, RenderedEvidence, RenderOptions } from './library/render-evidence.ts'
export type { Problem, VerifyOptions, VerifyReport } from './library/verify.ts'
export { anthropicTokens } from './text/anthropic-tokens.ts'
export { approximateTokens } from './text/approximate-tokens.ts'
export { ByteMap } from './text/byte-map.ts'
export { characters } from './text/characters.ts'
export {
  type ConversationCount,
  type Count,
  type CountedMessage,
  cachedCounter,
  count,
  countMessages,
  countNear,
  type Fallback,
  isWithin,
  type MessageOverhead,
  openaiOverhead,
} from './text/count.ts'
export type { Accuracy, Counter, Measure } from './text/counter.ts'
export { geminiTokens } from './text/gemini-tokens.ts'
export { graphemes, isGraphemeBoundary, unicodeVersion } from './text/grapheme.ts'
export { type LineColumn, LineMap } from './text/line-map.ts'
export { type CounterRecommendation, recommendedCounter, recommendedCounters } from './text/recommended-counter.ts'
export { sentences } from './text/sentence.ts'
export type { Span } from './text/span.ts'
export { words as wordSpans } from './text/word.ts'
export { words } from './text/word-counter.ts'
