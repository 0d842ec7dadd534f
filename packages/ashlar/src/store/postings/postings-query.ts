import type { LexicalScores, QueryTerm } from '../store.ts'

/** What is looked for in the postings. */
export interface PostingsQuery {
  readonly terms: readonly QueryTerm[]
  /** Most pieces of each level that nominate; those above children nominate all of theirs. */
  readonly limits: { readonly child: number; readonly parent: number; readonly section: number; readonly document: number }
  /** Children that were nominated elsewhere, by key: they are scored as well. @default none */
  readonly children?: readonly number[]
  /** Keys of the documents that may be found. Statistics stay those of the whole index. @default all */
  readonly documents?: readonly number[]
  /**
   * Of the children that only the terms nominated, how many are kept: those with the highest sum of the four scores, ties by key.
   * @default all
   */
  readonly most?: number
}

/** A child and its exact scores. */
export interface ScoredChild {
  readonly key: number
  readonly parent: number
  readonly section: number
  readonly document: number
  readonly lexical: LexicalScores
}

/** What was found: children by rising key. */
export interface PostingsResult {
  readonly children: readonly ScoredChild[]
  /** Live children, and how many of them hold each term of the query; terms that none holds are left out. */
  readonly count: number
  readonly frequencies: ReadonlyMap<string, number>
}
