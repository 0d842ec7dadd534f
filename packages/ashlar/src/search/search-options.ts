import type { WorkOptions } from '../model/ask-all.ts'
import type { Filter } from '../store/filter.ts'
import type { LateOptions } from '../vector/late-options.ts'
import type { NominationLimits } from './configuration.ts'

/** What the vectors in the store were made with: the options that `embedLate` was given, or an embedder alone. */
export type SearchEmbedding = LateOptions & Omit<WorkOptions, 'signal'>

/** How a store is searched. */
export interface SearchOptions {
  /**
   * What embeds the query. Several while a store moves from one embedder to another: the one is used that the store's searches use at
   * that moment. @default none: only words are searched
   */
  readonly embedding?: SearchEmbedding | readonly SearchEmbedding[]
  /** Only children of documents that satisfy this. @default all */
  readonly where?: Filter
  /**
   * Whether the words of whole documents count too. That helps where a document is about one thing, such as a file of source code.
   * @default false
   */
  readonly documents?: boolean
  /** Most hits. @default 10 */
  readonly limit?: number
  /** Changes how many pieces are nominated by each leg and scored in full. @default nominationLimits */
  readonly nominate?: Partial<NominationLimits>
  readonly signal?: AbortSignal
}
