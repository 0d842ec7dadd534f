import type { EmbeddingState } from '../store/store.ts'
import type { Feedback } from './feedback.ts'

/** How much there is, and how searches went. */
export interface LibraryStats {
  readonly workspace: string
  readonly engine: string
  readonly documents: number
  readonly pieces: number
  /** Code units of all texts. */
  readonly characters: number
  readonly embeddings: readonly EmbeddingState[]
  /** Searches through this handle since it was opened. */
  readonly searches: SearchStats
  /** By verdict; undefined where the library was opened without a store for feedback. */
  readonly feedback: Readonly<Record<Feedback['verdict'], number>> | undefined
}

export interface SearchStats {
  readonly count: number
  /** Those that found nothing about the question. */
  readonly empty: number
  /** Those that had to do without the embedder or the reranker. */
  readonly degraded: number
  readonly failed: number
  /** Of the last thousand; 0 where there were none. */
  readonly medianMilliseconds: number
  readonly p95Milliseconds: number
}
