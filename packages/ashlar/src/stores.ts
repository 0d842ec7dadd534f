/**
 * Stores: the contract that all of them keep, and one in memory.
 *
 * @module ashlar/stores
 */
export type { FieldType, FieldTypes, FieldValue, Filter, Metadata } from './store/filter.ts'
export {
  type AdoptOptions,
  type AdoptProgress,
  type AdoptReport,
  adoptChunks,
  type RefusedChunk,
} from './store/flat/adopt-chunks.ts'
export type { FlatChunk, FlatChunks } from './store/flat/flat-chunk.ts'
export type { MemoryData } from './store/memory-data.ts'
export { type MemoryStoreOptions, memoryData, memoryStore } from './store/memory-store.ts'
export type {
  ChildAddress,
  ChildNote,
  ChildRecord,
  ChildRecords,
  ChildrenOptions,
  DocumentEmbedding,
  DocumentRecord,
  DocumentSummary,
  EmbeddingState,
  GetOptions,
  LexicalScores,
  ListOptions,
  MaintainOptions,
  Neighbour,
  NominatedChild,
  NominationQuery,
  Nominations,
  Page,
  PutReceipt,
  QueryTerm,
  RemoveOptions,
  RemoveReceipt,
  Store,
  StoredDocument,
  StoredEmbedding,
  StoredWindow,
  StoreScope,
  StoreSupports,
  WindowPlace,
} from './store/store.ts'
export { analyserVersion } from './text/analyse.ts'
export { analyseQuery } from './text/analyse-query.ts'
