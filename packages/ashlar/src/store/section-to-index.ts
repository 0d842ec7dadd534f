/** A new section whose children are to be indexed again. */
export interface SectionToIndex {
  readonly section: number
  readonly document: number
  readonly children: readonly ChildToIndex[]
}

export interface ChildToIndex {
  readonly key: number
  readonly parent: number
  readonly text: string
  /** What was generated for it, as JSON. */
  readonly note: string | undefined
  readonly pieces: readonly { readonly embedding: number; readonly ids: Uint32Array }[]
}
