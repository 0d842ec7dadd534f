import type { Tree } from '../tree/tree.ts'
import type { DocumentStructure } from './document-structure.ts'
import { pieceAt } from './piece-at.ts'

/** A heading that a cut left without what it heads. */
export interface OrphanHeading {
  /** The piece that it ends or is. */
  readonly piece: number
  readonly title: string
  /** Whether nothing else stands in its piece. */
  readonly alone: boolean
}

/** Headings whose text begins in another piece. One that heads nothing but further headings is no orphan. */
export function* orphanHeadings({ children, text }: Tree, { headed }: DocumentStructure): Generator<OrphanHeading, undefined> {
  for (const { heading, outline, body } of headed) {
    if (body.end <= body.start) continue
    const piece = pieceAt(children, heading.start)
    const child = children[piece]
    if (child === undefined || body.start < child.end) continue
    const before = text.slice(child.start + child.lead, heading.start)
    yield { piece, title: outline.at(-1) ?? '', alone: before.trim() === '' }
  }
}
