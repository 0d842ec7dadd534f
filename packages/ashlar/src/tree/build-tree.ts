import type { Chunk } from '../chunk/chunk.ts'
import { resolveChunkOptions } from '../chunk/chunk-options.ts'
import { type ContentIds, contentIds } from '../chunk/identify.ts'
import { pack } from '../chunk/pack.ts'
import { measureWith } from '../text/measure.ts'
import { anchoredFormat } from './anchored-format.ts'
import { group } from './group.ts'
import type { Tree, TreePiece } from './tree.ts'
import { resolveTreeOptions, type TreeOptions } from './tree-options.ts'

/**
 * Cuts a document into sections, parents and children: every piece an exact slice, every parent made of whole children, every
 * section of whole parents, nothing left out.
 *
 * A section of the document (a heading and what stands under it) begins a piece at every level; sections too short to stand alone
 * are joined. White space stays with the piece before it, so that the own parts of a level, one after the other, are the source.
 *
 * @example
 * const tree = buildTree('# Walls\n\nStone on stone.\n\n# Roofs\n\nSlate on wood.\n', { format: markdown, least: 0 })
 * console.log(tree.parents.map(({ text, outline }) => [outline.join(' > '), text]))
 * // => [
 * // =>   [ 'Walls', '# Walls\n\nStone on stone.\n\n' ],
 * // =>   [ 'Roofs', '# Roofs\n\nSlate on wood.\n' ]
 * // => ]
 */
export function buildTree(text: string, options: TreeOptions = {}): Tree {
  const resolved = resolveTreeOptions(options)
  const { format, child, least, counter, overlap } = resolved
  const strengths = [0]
  const chunkOptions = resolveChunkOptions({ size: child, overlap, counter, trim: false })
  const anchored = anchoredFormat(text, format, { counter, section: least, block: Math.ceil(child / 2) })
  const chunks = [...pack(text, anchored, chunkOptions, (cut) => strengths.push(anchored.strengthAt(cut.at, cut.strength)))]
  return groupTree(text, chunks, strengths, resolved)
}

/** The tree whose children these are; `strengths` says how strong the seam is that each begins at. */
export function groupTree(
  text: string,
  chunks: readonly Chunk[],
  strengths: readonly number[],
  { document, title, format, parent, section, least, counter }: Required<TreeOptions>,
): Tree {
  const starts = chunks.map(({ start, lead }) => start + lead)
  const parentFirsts = group(
    text,
    { starts, strengths },
    { size: parent, least: Math.max(least, half(parent)) },
    measureWith(counter, text),
  )
  const parentCuts = { starts: pick(starts, parentFirsts), strengths: pick(strengths, parentFirsts) }
  const sectionFirsts = group(text, parentCuts, { size: section, least: half(section) }, measureWith(counter, text))

  const parents = joined(text, chunks, parentFirsts)
  const sections = joined(text, parents, sectionFirsts)
  const idsOf = (level: string): ContentIds => contentIds({ document, level })
  const childIds = idsOf('child')
  const parentIds = idsOf('parent')
  const sectionIds = idsOf('section')
  const childHashes = chunks.map(({ text, lead }) => childIds.hash(lead === 0 ? text : text.slice(lead)))
  const parentHashes = hashGroups(parentIds, childHashes, parentFirsts)
  const sectionHashes = hashGroups(sectionIds, parentHashes, sectionFirsts)
  return {
    document,
    title,
    format: format.id,
    text,
    sections: place(sections, sectionHashes.map(sectionIds.next), { firsts: sectionFirsts, below: parents.length }),
    parents: place(parents, parentHashes.map(parentIds.next), {
      above: sectionFirsts,
      firsts: parentFirsts,
      below: chunks.length,
    }),
    children: place(chunks, childHashes.map(childIds.next), { above: parentFirsts }),
  }
}

/** A group's content is that of its pieces, so their hashes stand for their text: hashing it once is half of what ids cost. */
function hashGroups(ids: ContentIds, hashes: readonly string[], firsts: readonly number[]): string[] {
  return firsts.map((first, index) => ids.hash(hashes.slice(first, firsts[index + 1]).join('')))
}

function half(size: number): number {
  return Math.floor(size / 2)
}

function pick(values: readonly number[], indices: readonly number[]): number[] {
  return indices.map((index) => values[index] as number)
}

/** The groups of a level as pieces of their own. They repeat nothing, also where their first piece does. */
function joined(text: string, pieces: readonly Chunk[], firsts: readonly number[]): Chunk[] {
  return firsts.map((first, index) => {
    const after = firsts[index + 1] ?? pieces.length
    const opening = pieces[first] as Chunk
    const start = opening.start + opening.lead
    const { end } = pieces[after - 1] as Chunk
    const outline = commonOutline(pieces, first, after)
    const header = opening.header === undefined ? {} : { header: opening.header }
    return { start, end, text: text.slice(start, end), lead: 0, index, outline, ...header }
  })
}

/** The headings that all pieces from `first` to before `after` stand under. */
function commonOutline(pieces: readonly Chunk[], first: number, after: number): readonly string[] {
  let outline = (pieces[first] as Chunk).outline
  for (let index = first + 1; index < after && outline.length > 0; index++) {
    const other = (pieces[index] as Chunk).outline
    if (other === outline) continue
    let depth = 0
    while (depth < outline.length && outline[depth] === other[depth]) depth++
    if (depth < outline.length) outline = outline.slice(0, depth)
  }
  return outline
}

/** Where a level stands between the others: the first piece of each group above, its own groups' first pieces and the number below. */
interface Surroundings {
  readonly above?: readonly number[]
  readonly firsts?: readonly number[]
  readonly below?: number
}

/** Gives the pieces of a level their ids and their places between the levels above and below. */
function place(pieces: readonly Chunk[], ids: readonly string[], { above, firsts, below = 0 }: Surroundings): TreePiece[] {
  let group = 0
  return pieces.map(({ start, end, text, lead, outline, header }, index) => {
    if (above !== undefined && above[group + 1] === index) group++
    const first = firsts?.[index] ?? 0
    const after = firsts === undefined ? 0 : (firsts[index + 1] ?? below)
    const placed = { start, end, text, lead, index, outline, id: ids[index] as string, above: group, first, after }
    return header === undefined ? placed : { ...placed, header }
  })
}
