import { type Format, type Seam, strength } from './seam.ts'

/** How a table in text form is read. Both are found out or have a default, so most files need neither. */
export interface CsvOptions {
  /** The sign between cells, one character. @default whichever of `,` `;` tab `|` divides the first rows most evenly */
  readonly delimiter?: string
  /** How many rows at the top name the columns: `true` is 1, `false` is 0. @default true */
  readonly header?: boolean | number
}

/** A cell ranks above the sentences inside it and below a line, so that a row that must be cut is cut between cells. */
const cellStrength: number = strength.sentence + 5

/** Rows up to this length get no seams between their cells: no sensible limit cuts them, and tiny rows stay cheap. */
const shortRow = 64

/** A cell from this length on holds running text and is cut at sentences. */
const longCell = 200

const sniffedUnits = 16_384
const sniffedRows = 20
const delimiters = ',;\t|'

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * CSV, TSV and their like as a format: rows are units, cut between cells only when one does not fit, and every piece of the
 * table says where its header stands.
 *
 * Quoting follows RFC 4180: quoted cells may hold delimiters, line breaks and doubled quotes. A quote that is never closed
 * counts as an ordinary sign, and from its row on lines are rows.
 */
export function csv(options: CsvOptions = {}): Format {
  const { delimiter, header = true } = options
  if (delimiter !== undefined && !/^[^"\r\n\ud800-\udfff]$/.test(delimiter)) {
    throw new RangeError(`delimiter must be one character and no quote or line break, not ${JSON.stringify(delimiter)}.`)
  }
  const headerRows = Number(header)
  if (!(headerRows >= 0)) throw new RangeError(`header must be true, false or a number of rows, not ${String(header)}.`)
  return { id: 'csv', seams: (text) => tableSeams(text, (delimiter ?? findDelimiter(text)).charCodeAt(0), headerRows) }
}

function* tableSeams(text: string, delimiter: number, headerRows: number): Generator<Seam, undefined> {
  const { length } = text
  // Shared by all rows: whether quotes still have a meaning.
  const state = { quoting: true }
  const begin = skipLineBreaks(text, text.charCodeAt(0) === 0xfeff ? 1 : 0)
  let at = begin
  let ends: number[] | undefined
  if (headerRows > 0 && at < length) {
    ends = []
    for (let next = at; ends.length < headerRows && next < length; next = skipLineBreaks(text, ends.at(-1) as number)) {
      ends.push(rowEnd(text, next, delimiter, state))
    }
    const header = { start: begin, end: ends.at(-1) as number }
    yield { at, strength: strength.block, kind: 'table', end: length, inside: 'words', header }
  }
  for (let row = 0; at < length; row++) {
    const end = ends !== undefined && row < ends.length ? (ends[row] as number) : rowEnd(text, at, delimiter, state)
    const force = row > 0 && row <= headerRows ? strength.glue : strength.item
    yield { at, strength: force, kind: 'row', end, inside: 'words' }
    if (end - at > shortRow) yield* cellSeams(text, at, end, delimiter, state.quoting)
    at = skipLineBreaks(text, end)
  }
}

/** The end of the row that starts at `at`, its line break not included. */
function rowEnd(text: string, at: number, delimiter: number, state: { quoting: boolean }): number {
  const { length } = text
  let index = at
  let cellStart = true
  while (index < length) {
    const code = text.charCodeAt(index)
    if (code === quote && cellStart && state.quoting) {
      cellStart = false
      const close = quoteEnd(text, index, length)
      if (close > 0) {
        index = close
        continue
      }
      // Reached once per text at most: afterwards no quote is followed any more, which keeps the reading linear.
      state.quoting = false
    } else if (code === lineFeed || code === carriageReturn) return index
    else if (code === delimiter) cellStart = true
    else if (code !== 0x20) cellStart = false
    index++
  }
  return length
}

/** The index after the quote that closes the one at `at`, or -1 when there is none before `limit`. */
function quoteEnd(text: string, at: number, limit: number): number {
  for (let index = at + 1; index < limit; index++) {
    if (text.charCodeAt(index) !== quote) continue
    if (text.charCodeAt(index + 1) !== quote) return index + 1
    index++
  }
  return -1
}

/** The cells of a row but its first, which begins where the row does, and the running text inside long ones. */
function* cellSeams(text: string, at: number, end: number, delimiter: number, quoting: boolean): Generator<Seam, undefined> {
  let cell = at
  let cellStart = true
  let index = at
  for (;;) {
    const code = index < end ? text.charCodeAt(index) : delimiter
    if (code === quote && cellStart && quoting) {
      cellStart = false
      const close = quoteEnd(text, index, end)
      if (close > 0) {
        index = close
        continue
      }
    }
    if (code === delimiter) {
      const long = index - cell >= longCell
      if (long || (cell > at && index > cell)) {
        yield { at: cell, strength: cellStrength, kind: 'cell', inside: long ? 'prose' : 'words' }
      }
      if (index >= end) return
      cell = index + 1
      // Spaces after a delimiter belong to the piece before, like all white space before a seam.
      while (cell < end && delimiter !== 0x20 && text.charCodeAt(cell) === 0x20) cell++
      cellStart = true
      index = cell
      continue
    }
    cellStart = false
    index++
  }
}

function skipLineBreaks(text: string, at: number): number {
  let index = at
  while (index < text.length && (text.charCodeAt(index) === lineFeed || text.charCodeAt(index) === carriageReturn)) index++
  return index
}

/** The delimiter that gives most of the first rows the same number of cells, more cells counting for more. */
function findDelimiter(text: string): string {
  const limit = Math.min(text.length, sniffedUnits)
  const counts = new Array<number>(delimiters.length).fill(0)
  const rows: number[][] = []
  let cellStart = true
  for (let index = 0; index <= limit && rows.length < sniffedRows; index++) {
    const code = index < limit ? text.charCodeAt(index) : lineFeed
    if (code === quote && cellStart) {
      const close = quoteEnd(text, index, limit)
      if (close < 0) break
      index = close - 1
      cellStart = false
    } else if (code === lineFeed || code === carriageReturn) {
      if (counts.some((count) => count > 0)) rows.push(counts.slice())
      counts.fill(0)
      cellStart = true
    } else {
      const which = delimiters.indexOf(text.charAt(index))
      if (which >= 0) counts[which] = (counts[which] as number) + 1
      cellStart = which >= 0 || (cellStart && code === 0x20)
    }
  }
  let best = 0
  let bestScore = 0
  for (let which = 0; which < delimiters.length; which++) {
    const first = rows[0]?.[which] ?? 0
    const alike = rows.filter((row) => row[which] === first).length
    const score = first === 0 ? 0 : alike * 1000 + Math.min(first, 999)
    if (score > bestScore) {
      bestScore = score
      best = which
    }
  }
  return delimiters.charAt(best)
}
