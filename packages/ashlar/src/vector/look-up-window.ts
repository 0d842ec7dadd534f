import type { Embedder, TokenPlaces, TokenTable } from '../model/embedder.ts'
import { noUsage, type Usage } from '../model/usage.ts'
import type { Span } from '../text/span.ts'
import type { ReadWindow } from './read-window.ts'

/** All tokens of a window whose states stand in a table: nothing is copied out of it. */
export interface LookedUpWindow extends TokenPlaces {
  readonly dimensions: number
  readonly table: TokenTable
  /** The model's own vector of the window, for a child without any token. */
  readonly vector: () => Promise<Float32Array>
  readonly text: string
  readonly usage: Usage
}

/** A window read by looking its tokens up; undefined where the embedder has no such table, or the window takes several passes. */
export function lookUpWindow(text: string, passes: readonly Span[], embedder: Embedder): LookedUpWindow | undefined {
  const { tokenTable } = embedder
  if (tokenTable?.encode === undefined || passes.length !== 1) return undefined
  const places = tokenTable.encode(text)
  return {
    ...places,
    dimensions: tokenTable.dimensions,
    table: tokenTable,
    vector: async () => (await embedder.embed([text], { as: 'document' })).vectors[0] as Float32Array,
    text,
    usage: { ...noUsage, inputTokens: places.count },
  }
}

export function isLookedUp(window: ReadWindow | LookedUpWindow): window is LookedUpWindow {
  return 'table' in window
}
