import type { Tree } from 'ashlar/tree'

/** A child of a collection: which tree, and which of its children. */
export interface Place {
  readonly tree: number
  readonly child: number
}

export interface Question {
  readonly text: string
  /** How much of what the question needs is found by children in this order, from 0 to 1. */
  readonly judge: (ranked: readonly Place[]) => number
}

/** Documents that are searched together, and the questions asked of them. */
export interface Collection {
  readonly trees: readonly Tree[]
  readonly questions: readonly Question[]
}

/** An evaluation set in the form that the bench ranks. */
export interface RankingSet {
  readonly name: string
  /** What `judge` counts. */
  readonly measure: string
  readonly collections: readonly Collection[]
}
