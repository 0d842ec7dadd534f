import type { TreePiece } from '../tree/tree.ts'

/** The index of the piece whose own part holds a place; -1 for one before all. */
export function pieceAt(pieces: readonly TreePiece[], offset: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    const { start, lead } = pieces[middle] as TreePiece
    if (start + lead <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
