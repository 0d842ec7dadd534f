import type { AshlarErrorCode } from '../error/ashlar-error.ts'
import type { Usage } from '../model/usage.ts'
import type { ChangeCounts } from './change.ts'

/** Why one item is not stored as it is now. What was stored of it before is still there. */
export interface ItemFailure {
  readonly id: string
  readonly source?: string
  readonly code: AshlarErrorCode
  readonly message: string
  /** Whether the same may succeed at another time without anything being changed. */
  readonly retryable: boolean
}

/** Milliseconds that each stage was at work; stages overlap, so that they may sum up to more than the whole. */
export interface IngestTimes {
  readonly total: number
  /** Listing and comparing with the store, hashing included. */
  readonly list: number
  /** Reading, parsing and cutting. */
  readonly read: number
  readonly enrich: number
  readonly embed: number
  readonly store: number
}

/** What a run did. Everything that it counts as stored or removed is committed. */
export interface IngestReceipt {
  /** Undefined where documents were added directly. */
  readonly root: string | undefined
  /** By what was found; those that failed later are counted as `failed`. */
  readonly counts: ChangeCounts
  /** Documents that were written, and documents removed. */
  readonly written: number
  readonly removed: number
  /** Bytes of the items that were read. */
  readonly bytes: number
  readonly children: {
    /** Of all documents that were read. */
    readonly all: number
    /** Embedded in this run; the others' vectors were in the store or the journal. */
    readonly embedded: number
    readonly reused: number
  }
  /** Windows of token states embedded in this run. */
  readonly windows: number
  /** What the embedder and the generator counted, and its price; undefined without one. */
  readonly usage: Usage
  readonly money: number | undefined
  /** The first thousand, in the order they came; `counts.failed` has their number. */
  readonly failures: readonly ItemFailure[]
  readonly times: IngestTimes
}
