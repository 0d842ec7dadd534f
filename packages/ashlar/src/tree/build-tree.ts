import type { Chunk } from '../chunk/chunk.ts'
import { resolveChunkOptions } from '../chunk/chunk-options.ts'
import { contentIds } from '../chunk/identify.ts'
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
  const { document, title, format, child, parent, section, least, counter, overlap } = resolveTreeOptions(options)
  const strengths = [0]
  const chunkOptions = resolveChunkOptions({ size: child, overlap, counter, trim: false })
  const anchored = anchoredFormat(text, format, { counter, section: least, block: Math.ceil(child / 2) })
  const chunks = [...pack(text, anchored, chunkOptions, (cut) => strengths.push(anchored.strengthAt(cut.at, cut.strength)))]
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
  const above = aboveOf(parentFirsts, chunks.length)
  return {
    document,
    title,
    format: format.id,
    text,
    sections: place(
      joined(text, parents, sectionFirsts),
      { document, level: 'section' },
      undefined,
      sectionFirsts,
      parents.length,
    ),
    parents: place(parents, { document, level: 'parent' }, aboveOf(sectionFirsts, parents.length), parentFirsts, chunks.length),
    children: place(chunks, { document, level: 'child' }, above, undefined, 0),
  }
}

function half(size: number): number {
  return Math.floor(size / 2)
}

function pick(values: readonly number[], indices: readonly number[]): number[] {
  return indices.map((index) => values[index] as number)
}

/** For each piece of a level, the index of the group it belongs to. */
function aboveOf(firsts: readonly number[], count: number): number[] {
  const above: number[] = []
  for (let index = 0, at = -1; index < count; index++) {
    if (firsts[at + 1] === index) at++
    above.push(at)
  }
  return above
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

/** Gives the pieces of a level their ids and their places between the levels above and below. */
function place(
  pieces: readonly Chunk[],
  scope: { readonly document: string; readonly level: string },
  above: readonly number[] | undefined,
  firsts: readonly number[] | undefined,
  below: number,
): TreePiece[] {
  const idOf = contentIds(scope)
  return pieces.map((piece, index) => {
    const { start, end, text, lead, outline, header } = piece
    const first = firsts?.[index] ?? 0
    const after = firsts === undefined ? 0 : (firsts[index + 1] ?? below)
    const placed = { start, end, text, lead, index, outline, id: idOf(piece), above: above?.[index] ?? 0, first, after }
    return header === undefined ? placed : { ...placed, header }
  })
}
