import { contentIds } from '../chunk/identify.ts'
import type { Tree, TreePiece } from './tree.ts'
import { treePresets } from './tree-options.ts'

/** The format of a tree whose pieces were cut elsewhere: each is read and matched as it is. */
export const standardFormat = 'standard'

/**
 * A tree of chunks that exist already: each stays as it is, one child that is the whole of its parent. Stores call such a child
 * `standard`, and a search gives it back itself.
 *
 * The text of the document is the chunks, one after the other, with nothing between them. What one chunk repeats of another is in it
 * twice, since nobody says that it is the same. Neighbours form sections of up to 2,400 characters.
 *
 * @example
 * const tree = standardTree(['Stone on stone.', 'Slate on wood.'], { document: 'wall' })
 * console.log(tree.children.map(({ start, end, text }) => [start, end, text]))
 * // => [ [ 0, 15, 'Stone on stone.' ], [ 15, 29, 'Slate on wood.' ] ]
 */
export function standardTree(
  chunks: readonly string[],
  { document = '', title = '' }: { readonly document?: string; readonly title?: string } = {},
): Tree {
  const texts = chunks.filter((text) => text !== '')
  const ids = { child: contentIds({ document, level: 'child' }), parent: contentIds({ document, level: 'parent' }) }
  const sectionIds = contentIds({ document, level: 'section' })
  const children: TreePiece[] = []
  const parents: TreePiece[] = []
  const groups: { start: number; end: number; first: number; hashes: string[] }[] = []
  let at = 0
  for (const [index, text] of texts.entries()) {
    const span = { start: at, end: at + text.length, text, lead: 0, index, outline: [] }
    at = span.end
    const hash = ids.child.hash(text)
    const parentHash = ids.parent.hash(hash)
    let group = groups.at(-1)
    // Only what stands before decides, so that a chunk added at the end moves no section before it.
    if (group === undefined || at - group.start > treePresets.precise.section) {
      group = { start: span.start, end: at, first: index, hashes: [] }
      groups.push(group)
    }
    group.end = at
    group.hashes.push(parentHash)
    children.push({ ...span, id: ids.child.next(hash), above: index, first: 0, after: 0 })
    parents.push({ ...span, id: ids.parent.next(parentHash), above: groups.length - 1, first: index, after: index + 1 })
  }
  const text = texts.join('')
  const sections = groups.map(({ start, end, first, hashes }, index): TreePiece => {
    const id = sectionIds.next(sectionIds.hash(hashes.join('')))
    const after = groups[index + 1]?.first ?? texts.length
    return { start, end, text: text.slice(start, end), lead: 0, index, outline: [], id, above: 0, first, after }
  })
  return { document, title, format: standardFormat, text, sections, parents, children }
}
