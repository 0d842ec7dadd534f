import type { Tree } from 'ashlar/tree'

/** Where something was found: a child of a document. */
export interface Found {
  readonly document: string
  readonly start: number
  readonly end: number
}

/** A question of a set. */
export interface EvalQuestion {
  readonly text: string
  /** Whether it belongs to the half that nothing was set on. */
  readonly test: boolean
  /** How much of what it needs is found by children in this order, from 0 to 1: one number for each of the set's measures. */
  readonly judge: (ranked: readonly Found[]) => readonly number[]
}

/** Documents that are searched together, and the questions asked of them. */
export interface EvalCollection {
  readonly trees: readonly Tree[]
  readonly questions: readonly EvalQuestion[]
}

/** A public evaluation set, ready to be searched. */
export interface EvalSet {
  readonly name: string
  /** What each number of a judge counts. */
  readonly measures: readonly string[]
  /** Hits that judging needs; more would not change its numbers. */
  readonly depth: number
  /** Whether the words of whole documents count. */
  readonly documents: boolean
  readonly collections: readonly EvalCollection[]
  /** How the set was cut, and which of its questions are asked. */
  readonly note: string
}
