/**
 * A document as sections, parents and children, and the context that its structure gives each of them for free.
 *
 * @module ashlar/tree
 */
export { buildTree } from './tree/build-tree.ts'
export { standardTree } from './tree/standard-tree.ts'
export { type EmbeddingTextOptions, embeddingText, type StructuralContext, structuralContext } from './tree/structural-context.ts'
export type { Tree, TreePiece } from './tree/tree.ts'
export { treeFromChunks } from './tree/tree-from-chunks.ts'
export { type TreeLevels, type TreeOptions, treePresets } from './tree/tree-options.ts'
