import type { EmbedderIdentity } from '../../src/model/embedder.ts'
import type { StoredDocument } from '../../src/store/store.ts'
import { buildTree } from '../../src/tree/build-tree.ts'

/** An embedder that needs no model: how often each letter stands in a text. */
export const letterIdentity: EmbedderIdentity = {
  model: 'test/letters',
  options: {},
  dimensions: 26,
  pooling: 'mean',
  normalized: false,
  queryPrefix: '',
  documentPrefix: '',
  maxTokens: undefined,
}

export function letterVector(text: string): Float32Array {
  const vector = new Float32Array(26)
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97
    if (at >= 0 && at < 26) vector[at] = (vector[at] as number) + 1
  }
  return vector
}

/** A document with a tree of small pieces, and vectors of its letters. */
export function letterDocument(id: string, text: string, metadata: StoredDocument['metadata'] = {}): StoredDocument {
  const tree = buildTree(text, { document: id, least: 0, child: 60, parent: 160, section: 400 })
  return {
    tree,
    metadata,
    embeddings: [
      {
        identity: letterIdentity,
        vectors: tree.children.map((child) => letterVector(child.text)),
        contentKeys: tree.children.map((child) => child.id),
      },
    ],
  }
}
