import { buildTree, type Tree } from 'ashlar/tree'
import { embedLate, planLate } from 'ashlar/vectors'
import type { BenchModel } from './open-models.ts'
import type { Collection } from './retrieval.ts'

/** The children of the default tree of each document. */
export function plantTrees(documents: readonly { readonly name: string; readonly text: string }[]): Tree[] {
  return documents.map(({ name, text }) => buildTree(text, { document: name }))
}

/** Children with vectors that are means over windows; what a first run embeds, later ones look up. */
export async function embedLately(
  { embedder, cache }: BenchModel,
  trees: readonly Tree[],
  step: (done: number, total: number) => void,
): Promise<Collection> {
  const pieces: { start: number; end: number; document: string }[] = []
  const vectors: Float32Array[] = []
  for (const [at, tree] of trees.entries()) {
    step(at, trees.length)
    const windows = planLate(tree, { embedder })
    const keys = windows.map(({ key }) => `late-${key}`)
    const found = new Map((await cache.get(keys)).map((bytes, index) => [windows[index]!.key, bytes] as const))
    const isKnown = (key: string): boolean => found.get(key) !== undefined
    for await (const { key, vectors: made } of embedLate(tree, { embedder, known: isKnown, tooLong: 'split' })) {
      const value = Buffer.concat(made.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)))
      await cache.set([{ key: `late-${key}`, value }])
      found.set(key, value)
    }
    for (const { start, end } of tree.children) pieces.push({ start, end, document: tree.document })
    for (const { key, first, after } of windows) vectors.push(...rows(found.get(key)!, after - first))
  }
  return { pieces, vectors }
}

function rows(bytes: Uint8Array, count: number): Float32Array[] {
  // Copied: a Buffer may be a part of a larger one.
  const numbers = new Float32Array(Uint8Array.from(bytes).buffer)
  const dimensions = numbers.length / count
  return Array.from({ length: count }, (_, at) => numbers.subarray(at * dimensions, (at + 1) * dimensions))
}
