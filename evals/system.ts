import type { EvalDocument, EvalSet, Found } from './eval-set.ts'

/** Vectors of texts, one each: the embedder that every system is given. What it once gave is kept. */
export type Embed = (texts: readonly string[], as: 'document' | 'query') => Promise<readonly Float32Array[]>

/** A collection that was indexed and can be asked. */
export interface OpenSystem {
  /** The best stretches, the best first. With `fresh`, models are asked although their answers are kept: for measuring what it costs. */
  search(question: string, limit: number, options?: { readonly fresh?: boolean }): Promise<readonly Found[]>
  close(): Promise<void>
}

/** Something that finds: our library in some configuration, or somebody else's. */
export interface System {
  readonly name: string
  /** Everything that was chosen, for people and for the results. */
  readonly settings: string
  /** With `fresh`, nothing that was embedded before is used. */
  open(
    documents: readonly EvalDocument[],
    options: {
      readonly set: Pick<EvalSet, 'name' | 'documents'>
      readonly fresh: boolean
      readonly progress: (text: string) => void
    },
  ): Promise<OpenSystem>
  /** CPU milliseconds that embedding questions took so far, for systems that embed. */
  embeddingTime(): number
  close(): Promise<void>
}
