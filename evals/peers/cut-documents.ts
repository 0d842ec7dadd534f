import { placeChunks } from '../../bench/laws/place-chunks.ts'
import type { EvalDocument, Found } from '../eval-set.ts'
import type { ChunkCounts, CutSettings } from './peer.ts'

/** A text that is handed to a peer: a document, or a piece of one. */
export interface PeerInput {
  readonly document: string
  readonly text: string
  /** Where the text begins in its document. */
  readonly offset: number
  readonly format: EvalDocument['format']
  /** What stands before each chunk of it: empty unless titles are asked for. */
  readonly header: string
}

/** A chunk of a peer: what is to be indexed, and where it stands. */
export interface PlacedText {
  readonly text: string
  readonly found: Found
}

/** The texts that a peer is given for the documents of a set. */
export function inputsOf(
  documents: readonly EvalDocument[],
  { pieces: asPieces = false, titles = false }: Pick<CutSettings, 'pieces' | 'titles'>,
): PeerInput[] {
  return documents.flatMap(({ id, text, format, title, pieces }) => {
    const spans = asPieces && pieces !== undefined ? pieces : [{ start: 0, end: text.length }]
    const header = titles && title !== undefined ? `${title}\n\n` : ''
    return spans.map(({ start, end }) => ({ document: id, text: text.slice(start, end), offset: start, format, header }))
  })
}

/** Counts what became of the chunks of one peer while it places them. */
export class ChunkPlacer {
  #made = 0
  #altered = 0
  #lost = 0

  get counts(): ChunkCounts {
    return { made: this.#made, altered: this.#altered, lost: this.#lost }
  }

  /** Where each of the chunks of an input stands in the document; undefined for a text that is not there. */
  place(input: PeerInput, chunks: readonly { readonly text: string; readonly start?: number }[]): (Found | undefined)[] {
    const found: (Found | undefined)[] = chunks.map(() => undefined)
    const placed = placeChunks(input.text, chunks)
    for (const { index, start, end, text } of placed) {
      found[index] = { document: input.document, start: input.offset + start, end: input.offset + end }
      if (text !== chunks[index]!.text) this.#altered++
    }
    this.#made += chunks.length
    this.#lost += chunks.length - placed.length
    return found
  }
}

/** Cuts documents with a peer's splitter; chunks that cannot be placed are left out. */
export async function cutDocuments(
  documents: readonly EvalDocument[],
  settings: CutSettings,
  split: (input: PeerInput) => Promise<readonly { readonly text: string; readonly start?: number }[]>,
): Promise<{ readonly chunks: readonly PlacedText[]; readonly counts: ChunkCounts }> {
  const placer = new ChunkPlacer()
  const chunks: PlacedText[] = []
  for (const input of inputsOf(documents, settings)) {
    if (input.text.trim() === '') continue
    const pieces = await split(input)
    for (const [at, found] of placer.place(input, pieces).entries()) {
      if (found !== undefined) chunks.push({ text: input.header + pieces[at]!.text, found })
    }
  }
  return { chunks, counts: placer.counts }
}
