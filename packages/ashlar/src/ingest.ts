/**
 * From sources to stored documents: what is new, changed, moved or gone, what it costs, and a run that can be stopped and resumed.
 *
 * @module ashlar/ingest
 */
export type { Change, ChangeCounts, ChangeKind } from './ingest/change.ts'
export { changesOf } from './ingest/changes-of.ts'
export { detectLanguage } from './ingest/detect-language.ts'
export { embeddingIdentity } from './ingest/embedding-identity.ts'
export { formatOf } from './ingest/formats.ts'
export type { GivenChunk, GivenDocument } from './ingest/given-document.ts'
export { inProcessReader } from './ingest/in-process-reader.ts'
export type { Ingest } from './ingest/ingest.ts'
export { type IngestDocumentsOptions, ingestDocuments } from './ingest/ingest-documents.ts'
export type { IngestEvent, IngestProgress } from './ingest/ingest-event.ts'
export { ingestFields } from './ingest/ingest-fields.ts'
export type { EmbeddingEstimate, EnrichmentEstimate, IngestPlan } from './ingest/ingest-plan.ts'
export type { IngestReceipt, IngestTimes, ItemFailure } from './ingest/ingest-receipt.ts'
export { type LoadFileOptions, load } from './ingest/load.ts'
export {
  type DetectedLanguage,
  defaultLoadLimits,
  type LoadedDocument,
  type LoadedFormat,
  type Loader,
  type LoadInput,
  type LoadLimits,
  type LoadOptions,
} from './ingest/loader.ts'
export { defaultLoaders } from './ingest/loaders.ts'
export { type PlanIngestOptions, planIngest } from './ingest/plan-ingest.ts'
export { type FileSource, type ReadInputOptions, readInput } from './ingest/read-input.ts'
export type { ReadDocument, Reader, ReadInput } from './ingest/reader.ts'
export { type MayRemove, type RunIngestOptions, runIngest } from './ingest/run-ingest.ts'
export type { Source, SourceGap, SourceItem, ThreadSource } from './ingest/source.ts'
export { type DecodedText, decodeText } from './ingest/text-encoding.ts'
export type { Journal } from './model/journal.ts'
export { packPositions, unpackPositions } from './text/packed-positions.ts'
export type {
  CellPlace,
  LinePlace,
  NotebookPart,
  NotebookPlace,
  PagePlace,
  ParagraphPlace,
  Place,
} from './text/place.ts'
export { citePlace } from './text/place.ts'
export {
  type NotebookPositions,
  type NotebookStretch,
  type PagePositions,
  type ParagraphPositions,
  type PositionMap,
  placeOf,
  type RowRun,
  type SheetPositions,
} from './text/position-map.ts'
