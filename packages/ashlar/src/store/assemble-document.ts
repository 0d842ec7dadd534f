import type { TreePiece } from '../tree/tree.ts'
import type { DocumentRow, NoteRow, ParentRow } from './engine.ts'
import { readFingerprints } from './fingerprints.ts'
import { readLayout } from './layout.ts'
import { readChildren } from './parent-children.ts'
import type { ChildNote, DocumentRecord } from './store.ts'
import { summaryOf } from './summary-of.ts'

/** A document as it was put, from its rows. */
export function assembleDocument(
  row: DocumentRow,
  rows: ReadonlyMap<number, ParentRow>,
  notes: ReadonlyMap<number, NoteRow>,
): DocumentRecord {
  const layout = readLayout(row.layout)
  const fingerprints = readFingerprints(row.fingerprints)
  const own = layout.parents.map(({ key }) => rows.get(key) as ParentRow)
  const text = own.map((parent) => parent.text).join('')
  const children: TreePiece[] = []
  const parents: TreePiece[] = []
  const sections: TreePiece[] = []
  const childNotes: ChildNote[] = []
  let end = 0
  for (const [index, { length, outline, header }] of layout.parents.entries()) {
    const start = end
    const first = children.length
    for (const { key, id, lead, length: own } of readChildren(
      (rows.get((layout.parents[index] as { key: number }).key) as ParentRow).children,
    )) {
      const at = children.length
      const span = { start: end - lead, end: end + own }
      end += own
      const header = layout.headers[at]
      const place = { lead, index: at, outline: layout.outlines[at] as readonly string[], id, above: index, first: 0, after: 0 }
      children.push({ ...span, text: text.slice(span.start, span.end), ...place, ...(header === undefined ? {} : { header }) })
      const note = notes.get(key)
      if (note !== undefined) childNotes.push({ child: id, ...(JSON.parse(note.note) as Omit<ChildNote, 'child'>) })
    }
    const { id } = fingerprints.parents[index] as { id: string }
    const place = { lead: 0, index, outline, id, above: 0, first, after: children.length }
    parents.push({
      start,
      end: start + length,
      text: text.slice(start, start + length),
      ...place,
      ...(header === undefined ? {} : { header }),
    })
  }
  let first = 0
  for (const [index, { parents: count, outline, header }] of layout.sections.entries()) {
    const after = first + count
    for (let at = first; at < after; at++) parents[at] = { ...(parents[at] as TreePiece), above: index }
    const { start } = parents[first] as TreePiece
    const { end: last } = parents[after - 1] as TreePiece
    const place = { lead: 0, index, outline, id: fingerprints.sections[index] as string, above: 0, first, after }
    sections.push({ start, end: last, text: text.slice(start, last), ...place, ...(header === undefined ? {} : { header }) })
    first = after
  }
  const tree = { document: row.id, title: row.title, format: row.format, text, sections, parents, children }
  return { ...summaryOf(row), tree, notes: childNotes }
}
