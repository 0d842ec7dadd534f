import type { Chunk } from '../chunk/chunk.ts'

/** A piece of a document at one level of its tree: an exact slice, with an id made of its content. */
export interface TreePiece extends Chunk {
  /** Stays the same when the document is edited elsewhere. */
  readonly id: string
  /** Index of the piece one level up that holds this one; 0 for every section. */
  readonly above: number
  /** Index of its first piece one level down, and of the one after its last; both 0 for children. */
  readonly first: number
  readonly after: number
}

/**
 * A document cut at three levels. The own parts of the pieces of one level follow one another without a gap, and each piece is made
 * of whole pieces of the level below. Children are what is embedded and matched; parents are what a model reads.
 */
export interface Tree {
  /** The document's id, part of every piece's id. */
  readonly document: string
  /** What the document is called; empty where nobody said. */
  readonly title: string
  /** The format it was cut by. */
  readonly format: string
  /** The whole source. */
  readonly text: string
  readonly sections: readonly TreePiece[]
  readonly parents: readonly TreePiece[]
  readonly children: readonly TreePiece[]
}
