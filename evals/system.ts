import type { EvalDocument, EvalSet, Found } from './eval-set.ts'

/** A collection that was indexed and can be asked. */
export interface OpenSystem {
  /** The best stretches, the best first. With `fresh`, models are asked although their answers are kept: for measuring what it costs. */
  search(question: string, limit: number, options?: { readonly fresh?: boolean }): Promise<readonly Found[]>
  close(): Promise<void>
}

/** Something that finds: our library in some configuration, or somebody else's. */
export interface System extends AsyncDisposable {
  readonly name: string
  /** Everything that was chosen, for people and for the results. */
  readonly settings: string
  /** With `fresh`, nothing that was embedded before is used. */
  open(
    documents: readonly EvalDocument[],
    options: {
      readonly set: Pick<EvalSet, 'name' | 'documents' | 'scope'>
      readonly fresh: boolean
      readonly progress: (text: string) => void
    },
  ): Promise<OpenSystem>
  /** CPU milliseconds spent so far on embedding questions, which are not part of what a search costs. */
  embeddingTime(): number
}
