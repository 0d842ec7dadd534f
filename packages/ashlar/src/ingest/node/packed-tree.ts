import type { Span } from '../../text/span.ts'
import type { Tree, TreePiece } from '../../tree/tree.ts'

/** A tree as few large values: handing over a hundred thousand small objects takes longer than making them. */
export interface PackedTree extends Pick<Tree, 'document' | 'title' | 'format' | 'text'> {
  readonly sections: PackedLevel
  readonly parents: PackedLevel
  readonly children: PackedLevel
}

/** One level. Its pieces are slices, so that their texts need not travel. */
interface PackedLevel {
  /** Seven numbers a piece: start, end, lead, above, first, after, and which of the outlines it has. */
  readonly numbers: Int32Array<ArrayBuffer>
  /** All ids in one text, and how long each is. */
  readonly ids: string
  readonly idLength: number
  readonly outlines: readonly (readonly string[])[]
  /** Headers of tables, by the index of the piece. */
  readonly headers: readonly (readonly [piece: number, header: Span])[]
}

const width = 7

/** Packs a tree for another thread. */
export function packTree({ document, title, format, text, sections, parents, children }: Tree): PackedTree {
  return {
    document,
    title,
    format,
    text,
    sections: packLevel(sections),
    parents: packLevel(parents),
    children: packLevel(children),
  }
}

/** The tree that {@link packTree} packed. */
export function unpackTree({ document, title, format, text, sections, parents, children }: PackedTree): Tree {
  const level = (packed: PackedLevel): TreePiece[] => unpackLevel(packed, text)
  return { document, title, format, text, sections: level(sections), parents: level(parents), children: level(children) }
}

/** What can be handed over without a copy. */
export function buffersOf({ sections, parents, children }: PackedTree): ArrayBuffer[] {
  return [sections, parents, children].map(({ numbers }) => numbers.buffer)
}

function packLevel(pieces: readonly TreePiece[]): PackedLevel {
  const numbers = new Int32Array(pieces.length * width)
  const outlines: (readonly string[])[] = []
  const headers: (readonly [number, Span])[] = []
  let ids = ''
  for (const [index, { start, end, lead, above, first, after, outline, header, id }] of pieces.entries()) {
    // Pieces under the same headings follow one another and mostly share one array.
    if (outlines.at(-1) !== outline) outlines.push(outline)
    numbers.set([start, end, lead, above, first, after, outlines.length - 1], index * width)
    if (header !== undefined) headers.push([index, header])
    ids += id
  }
  return { numbers, ids, idLength: pieces[0]?.id.length ?? 0, outlines, headers }
}

function unpackLevel({ numbers, ids, idLength, outlines, headers }: PackedLevel, text: string): TreePiece[] {
  const pieces: TreePiece[] = []
  for (let at = 0, index = 0; at < numbers.length; at += width, index++) {
    const [start = 0, end = 0, lead = 0, above = 0, first = 0, after = 0, outline = 0] = numbers.subarray(at, at + width)
    pieces.push({
      start,
      end,
      text: text.slice(start, end),
      lead,
      index,
      outline: outlines[outline] as readonly string[],
      id: ids.slice(index * idLength, (index + 1) * idLength),
      above,
      first,
      after,
    })
  }
  for (const [index, header] of headers) pieces[index] = { ...(pieces[index] as TreePiece), header }
  return pieces
}
