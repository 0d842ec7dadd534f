import type { WorkEvent } from '../model/call-event.ts'
import type { ChangeKind } from './change.ts'
import type { ItemFailure } from './ingest-receipt.ts'

/** Where an ingest stands. */
export interface IngestProgress {
  /** Items listed so far with the bytes that are known of them, and whether these are all. */
  readonly found: { readonly items: number; readonly bytes: number; readonly all: boolean }
  /** Items that are dealt with: stored, unchanged, removed or failed; bytes of those that were listed. */
  readonly done: { readonly items: number; readonly bytes: number }
  /** Children embedded in this run, and vectors that were taken from the store or the journal. */
  readonly embedded: number
  readonly reused: number
  readonly failed: number
  /** Since the beginning, and what was dealt with in a second, over the last ten or so. */
  readonly milliseconds: number
  readonly itemsPerSecond: number
  readonly bytesPerSecond: number
  /** What is left takes about so long at this rate; undefined as long as not all items are found. */
  readonly secondsLeft: number | undefined
}

/** What happens during a plan or a run. A listener that throws disturbs nothing but itself. */
export type IngestEvent =
  /** An item was compared with the store. */
  | { readonly type: 'found'; readonly id: string; readonly change: ChangeKind; readonly from?: string }
  /** A document is committed; `changed` is false where the store had it all. */
  | {
      readonly type: 'stored'
      readonly id: string
      readonly change: ChangeKind
      readonly children: number
      readonly embedded: number
      readonly changed: boolean
      /** What the loader guessed or left out. */
      readonly notes: readonly string[]
    }
  | { readonly type: 'removed'; readonly id: string; readonly rows: number }
  | { readonly type: 'failed'; readonly failure: ItemFailure }
  /** About ten times a second while something moves, and once at the end. */
  | ({ readonly type: 'progress' } & IngestProgress)
  /** What happens while models are called. */
  | { readonly type: 'model'; readonly event: WorkEvent }
