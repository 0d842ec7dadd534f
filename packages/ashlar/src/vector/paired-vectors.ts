import type { WorkOptions } from '../model/ask-all.ts'
import { embedAll } from '../model/embed-all.ts'
import type { Embedder } from '../model/embedder.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import type { LateWindow } from './late-windows.ts'
import { unitRow } from './vector-length.ts'

/** What is embedded, of which children, and how the embedder is called. */
export interface PairedVectorsOptions extends WorkOptions {
  readonly embedder: Embedder
  readonly tree: Tree
  readonly windows: readonly LateWindow[]
  readonly textOf: (child: TreePiece) => string
}

/** The vectors of the windows' children by an embedder of their own, window by window; calls reach ahead as `embedAll`'s do. */
export async function* pairedVectors(options: PairedVectorsOptions): AsyncGenerator<readonly Float32Array[], undefined> {
  const { embedder, tree, windows, textOf } = options
  const children = windows.flatMap(({ first, after }) => tree.children.slice(first, after))
  const items = children.map((child) => ({ id: child.id, text: textOf(child) }))
  let vectors: Float32Array[] = []
  let window = 0
  for await (const { vector, error } of embedAll(embedder, items, options)) {
    if (error !== undefined) throw error
    vectors.push(embedder.identity.normalized ? vector : unitRow(vector, 0, vector.length))
    const { first, after } = windows[window] as LateWindow
    if (vectors.length < after - first) continue
    yield vectors
    vectors = []
    window++
  }
}
