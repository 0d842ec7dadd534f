import type { EvalDocument, Found } from './eval-set.ts'

/** A document of texts that are pieces of their own, one after the other. */
export function documentOfPieces(texts: readonly string[]): Required<Pick<EvalDocument, 'text' | 'pieces'>> {
  let start = 0
  const pieces = texts.map((text) => {
    const piece = { start, end: start + text.length }
    start = piece.end
    return piece
  })
  return { text: texts.join(''), pieces }
}

/** The name of a piece: its document and its place there. */
export function pieceName(document: string, index: number): string {
  return `${document}#${index}`
}

/**
 * What makes of found stretches the set's own pieces, in their order and each once. A stretch brings a piece when half of the piece lies in
 * it or half of the stretch in the piece: so a large chunk uses up places with everything that it brings.
 */
export function rankPieces(documents: readonly EvalDocument[]): (found: readonly Found[]) => string[] {
  const byDocument = new Map(documents.map(({ id, pieces = [] }) => [id, pieces]))
  return (found) => {
    const ranked = new Set<string>()
    for (const { document, start, end } of found) {
      const pieces = byDocument.get(document) ?? []
      for (let at = firstBeyond(pieces, start); at < pieces.length && pieces[at]!.start < end; at++) {
        const piece = pieces[at]!
        const shared = Math.min(end, piece.end) - Math.max(start, piece.start)
        if (2 * shared >= Math.min(piece.end - piece.start, end - start)) ranked.add(pieceName(document, at))
      }
    }
    return [...ranked]
  }
}

/** The first piece that ends beyond a place. */
function firstBeyond(pieces: readonly { readonly end: number }[], place: number): number {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle]!.end > place) high = middle
    else low = middle + 1
  }
  return low
}

/** The documents of what was found, in order and each once. */
export function rankDocuments(found: readonly Found[]): string[] {
  return [...new Set(found.map(({ document }) => document))]
}
