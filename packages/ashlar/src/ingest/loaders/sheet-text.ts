import type { RowRun, SheetPositions } from '../../text/position-map.ts'
import type { Sheet, SheetCell } from './xlsx-sheet.ts'

type Row = { readonly number: number; readonly cells: ReadonlyMap<number, SheetCell> }

/** A header names its columns in few words. */
const longestName = 60

/** A table with this many more columns than used cells is written without the empty ones around them. */
const mostColumns = 512

/**
 * Sheets as markdown: a heading with the name of each, then its blocks of rows as tables, and lone cells as paragraphs. Every row is one
 * line, so that the cell of any place can be found by reading it.
 */
export class SheetText {
  readonly #names: string[] = []
  readonly #starts: number[] = []
  readonly #runs: RowRun[] = []
  readonly #parts: string[] = []
  #length = 0

  get text(): string {
    return this.#parts.join('')
  }

  get length(): number {
    return this.#length
  }

  get positions(): SheetPositions {
    return { kind: 'sheets', names: this.#names, starts: this.#starts, runs: this.#runs }
  }

  add(sheet: Sheet): void {
    if (this.#length > 0) this.#write('\n')
    this.#names.push(sheet.name)
    this.#starts.push(this.#length)
    this.#write(`# ${inCell(sheet.name)}\n`)
    const rows = [...sheet.rows]
      .map(([number, cells]): Row => ({ number, cells }))
      .filter(({ cells }) => cells.size > 0)
      .sort((one, other) => one.number - other.number)
    for (const block of blocksOf(rows)) this.#block(block)
  }

  #write(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  /** A line for a row, and where it came from; rows that follow each other share a record. */
  #row(line: string, row: number, column: number): void {
    const last = this.#runs.at(-1)
    const sheet = this.#names.length - 1
    if (last !== undefined && this.#open && last.row + last.rows === row && last.column === column)
      this.#runs[this.#runs.length - 1] = { ...last, rows: last.rows + 1 }
    else this.#runs.push({ start: this.#length, sheet, row, rows: 1, column })
    this.#open = true
    this.#write(`${line}\n`)
  }

  /** Whether the next line follows the row before it without anything between them. */
  #open = false

  #gap(): void {
    this.#write('\n')
    this.#open = false
  }

  #block(rows: readonly Row[]): void {
    let from = 0
    // Titles and remarks over a table stand alone in their rows.
    while (from < rows.length && (rows[from] as Row).cells.size === 1 && (rows.length === 1 || widest(rows) > 1)) {
      const { number, cells } = rows[from] as Row
      const [column, cell] = [...cells][0] as [number, SheetCell]
      this.#gap()
      this.#row(inParagraph(cell.text), number, column)
      from++
    }
    const table = rows.slice(from)
    if (table.length === 0) return
    this.#gap()
    const columns = extent(table)
    const header = isHeader(table) ? 1 : 0
    if (header === 1) this.#row(line(table[0] as Row, columns), (table[0] as Row).number, columns.first)
    else this.#write(`|${'  |'.repeat(columns.last - columns.first + 1)}\n`)
    this.#write(`|${' --- |'.repeat(columns.last - columns.first + 1)}\n`)
    this.#open = false
    for (const row of table.slice(header)) this.#row(line(row, columns), row.number, columns.first)
  }
}

/** Rows that follow each other; a blank row begins another block where the table does not simply go on. */
function* blocksOf(rows: readonly Row[]): Generator<readonly Row[]> {
  let block: Row[] = []
  for (const row of rows) {
    const last = block.at(-1)
    if (last !== undefined && row.number > last.number + 1 && !goesOn(block, row)) {
      yield block
      block = []
    }
    block.push(row)
  }
  if (block.length > 0) yield block
}

/** Whether a row behind a blank one belongs to the table before it: as wide, and of the same kinds. */
function goesOn(block: readonly Row[], row: Row): boolean {
  const last = block.at(-1) as Row
  if (block.length < 3 || row.number > last.number + 3 || row.cells.size < 2) return false
  const columns = extent([last])
  const own = extent([row])
  const alike = [...row.cells].filter(([column, { isText }]) => last.cells.get(column)?.isText === isText).length
  return columns.first === own.first && columns.last === own.last && alike === row.cells.size
}

function widest(rows: readonly Row[]): number {
  return rows.reduce((most, { cells }) => Math.max(most, cells.size), 0)
}

function extent(rows: readonly Row[]): { readonly first: number; readonly last: number } {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const { cells } of rows) {
    for (const column of cells.keys()) {
      if (column < first) first = column
      if (column > last) last = column
    }
  }
  // A stray cell far out would make every row thousands of bars wide.
  return { first, last: Math.min(last, first + mostColumns - 1) }
}

/** Whether the first row names the columns: short texts all, each once, nearly one for each column, over something that is not the same. */
function isHeader(rows: readonly Row[]): boolean {
  const [first, second] = rows
  if (first === undefined || second === undefined) return false
  const names = [...first.cells.values()]
  const columns = extent(rows)
  const short = names.every(({ text }) => text.length <= longestName)
  const texts = names.filter(({ isText }) => isText).length
  // Years and numbers are names too, but not all of them.
  if (!short || texts < names.length * 0.5 || names.length < (columns.last - columns.first + 1) * 0.6) return false
  return (
    texts === names.length ||
    rows.slice(1, 20).some(({ cells }) => [...first.cells].some(([at, cell]) => cells.get(at)?.isText !== cell.isText))
  )
}

function line({ cells }: Row, { first, last }: { readonly first: number; readonly last: number }): string {
  let text = '|'
  for (let column = first; column <= last; column++) text += ` ${inCell(cells.get(column)?.text ?? '')} |`
  const beyond = [...cells].filter(([column]) => column > last)
  return beyond.length === 0 ? text : `${text} ${beyond.map(([, cell]) => inCell(cell.text)).join(' | ')} |`
}

/** Text of a cell within a row: one line, its bars escaped. */
export function inCell(text: string): string {
  const line = oneLine(text)
  let escaped = ''
  let from = 0
  for (let bar = line.indexOf('|'); bar >= 0; bar = line.indexOf('|', bar + 1)) {
    let slashes = bar
    while (slashes > from && line.charCodeAt(slashes - 1) === 0x5c) slashes--
    // What stands before a bar must not escape it, so that one slash more does.
    escaped += `${line.slice(from, bar)}${line.slice(slashes, bar)}\\|`
    from = bar + 1
  }
  return escaped + line.slice(from)
}

/** Text of a paragraph of one line, with nothing at its start that markdown would take for a mark. */
export function inParagraph(text: string): string {
  return oneLine(text).replace(/^(?=#{1,6}(?:\s|$)|>|`{3}|~{3}|\||(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$)/, '\\')
}

/** Text without line breaks: they and the spaces around them become one space. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, (gap) => (/[\r\n\u2028\u2029]/.test(gap) ? ' ' : gap))
}
