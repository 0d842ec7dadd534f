import type { EnrichOptions } from '../enrich/enrich.ts'
import type { Caller } from '../model/caller.ts'
import type { Embedder } from '../model/embedder.ts'
import type { Journal } from '../model/journal.ts'
import type { Price } from '../model/usage.ts'
import type { Store } from '../store/store.ts'
import type { TreeOptions } from '../tree/tree-options.ts'
import type { LateOptions } from '../vector/late-options.ts'
import type { Reader } from './reader.ts'

/** Everything that decides what becomes of a document: the same for plans, runs and documents that are added directly. */
export interface Ingest {
  /** Declare the fields of `ingestFields` when you open it, so that renames are recognised and a root is listed without the others. */
  readonly store: Store
  /** @default none: documents are found by their words alone */
  readonly embedder?: Embedder
  /** Sizes of the pieces. @default those of `buildTree` */
  readonly tree?: Omit<TreeOptions, 'document' | 'title' | 'format'>
  /** Reads bytes as text and cuts it. @default `readInProcess`: text, markdown and whatever else the loaders read, in this thread */
  readonly reader?: Reader
  /**
   * How windows of token states are made, where the embedder gives them or `tokensFrom` does; `false` embeds each child by itself.
   * @default windows where the embedder gives token states
   */
  readonly late?: Omit<LateOptions, 'embedder' | 'textOf'> | false
  /** Has a model write about each child before it is embedded. @default nothing is written */
  readonly enrich?: Omit<EnrichOptions, 'signal' | 'onEvent'>
  /** Where vectors wait until their document is stored. @default in memory, for one run */
  readonly journal?: Journal
  /** Whose limits and budget apply to embedding. @default one of its own */
  readonly caller?: Caller
  /** What the embedder's tokens cost. @default the caller's price */
  readonly price?: Price
}
