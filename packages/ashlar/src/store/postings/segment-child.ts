import type { Analysis } from '../../text/analyse.ts'

/** A child as the lexical index sees it. */
export interface SegmentChild {
  readonly key: number
  readonly parent: number
  readonly section: number
  readonly document: number
  /** The terms of its own text, without what it repeats of the child before. */
  readonly own: Analysis
  /** The terms of what was generated for it. */
  readonly generated?: Analysis
  /** The distinct word pieces of its tokens, for each embedding that keeps token states. */
  readonly pieces?: readonly { readonly embedding: number; readonly ids: Uint32Array }[]
}
