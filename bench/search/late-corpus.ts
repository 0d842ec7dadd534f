import type { Embedder } from 'ashlar/models'
import type { StoredDocument } from 'ashlar/stores'
import type { Tree } from 'ashlar/tree'
import { embedLate, lateIdentity } from 'ashlar/vectors'

/** A tree with late vectors and token states, ready to be stored. */
export async function withTokens(tree: Tree, embedder: Embedder): Promise<StoredDocument> {
  const parts = []
  for await (const window of embedLate(tree, { embedder, tooLong: 'split' })) parts.push(window)
  return {
    tree,
    embeddings: [
      {
        identity: lateIdentity({ embedder }),
        vectors: parts.flatMap(({ vectors }) => vectors),
        contentKeys: parts.flatMap(({ key, vectors }) => vectors.map((_, at) => `${key}/${at}`)),
        windows: parts.map(({ key, first, after, blob, pieces }) => ({ key, first, after, blob, pieces })),
      },
    ],
  }
}

/** The same embedder, which answers from memory what it was asked before: a search without the cost of embedding its query. */
export function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, ReturnType<Embedder['embed']>>()
  return {
    ...embedder,
    embed(texts, options) {
      const key = JSON.stringify([options.as, options.tokens, texts])
      const answer = known.get(key) ?? embedder.embed(texts, options)
      known.set(key, answer)
      return answer
    },
  }
}
