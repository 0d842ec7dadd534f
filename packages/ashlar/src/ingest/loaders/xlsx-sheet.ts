import { tooLargeFile } from '../load-failure.ts'
import type { LoadOptions } from '../loader.ts'
import { XmlReader } from '../xml-reader.ts'
import { builtInFormat, formatNumber } from './number-format.ts'

/** A cell as it is shown. */
export interface SheetCell {
  readonly text: string
  /** Whether it is text and not a number, a date or a truth value: names of columns are. */
  readonly isText: boolean
}

/** A sheet with its cells by row and column, both from 1; rows and columns without anything are not there. */
export interface Sheet {
  readonly name: string
  readonly hidden: boolean
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, SheetCell>>
}

/** What all sheets of a workbook share. */
export interface Workbook {
  readonly name: string
  readonly strings: readonly string[]
  /** Format code of each cell style. */
  readonly formats: readonly string[]
  readonly from1904: boolean
  /** Cells that may still be read. */
  cells: number
}

const mostRows = 1_048_576
const mostColumns = 16_384

/** The texts that cells share, in order. */
export function sharedStrings(xml: string): readonly string[] {
  const reader = new XmlReader(xml)
  const strings: string[] = []
  let text: string | undefined
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event === 'open') {
      if (reader.name === 'si') text = ''
      // How to pronounce it, in small letters above.
      else if (reader.name === 'rPh') reader.skip()
      else if (reader.name === 't' && text !== undefined) text += reader.contents()
    } else if (event === 'close' && reader.name === 'si' && text !== undefined) {
      strings.push(text)
      text = undefined
    }
  }
  return strings
}

/** The format code of each cell style, in order. */
export function cellFormats(xml: string): readonly string[] {
  const reader = new XmlReader(xml)
  const codes = new Map<number, string>()
  const formats: string[] = []
  let inCells = false
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event === 'open' && reader.name === 'numFmt')
      codes.set(Number(reader.attribute('numFmtId')), reader.attribute('formatCode') ?? '')
    else if (reader.name === 'cellXfs') inCells = event === 'open'
    else if (event === 'open' && inCells && reader.name === 'xf') {
      const id = Number(reader.attribute('numFmtId') ?? 0)
      formats.push(codes.get(id) ?? builtInFormat(id))
    }
  }
  return formats
}

/** Reads the cells of a sheet. A value that is merged over several rows is there in each of them. */
export function readSheet(name: string, hidden: boolean, xml: string, workbook: Workbook, options: LoadOptions): Sheet {
  const reader = new XmlReader(xml)
  const rows = new Map<number, Map<number, SheetCell>>()
  const merges: string[] = []
  let row = 0
  let column = 0
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event !== 'open') continue
    if (reader.name === 'row') {
      row = Number(reader.attribute('r') ?? row + 1)
      column = 0
      if ((row & 1023) === 0) options.signal?.throwIfAborted()
    } else if (reader.name === 'c') {
      const place = /^([A-Z]{1,3})(\d{1,7})$/.exec(reader.attribute('r') ?? '')
      column = place === null ? column + 1 : columnNumber(place[1] as string)
      const at = place === null ? row : Number(place[2])
      const cell = readCell(reader, workbook)
      if (cell === undefined || !(at >= 1 && at <= mostRows) || column > mostColumns) continue
      if (--workbook.cells < 0) throw tooLargeFile(workbook.name, 'cells', options.limits.cells)
      const cells = rows.get(at) ?? new Map<number, SheetCell>()
      rows.set(at, cells.set(column, cell))
    } else if (reader.name === 'mergeCell') merges.push(reader.attribute('ref') ?? '')
  }
  spreadMerges(merges, rows, workbook, options)
  return { name, hidden, rows }
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

function readCell(reader: XmlReader, workbook: Workbook): SheetCell | undefined {
  const type = reader.attribute('t') ?? 'n'
  const style = Number(reader.attribute('s') ?? 0)
  let value = ''
  let inline = ''
  for (let depth = 1; depth > 0; ) {
    const event = reader.next()
    if (event === undefined) break
    if (event === 'close') depth--
    else if (event === 'open') {
      if (reader.name === 'v') value = reader.contents()
      else if (reader.name === 't') inline += reader.contents()
      // A formula is not what is shown, its value is.
      else if (reader.name === 'f' || reader.name === 'rPh') reader.skip()
      else depth++
    }
  }
  const text = cellText(type, value, inline, workbook.formats[style] ?? 'General', workbook)
  return text.trim() === '' ? undefined : { text, isText: type === 's' || type === 'str' || type === 'inlineStr' }
}

function cellText(type: string, value: string, inline: string, format: string, workbook: Workbook): string {
  switch (type) {
    case 's':
      return workbook.strings[Number(value)] ?? ''
    case 'inlineStr':
      return inline
    case 'str':
    case 'e':
      return value
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'd':
      return value.replace('T', ' ').replace(/ 00:00(?::00)?(?:\.0+)?Z?$/, '')
    default: {
      const number = Number(value)
      return value.trim() === '' || Number.isNaN(number) ? value : formatNumber(number, format, workbook.from1904)
    }
  }
}

/** Cells that are looked at for the sake of merges, in one sheet. */
const mostMerged = 4_000_000

/** Only where there is a row to belong to: a merge may reach down to the end of the sheet. */
function spreadMerges(
  merges: readonly string[],
  rows: ReadonlyMap<number, Map<number, SheetCell>>,
  workbook: Workbook,
  options: LoadOptions,
): void {
  let steps = mostMerged
  for (const merge of merges) {
    const found = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(merge)
    if (found === null) continue
    const column = columnNumber(found[1] as string)
    const first = Number(found[2])
    const cell = rows.get(first)?.get(column)
    if (cell === undefined) continue
    for (let row = first + 1; row <= Math.min(Number(found[4]), mostRows); row++) {
      if (--steps < 0) return
      const cells = rows.get(row)
      if (cells === undefined || cells.has(column)) continue
      if (--workbook.cells < 0) throw tooLargeFile(workbook.name, 'cells', options.limits.cells)
      cells.set(column, cell)
    }
  }
}
