/**
 * Contracts for models (embedders, generators, rerankers), bridges to AI SDK provider models, and calling them well.
 *
 * @module ashlar/models
 */
export { type AveragedOptions, averaged } from './model/averaged.ts'
export type { Embedded, Embedder, EmbedderIdentity, EmbedOptions, TokenStates } from './model/embedder.ts'
export { type EmbedderFromOptions, embedderFrom, type ProviderEmbeddingModel } from './model/embedder-from.ts'
export type { Generated, GenerateOptions, Generator, GeneratorIdentity, Prompt, PromptPart } from './model/generator.ts'
export { identityKey } from './model/identity-key.ts'
export type { ModelCache } from './model/model-cache.ts'
export type { ProviderModel, ProviderOptions } from './model/provider-model.ts'
export type { Reranked, Reranker, RerankerIdentity } from './model/reranker.ts'
export { addUsage, costOf, noUsage, type Price, type Usage } from './model/usage.ts'
