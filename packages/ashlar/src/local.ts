/**
 * Models on this machine: embedders and rerankers that run ONNX weights from a folder with transformers.js (an optional package).
 *
 * @module ashlar/local
 */
export { type LocalEmbedderOptions, localEmbedder } from './model/local-embedder.ts'
export { type LocalRerankerOptions, localReranker } from './model/local-reranker.ts'
export type { WeightType } from './model/model-folder.ts'
export type { ModelSource } from './model/model-source.ts'
