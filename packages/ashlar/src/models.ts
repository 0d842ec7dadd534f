/**
 * Contracts for models (embedders, generators, rerankers), bridges to AI SDK provider models, and calling them well.
 *
 * @module ashlar/models
 */
export type { TextItem, WorkOptions } from './model/ask-all.ts'
export { type AveragedOptions, averaged } from './model/averaged.ts'
export type { CallEvent, CallKind, WorkEvent } from './model/call-event.ts'
export { type Call, type Caller, type CallerOptions, createCaller } from './model/caller.ts'
export { type EmbedAllOptions, type EmbedOutcome, embedAll } from './model/embed-all.ts'
export type { Embedded, Embedder, EmbedderIdentity, EmbedOptions, TokenStates } from './model/embedder.ts'
export { type EmbedderFromOptions, embedderFrom, type ProviderEmbeddingModel } from './model/embedder-from.ts'
export { type GenerateAllOptions, type GenerateItem, type GenerateOutcome, generateAll } from './model/generate-all.ts'
export type { Generated, GenerateOptions, Generator, GeneratorIdentity, Prompt, PromptPart } from './model/generator.ts'
export { type GeneratorFromOptions, generatorFrom, type ProviderLanguageModel } from './model/generator-from.ts'
export { identityKey } from './model/identity-key.ts'
export type { Journal } from './model/journal.ts'
export type { Budget, Spent } from './model/ledger.ts'
export { type MemoryCacheOptions, memoryCache } from './model/memory-cache.ts'
export type { ModelCache } from './model/model-cache.ts'
export type { ProviderModel, ProviderOptions } from './model/provider-model.ts'
export { type RerankAllOptions, type RerankOutcome, rerankAll } from './model/rerank-all.ts'
export type { Reranked, Reranker, RerankerIdentity } from './model/reranker.ts'
export { type ProviderRerankingModel, type RerankerFromOptions, rerankerFrom } from './model/reranker-from.ts'
export { addUsage, costOf, noUsage, type Price, type Usage } from './model/usage.ts'
