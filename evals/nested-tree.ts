import type { Tree, TreePiece } from 'ashlar/tree'

/**
 * A tree of a text that is given in pieces: sections of parents of children. For conversations, whose turns are children, and for sets
 * that come with chunks of their own.
 */
export function nestedTree(document: string, format: string, nested: readonly (readonly (readonly string[])[])[]): Tree {
  const text = nested.flat(2).join('')
  const sections: TreePiece[] = []
  const parents: TreePiece[] = []
  const children: TreePiece[] = []
  let at = 0
  for (const section of nested) {
    const sectionStart = at
    const firstParent = parents.length
    for (const parent of section) {
      const parentStart = at
      const firstChild = children.length
      for (const child of parent) {
        const start = at
        at += child.length
        children.push(piece('child', children.length, start, parents.length, 0, 0))
      }
      parents.push(piece('parent', parents.length, parentStart, sections.length, firstChild, children.length))
    }
    sections.push(piece('section', sections.length, sectionStart, 0, firstParent, parents.length))
  }
  return { document, title: '', format, text, sections, parents, children }

  function piece(level: string, index: number, start: number, above: number, first: number, after: number): TreePiece {
    // Documents are put once into a store of their own: nothing asks more of an id here than to be the piece's alone.
    const id = `${document}/${level}/${index}`
    return { id, start, end: at, text: text.slice(start, at), lead: 0, index, outline: [], above, first, after }
  }
}

/** Items in runs as long as the size allows, an item over it by itself. */
export function inRuns<T>(items: readonly T[], size: number, lengthOf: (item: T) => number): T[][] {
  const runs: T[][] = []
  let length = 0
  for (const item of items) {
    const own = lengthOf(item)
    if (runs.length === 0 || length + own > size) {
      runs.push([])
      length = 0
    }
    runs.at(-1)!.push(item)
    length += own
  }
  return runs
}
