/** A line of a text file; the column counts UTF-16 code units. Both start at 1, as {@link LineMap} counts. */
export interface LinePlace {
  readonly kind: 'line'
  readonly line: number
  readonly column: number
}

/** A page of a paged file, from 1 in the order of the file, whatever is printed on it. */
export interface PagePlace {
  readonly kind: 'page'
  readonly page: number
}

/** A cell of a spreadsheet: `{ sheet: 'Budget', cell: 'B7', row: 7 }`. */
export interface CellPlace {
  readonly kind: 'cell'
  readonly sheet: string
  readonly cell: string
  /** From 1. */
  readonly row: number
  /** From 1; `A` is 1. */
  readonly column: number
}

/** A line of a cell of a notebook. Cells and lines start at 1. */
export interface NotebookPlace {
  readonly kind: 'notebook'
  readonly cell: number
  readonly part: NotebookPart
  /** The line in the cell's source, or in the text of its outputs. */
  readonly line: number
}

/** What of a notebook's cell it is. */
export type NotebookPart = 'code' | 'markdown' | 'raw' | 'output'

/** A paragraph of a word processor's file, where pages are made only when it is laid out. */
export interface ParagraphPlace {
  readonly kind: 'paragraph'
  /** From 1; list items, headings and the paragraphs in table cells count, empty ones do not. */
  readonly paragraph: number
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
}

/** Where something stands in an original file, for people and for programs that open it there. */
export type Place = LinePlace | PagePlace | CellPlace | NotebookPlace | ParagraphPlace

/** The letters of a spreadsheet's column: 1 is `A`, 28 is `AB`. */
export function columnName(column: number): string {
  let name = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/**
 * A place in words, or the stretch from one place to another: `page 3`, `pages 3-4`, `lines 12-20`, `Budget!B7:D9`, `cell 4, line 2`.
 *
 * @example
 * console.log(citePlace({ kind: 'page', page: 3 }, { kind: 'page', page: 4 })) // => pages 3-4
 * console.log(citePlace({ kind: 'cell', sheet: 'Budget 2026', cell: 'B7', row: 7, column: 2 })) // => 'Budget 2026'!B7
 */
export function citePlace(place: Place, to: Place = place): string {
  switch (place.kind) {
    case 'line':
      return counted('line', place.line, to.kind === 'line' ? to.line : place.line)
    case 'page':
      return counted('page', place.page, to.kind === 'page' ? to.page : place.page)
    case 'paragraph':
      return counted('paragraph', place.paragraph, to.kind === 'paragraph' ? to.paragraph : place.paragraph)
    case 'cell': {
      const start = `${sheetName(place.sheet)}!${place.cell}`
      if (to.kind !== 'cell' || (to.sheet === place.sheet && to.cell === place.cell)) return start
      if (to.sheet !== place.sheet) return `${start} to ${sheetName(to.sheet)}!${to.cell}`
      // Text runs row by row, so a stretch over several rows may end left of where it starts.
      const columns = [Math.min(place.column, to.column), Math.max(place.column, to.column)] as const
      return `${sheetName(place.sheet)}!${columnName(columns[0])}${place.row}:${columnName(columns[1])}${to.row}`
    }
    case 'notebook': {
      if (to.kind !== 'notebook' || (to.cell === place.cell && to.part === place.part)) {
        const last = to.kind === 'notebook' ? to.line : place.line
        return `${notebookCell(place)}, ${counted('line', place.line, last)}`
      }
      if (to.cell === place.cell) return `cell ${place.cell}`
      return `cells ${place.cell}-${to.cell}`
    }
  }
}

function notebookCell(place: NotebookPlace): string {
  return place.part === 'output' ? `output of cell ${place.cell}` : `cell ${place.cell}`
}

function counted(name: string, from: number, to: number): string {
  return to > from ? `${name}s ${from}-${to}` : `${name} ${from}`
}

/** As spreadsheets write it: quoted unless it is plain letters and digits. */
function sheetName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`
}
