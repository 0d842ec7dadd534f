import type { LineColumn } from './line-map.ts'
import type { LinePlace, NotebookPart, Place } from './place.ts'
import { columnName } from './place.ts'

/** Page `index + 1` starts at `starts[index]` of the text; a page without text starts where the one after it does. */
export interface PagePositions {
  readonly kind: 'pages'
  readonly starts: readonly number[]
}

/** Rows of a sheet that follow each other, one a line of the text, as `| a | b |` with `\|` for a bar inside a cell. */
export interface RowRun {
  /** Where the first of the rows starts in the text. */
  readonly start: number
  /** Index of the sheet in `names`. */
  readonly sheet: number
  /** Number of the first row in the sheet, from 1. */
  readonly row: number
  /** How many rows. */
  readonly rows: number
  /** The sheet's column of the first cell of each row, from 1. */
  readonly column: number
}

/** Where the rows of a workbook's sheets stand in the text; the cells of a row are found by reading it. */
export interface SheetPositions {
  readonly kind: 'sheets'
  readonly names: readonly string[]
  /** Where the section of each sheet starts. */
  readonly starts: readonly number[]
  readonly runs: readonly RowRun[]
}

/** Where the source or the output of a notebook's cell stands in the text, line for line. */
export interface NotebookStretch {
  readonly start: number
  /** From 1. */
  readonly cell: number
  readonly part: NotebookPart
}

export interface NotebookPositions {
  readonly kind: 'notebook'
  readonly stretches: readonly NotebookStretch[]
}

/** Paragraph `index + 1` starts at `starts[index]`; the text is markdown, so its headings are read from there. */
export interface ParagraphPositions {
  readonly kind: 'paragraphs'
  readonly starts: readonly number[]
}

/**
 * The way back from the text that a loader made to the file that it read, as plain data with rising starts. A text that is the file
 * itself has none: its lines are the file's.
 */
export type PositionMap = PagePositions | SheetPositions | NotebookPositions | ParagraphPositions

/**
 * Where an offset of a loaded text stands in the original file. Lines are counted in the text when asked for and never stored.
 *
 * @param map What the loader gave; without it the text is the file.
 * @example
 * console.log(placeOf(undefined, 'one\ntwo', 5)) // => { kind: 'line', line: 2, column: 2 }
 * console.log(placeOf({ kind: 'pages', starts: [0, 4] }, 'one two', 5)) // => { kind: 'page', page: 2 }
 */
export function placeOf(map: PositionMap | undefined, text: string, offset: number): Place {
  const at = Math.min(Math.max(offset, 0), text.length)
  switch (map?.kind) {
    case undefined: {
      const { lines, start } = countLines(text, 0, at)
      return { kind: 'line', line: lines + 1, column: at - start + 1 }
    }
    case 'pages':
      return { kind: 'page', page: Math.max(lastAtOrBefore(map.starts, at), 0) + 1 }
    case 'paragraphs': {
      const index = Math.max(lastAtOrBefore(map.starts, at), 0)
      return { kind: 'paragraph', paragraph: index + 1, headings: headingsAbove(text, map.starts[index] ?? 0) }
    }
    case 'sheets':
      return cellAt(map, text, at)
    case 'notebook': {
      const { stretches } = map
      const index = lastBy(stretches.length, (each) => (stretches[each] as NotebookStretch).start <= at)
      // Before the first stretch stands at most the fence that opens it.
      const { start, cell, part } = stretches[Math.max(index, 0)] ?? { start: 0, cell: 1, part: 'raw' }
      return { kind: 'notebook', cell, part, line: countLines(text, start, at).lines + 1 }
    }
  }
}

/** Line and column of an offset of a text that itself begins at a line and column. */
export function lineWithin(begins: LineColumn, text: string, offset: number): LinePlace {
  const { lines, start } = countLines(text, 0, offset)
  return { kind: 'line', line: begins.line + lines, column: lines === 0 ? begins.column + offset : offset - start + 1 }
}

/** Index of the last of `count` for which `holds`, which must hold for a first part of them only; -1 for none. */
function lastBy(count: number, holds: (index: number) => boolean): number {
  let low = -1
  let high = count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function lastAtOrBefore(starts: readonly number[], at: number): number {
  return lastBy(starts.length, (index) => (starts[index] as number) <= at)
}

/** How many lines end from `from` to before `to`, and where the last line starts. LF, CR and CRLF each end one. */
function countLines(text: string, from: number, to: number): { readonly lines: number; readonly start: number } {
  let lines = 0
  let start = from
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x0a && code !== 0x0d) continue
    if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) {
      // Between the two the line has not ended.
      if (at + 1 >= to) break
      at++
    }
    lines++
    start = at + 1
  }
  return { lines, start }
}

/** The markdown headings that stand over a place, outermost first; a heading is not over itself. */
function headingsAbove(text: string, before: number): string[] {
  const headings: string[] = []
  let level = /^#{1,6}(?= )/.exec(text.slice(before, before + 7))?.[0].length ?? 7
  for (let at = before; at > 0 && level > 1; ) {
    // Not found gives 0, the first line of the text, which may be a heading too.
    const start = at < 2 ? 0 : text.lastIndexOf('\n#', at - 2) + 1
    const end = text.indexOf('\n', start)
    const found = /^(#{1,6}) +(.+?)\s*$/.exec(text.slice(start, end < 0 ? undefined : end))
    if (found !== null && (found[1] as string).length < level) {
      level = (found[1] as string).length
      headings.unshift(found[2] as string)
    }
    at = start
  }
  return headings
}

function cellAt(map: SheetPositions, text: string, at: number): Place {
  const section = Math.max(lastAtOrBefore(map.starts, at), 0)
  const sheet = map.names[section] ?? ''
  const runs = map.runs
  const index = lastBy(runs.length, (each) => (runs[each] as RowRun).start <= at)
  const run = runs[index]
  if (run !== undefined && run.sheet === section) {
    const { lines, start } = countLines(text, run.start, at)
    if (lines < run.rows) return place(sheet, run.row + lines, run.column + cellsBefore(text, start, at))
  }
  // A heading line, the rule under a header, a blank line: the row that follows, else the one before.
  const next = runs[index + 1]
  if (next !== undefined && next.sheet === section) return place(sheet, next.row, next.column)
  if (run !== undefined && run.sheet === section) return place(sheet, run.row + run.rows - 1, run.column)
  return place(sheet, 1, 1)
}

function place(sheet: string, row: number, column: number): Place {
  return { kind: 'cell', sheet, cell: `${columnName(column)}${row}`, row, column }
}

/** How many cells of a row end before a place in it. */
function cellsBefore(text: string, start: number, at: number): number {
  let bars = 0
  let last = start
  for (let index = start; index < at; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5c) index++
    else if (code === 0x7c) {
      bars++
      last = index
    }
  }
  if (bars === 0) return 0
  // Behind the bar that closes the row is still its last cell.
  const end = text.indexOf('\n', at)
  const closing = text.slice(last + 1, end < 0 ? undefined : end).trim() === ''
  return closing ? Math.max(bars - 2, 0) : bars - 1
}
