import type { ThreadModel } from '../../model/embedder.ts'
import type { StoreScope } from '../../store/store.ts'
import type { Ingest } from '../ingest.ts'
import type { IngestEvent } from '../ingest-event.ts'
import type { IngestReceipt } from '../ingest-receipt.ts'
import type { MayRemove } from '../run-ingest.ts'
import type { ThreadSource } from '../source.ts'
import type { PlainFailure } from './plain-failure.ts'

/** Everything that decides what becomes of a document, as data: what a thread that ingests is started with. */
export interface ThreadIngest extends Pick<Ingest, 'tree' | 'price'> {
  /** The SQLite file of the store, and that of the journal. */
  readonly path: string
  readonly journal: string
  readonly scope: StoreScope
  readonly late?: Omit<NonNullable<Exclude<Ingest['late'], false>>, 'tokensFrom' | 'codec'> | false
  readonly model?: ThreadModel
}

/** What a thread that ingests is asked; runs are known by their numbers. */
export type IngestRequest =
  | {
      readonly run: number
      readonly source: ThreadSource
      /** `ask` where somebody decides when it is known how much would go. */
      readonly remove: boolean | 'ask'
      readonly claim: boolean
      /** Whether anybody wants to hear of events. */
      readonly isHeard: boolean
    }
  | { readonly abort: number }
  /** What was decided about removals of a run. */
  | { readonly decided: number; readonly mayRemove: boolean }
  /** No more runs will be asked for: the thread ends. */
  | 'close'

/** What it says. */
export type IngestAnswer = { readonly run: number } & (
  | { readonly event: IngestEvent }
  /** How many documents would be removed, and of how many. */
  | { readonly asks: Parameters<MayRemove> }
  | { readonly receipt: IngestReceipt }
  | { readonly failure: PlainFailure }
)
