import { AshlarError } from '../error/ashlar-error.ts'
import type { Embedder } from '../model/embedder.ts'
import { addUsage, noUsage, type Usage } from '../model/usage.ts'
import type { LateWindow } from './late-windows.ts'
import { unitRow } from './vector-length.ts'

/** The vectors of a window's children, and what was consumed to have them: nothing where they came with an earlier window's. */
interface PairedVectors {
  readonly vectors: readonly Float32Array[]
  readonly usage: Usage
}

/**
 * Vectors of children by an embedder of their own, asked for window by window in rising order.
 *
 * Calls are as large as the embedder allows, so they fetch the children of the windows that follow too.
 */
export function pairedVectors(
  windows: readonly LateWindow[],
  embedder: Embedder,
  textOf: (child: number) => string,
  signal: AbortSignal | undefined,
): (window: number) => Promise<PairedVectors> {
  const fetched = new Map<number, Float32Array>()

  async function fetchFrom(window: number): Promise<Usage> {
    const wanted: number[] = []
    for (const { first, after } of windows.slice(window)) {
      if (wanted.length > 0 && wanted.length + after - first > embedder.maxBatch) break
      for (let child = first; child < after; child++) wanted.push(child)
    }
    let usage = noUsage
    for (let from = 0; from < wanted.length; from += embedder.maxBatch) {
      const children = wanted.slice(from, from + embedder.maxBatch)
      const embedded = await embedder.embed(children.map(textOf), { as: 'document', ...(signal === undefined ? {} : { signal }) })
      if (embedded.vectors.length !== children.length) {
        throw new AshlarError(
          'INVALID_RESPONSE',
          `${embedder.identity.model} gave ${embedded.vectors.length} vectors for ${children.length} texts.`,
          { details: { model: embedder.identity.model, vectors: embedded.vectors.length, texts: children.length } },
        )
      }
      for (const [at, vector] of embedded.vectors.entries()) fetched.set(children[at] as number, vector)
      usage = addUsage(usage, embedded.usage)
    }
    return usage
  }

  return async (window) => {
    const { first, after } = windows[window] as LateWindow
    const usage = fetched.has(first) ? noUsage : await fetchFrom(window)
    const vectors: Float32Array[] = []
    for (let child = first; child < after; child++) {
      const vector = fetched.get(child) as Float32Array
      fetched.delete(child)
      vectors.push(embedder.identity.normalized ? vector : unitRow(vector, 0, vector.length))
    }
    return { vectors, usage }
  }
}
