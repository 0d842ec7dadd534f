import type { Ingest } from '../ingest/ingest.ts'
import type { Generator } from '../model/generator.ts'
import type { Reranker } from '../model/reranker.ts'
import type { Store } from '../store/store.ts'

/** What a library is made of. Everything but the store may be left out. */
export interface OpenOptions extends Omit<Ingest, 'store'> {
  /** Where everything is kept: `memoryStore`, `sqliteStore`, `postgresStore`, with `ingestFields` among its fields. Closed with the library. */
  readonly store: Store
  /** Reads the best hits of a search together with the question. @default none */
  readonly reranker?: Reranker
  /** Answers questions in `ask`. @default none: `ask` is given one */
  readonly generator?: Generator
  /**
   * Where feedback is kept: a store of a workspace of its own, opened with `feedbackFields`, or what opens one when it is first needed.
   * Closed with the library. @default none: `feedback` is refused
   */
  readonly feedback?: Store | (() => Promise<Store>)
  /** What belongs to the library and is closed with it, such as a journal or a pool of workers. @default nothing */
  readonly closes?: readonly AsyncDisposable[]
}
