import type { Analysis, NumberedAnalysis } from '../../text/analyse.ts'

/** A child as the lexical index sees it. Where terms have numbers of one list of names, a segment is built without hashing any. */
export interface SegmentChild<Terms extends Analysis | NumberedAnalysis = Analysis> {
  readonly key: number
  readonly parent: number
  readonly section: number
  readonly document: number
  /** The terms of its own text, without what it repeats of the child before. */
  readonly own: Terms
  /** The terms of what was generated for it. */
  readonly generated?: Terms
  /** The distinct word pieces of its tokens, for each embedding that keeps token states. */
  readonly pieces?: readonly { readonly embedding: number; readonly ids: Uint32Array }[]
}
