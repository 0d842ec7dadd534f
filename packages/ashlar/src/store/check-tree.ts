import { AshlarError } from '../error/ashlar-error.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import { isStorable } from './storable-text.ts'

/** Code units of a piece's id. */
const longestId = 256

/**
 * Holds a tree against what a store relies on: text that engines can hold, levels that follow one another without a gap, pieces that are
 * slices and made of whole pieces of the level below, ids that differ within their level.
 *
 * @throws AshlarError `INVALID_DOCUMENT` that says what is wrong.
 */
export function checkTree(tree: Tree): void {
  const { document, title, format, text } = tree
  const invalid = (why: string): AshlarError =>
    new AshlarError('INVALID_DOCUMENT', `The tree of ${JSON.stringify(document.slice(0, 60))} cannot be stored: ${why}.`, {
      details: { document },
    })
  for (const [name, value] of Object.entries({ text, title, format })) {
    if (typeof value !== 'string') throw invalid(`its ${name} is not a text`)
    if (!isStorable(value)) {
      throw invalid(
        `its ${name} has a NUL or half of a surrogate pair, which engines cannot hold. Replace them before cutting, one for one: text.toWellFormed().replaceAll('\\0', '\\ufffd')`,
      )
    }
  }
  const problem =
    checkLevel(text, tree.children, 'child') ??
    checkLevel(text, tree.parents, 'parent', tree.children) ??
    checkLevel(text, tree.sections, 'section', tree.parents)
  if (problem !== undefined) throw invalid(problem)
}

function checkLevel(text: string, pieces: readonly TreePiece[], level: string, below?: readonly TreePiece[]): string | undefined {
  const ids = new Set<string>()
  let end = 0
  let after = 0
  for (const [index, piece] of pieces.entries()) {
    const name = `${level} ${index}`
    const start = piece.start + piece.lead
    if (piece.index !== index) return `${name} says that it is number ${piece.index}`
    if (!(Number.isInteger(piece.lead) && piece.lead >= 0 && piece.start >= 0 && start === end && piece.end > start))
      return `${name} does not begin where the one before ends`
    if (below !== undefined && piece.lead !== 0) return `${name} repeats what stands before it, which only children may`
    if (text.slice(piece.start, piece.end) !== piece.text) return `${name} is not a slice of the text`
    if (typeof piece.id !== 'string' || piece.id === '' || piece.id.length > longestId || !isStorable(piece.id))
      return `the id of ${name} is not a text of 1 to ${longestId} code units`
    if (ids.has(piece.id)) return `${name} has the id of another`
    ids.add(piece.id)
    if (!piece.outline.every((title) => typeof title === 'string' && isStorable(title)))
      return `the outline of ${name} is not made of texts`
    const { header } = piece
    if (
      header !== undefined &&
      !(
        Number.isInteger(header.start) &&
        Number.isInteger(header.end) &&
        header.start >= 0 &&
        header.end >= header.start &&
        header.end <= text.length
      )
    )
      return `the header of ${name} is not in the text`
    if (below !== undefined) {
      if (piece.first !== after || !(piece.after > piece.first) || piece.after > below.length)
        return `${name} does not hold the pieces that follow`
      if (below[piece.after - 1]?.end !== piece.end) return `${name} does not end where its last piece ends`
      for (let at = piece.first; at < piece.after; at++)
        if (below[at]?.above !== index) return `a piece of ${name} says that it belongs elsewhere`
      after = piece.after
    }
    end = piece.end
  }
  if (end !== text.length) return `its ${level} pieces end at ${end} of ${text.length}`
  return below !== undefined && after !== below.length ? `a piece below is in no ${level}` : undefined
}
