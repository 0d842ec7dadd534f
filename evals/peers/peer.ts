import type { EvalDocument, Found } from '../eval-set.ts'

/** Gives texts their vectors, of length 1: the same model for every peer. */
export type Embed = (texts: readonly string[], as: 'document' | 'query') => Promise<readonly Float32Array[]>

/** Documents as a peer has taken them in, ready to be asked. */
export interface OpenPeer {
  /** What is found, the best first; at most so many. */
  search(question: string, limit: number): Promise<readonly Found[]>
  close(): Promise<void>
  /** How many chunks were made, and how many of their texts are not in the document as they stand. */
  readonly chunks: ChunkCounts
}

/** What became of a peer's chunks when their places were looked for. */
export interface ChunkCounts {
  readonly made: number
  /** Those whose text is in the document only with other white space. They are judged all the same. */
  readonly altered: number
  /** Those whose text is not in the document. They cannot be judged and are left out of what was found. */
  readonly lost: number
}

/** Another library that finds text, set up in one way. */
export interface Peer {
  readonly name: string
  readonly settings: string
  open(documents: readonly EvalDocument[], embed: Embed): Promise<OpenPeer>
  /** Ends what serves all that it opened, where there is something. */
  close?(): Promise<void>
}

/** How documents are cut, for any peer; sizes in the unit of the peer, which is characters for all but LlamaIndex.TS. */
export interface CutSettings {
  readonly size: number
  readonly overlap: number
  /** Whether each piece of a document (a turn, a message, a given chunk) is handed over as a document of its own. @default false */
  readonly pieces?: boolean
  /** Whether a document's title stands before the text of each of its chunks. @default false */
  readonly titles?: boolean
}

/** The settings in words, as results name them. */
export function describeCut({ size, overlap, pieces, titles }: CutSettings, unit = 'characters'): string {
  const parts = [`at most ${size} ${unit}`, `overlap ${overlap}`]
  if (pieces) parts.push('each piece of a set a document')
  if (titles) parts.push('titles before chunks')
  return parts.join(', ')
}

/** A question as words and blanks alone, for searches that take what stands between blanks for a word. */
export function withoutPunctuation(question: string): string {
  return question.replaceAll(/[^\p{L}\p{M}\p{N}\s]+/gu, ' ').trim()
}
