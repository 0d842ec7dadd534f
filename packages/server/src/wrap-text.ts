import { graphemes } from 'ashlar'
import { characterWidth } from './text-width.ts'

interface Slice {
  readonly start: number
  readonly end: number
}

/**
 * Cuts a text into lines that fit into so many columns, at spaces where there are any. Lines are slices, so that what is known of places
 * in the text still holds. Several empty lines in a row become one.
 */
export function wrapText(text: string, columns: number): readonly Slice[] {
  const lines: Slice[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const trimmed = line.trimEnd()
    const previous = lines.at(-1)
    if (trimmed !== '') lines.push(...wrapLine(text, start, start + trimmed.length, Math.max(8, columns)))
    else if (previous !== undefined && previous.end > previous.start) lines.push({ start, end: start })
    start += line.length + 1
  }
  const last = lines.at(-1)
  if (last !== undefined && last.end === last.start) lines.pop()
  return lines
}

function* wrapLine(text: string, from: number, to: number, columns: number): Generator<Slice> {
  const line = text.slice(from, to)
  let start = 0
  let width = 0
  /** Where the last space ended, and the width up to there. */
  let space = 0
  let spaceWidth = 0
  for (const { start: at, end } of graphemes(line)) {
    const character = line.slice(at, end)
    const wide = characterWidth(character)
    if (width + wide > columns && character !== ' ') {
      const cut = space > start ? space : at
      yield { start: from + start, end: from + start + line.slice(start, cut).trimEnd().length }
      width = cut === space ? width - spaceWidth : 0
      start = cut
      space = start
      spaceWidth = 0
    }
    width += wide
    if (character === ' ') {
      space = end
      spaceWidth = width
    }
  }
  yield { start: from + start, end: to }
}
