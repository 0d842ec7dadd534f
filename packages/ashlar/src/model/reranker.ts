import type { Usage } from './usage.ts'

/** What a score depends on besides query and text. */
export interface RerankerIdentity {
  /** Provider and model: `cohere/rerank-v3.5`, `local/ms-marco-MiniLM-L-12-v2`. */
  readonly model: string
  readonly options: Readonly<Record<string, unknown>>
  /** What the scores are: `logit` is any number, `probability` lies between 0 and 1. */
  readonly scale: 'logit' | 'probability'
  /** Most tokens of query and text together, the model's special tokens not counted; undefined where it is not known. */
  readonly maxTokens: number | undefined
}

/** What {@link Reranker.rerank} gives: one score a text, in the order of the texts; higher is more relevant. */
export interface Reranked {
  readonly scores: readonly number[]
  readonly usage: Usage
}

/** Judges how well each text answers a query. It never truncates: a pair that is too long is refused with `TEXT_TOO_LONG`. */
export interface Reranker {
  readonly identity: RerankerIdentity
  /** Most texts one call may carry. */
  readonly maxBatch: number
  rerank(query: string, texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<Reranked>
}
