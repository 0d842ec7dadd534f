import type { Usage } from '../model/usage.ts'
import type { Change, ChangeCounts, ChangeKind } from './change.ts'
import type { ItemFailure } from './ingest-receipt.ts'

/** What a run would do now, and what it would cost. Nothing was written and no model asked. */
export interface IngestPlan {
  readonly root: string
  readonly counts: ChangeCounts
  /** The first of each kind, as many as were asked for; `changesOf` gives all. */
  readonly examples: Readonly<Record<ChangeKind, readonly Change[]>>
  /** Bytes of items that are new, moved or changed. */
  readonly bytes: number
  /** What embedding comes to; undefined without an embedder or where it was not asked for. */
  readonly embedding: EmbeddingEstimate | undefined
  /** What enriching comes to; undefined where nothing is to be written or it was not asked for. */
  readonly enrichment: EnrichmentEstimate | undefined
  /** Both together, in the currency of the prices; undefined where a price is missing. */
  readonly cost: number | undefined
  /** The first thousand. */
  readonly failures: readonly ItemFailure[]
}

export interface EmbeddingEstimate {
  /** Children of what would be read. */
  readonly children: number
  /** Children to embed, and the windows they stand in; 0 without windows. */
  readonly toEmbed: number
  readonly windows: number
  /** Children whose vectors the store has, and whose vectors the journal has. */
  readonly stored: number
  readonly journaled: number
  readonly usage: Usage
  readonly cost: number | undefined
}

export interface EnrichmentEstimate {
  readonly children: number
  readonly calls: number
  readonly usage: Usage
  readonly cost: number | undefined
}
