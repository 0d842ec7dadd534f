/**
 * Static token vectors in the layout of model2vec: the embedder that needs nothing installed and runs anywhere.
 *
 * @module ashlar/static
 */
export { type StaticEmbedderOptions, staticEmbedder } from './model/static-embedder.ts'
