import { XmlReader } from '../xml-reader.ts'

/** A paragraph as it stands in the file. */
export interface DocxParagraph {
  readonly kind: 'paragraph'
  text: string
  style?: string
  outline?: number
  list?: { id?: string; level?: number }
}

/** A table by rows and cells; a cell that continues one above or beside it is empty. */
export interface DocxTable {
  readonly kind: 'table'
  readonly rows: DocxCell[][]
}

/** The paragraphs of a cell, those of tables inside it among them. */
interface DocxCell {
  readonly paragraphs: string[]
}

/** What stands in the body of a document, or in a note. */
export type DocxBlock = DocxParagraph | DocxTable

/** Parts that are not shown: deleted text, old properties, what stands in for a newer element, comments. */
const hidden = new Set([
  'del',
  'moveFrom',
  'Fallback',
  'pPrChange',
  'rPrChange',
  'tblPrChange',
  'trPrChange',
  'tcPrChange',
  'sectPr',
  'instrText',
  'delText',
  'delInstrText',
  'rt',
])

interface OpenTable {
  readonly table: DocxTable
  row: DocxCell[]
  cell: DocxCell
}

/** Signs that fonts of symbols show for their letters, where it matters: check boxes and arrows stay, bullets go. */
const symbols: Readonly<Record<string, string>> = { F0B7: '•', F0A7: '▪', F0E0: '→', F0FC: '✓', F0FE: '☑', F0A8: '☐', F06F: '☐' }

/**
 * Reads WordprocessingML: blocks of a body in order, or those of each note by its id. It goes through the file once and does not recurse.
 */
export class DocxReader {
  readonly blocks: DocxBlock[] = []
  /** Blocks by the id of the foot- or endnote they belong to. */
  readonly notes: Map<string, DocxBlock[]> = new Map()
  /** Ids of the notes that are referred to, in order: `f1` for a footnote, `e1` for an endnote. */
  readonly references: string[] = []
  images = 0
  /** Units of text so far, for limits. */
  length = 0
  #target: DocxBlock[] = this.blocks
  readonly #paragraphs: DocxParagraph[] = []
  /** The table that is open; what tables inside its cells say becomes part of those cells. */
  #table: OpenTable | undefined
  /** How many tables are open, one in the other. */
  #depth = 0
  #raised: DocxParagraph[] = []

  read(xml: string, onBlock: () => void): this {
    const reader = new XmlReader(xml)
    for (let event = reader.next(); event !== undefined; event = reader.next()) {
      if (event === 'open') {
        if (hidden.has(reader.name)) reader.skip()
        else this.#open(reader)
      } else if (event === 'close') {
        this.#close(reader.name)
        if (reader.name === 'p') onBlock()
      }
    }
    // What a cut-off file has left open.
    while (this.#paragraphs.length > 0) this.#close('p')
    while (this.#depth > 0) this.#close('tbl')
    return this
  }

  #open(reader: XmlReader): void {
    const paragraph = this.#paragraphs.at(-1)
    switch (reader.name) {
      case 'p':
        this.#paragraphs.push({ kind: 'paragraph', text: '' })
        return
      case 't':
        this.#add(reader.contents())
        return
      case 'tab':
        // The same name is a tab stop among the properties, which has a place.
        if (reader.attribute('pos') === undefined) this.#add('\t')
        return
      case 'br':
      case 'cr':
        this.#add(reader.attribute('type') === 'page' ? ' ' : '\n')
        return
      case 'noBreakHyphen':
        this.#add('\u2011')
        return
      case 'sym': {
        const code = (reader.attribute('char') ?? '').toUpperCase()
        const value = Number.parseInt(code, 16)
        this.#add(symbols[code] ?? (value > 0x20 && value < 0xe000 ? String.fromCharCode(value) : ''))
        return
      }
      case 'pStyle':
        if (paragraph !== undefined) paragraph.style = reader.attribute('val') ?? ''
        return
      case 'outlineLvl':
        if (paragraph !== undefined) paragraph.outline = Number(reader.attribute('val'))
        return
      case 'ilvl':
        if (paragraph !== undefined) paragraph.list = { ...paragraph.list, level: Number(reader.attribute('val')) }
        return
      case 'numId':
        if (paragraph !== undefined) paragraph.list = { ...paragraph.list, id: reader.attribute('val') ?? '' }
        return
      case 'footnoteReference':
      case 'endnoteReference':
        this.#reference(`${reader.name === 'footnoteReference' ? 'f' : 'e'}${reader.attribute('id') ?? ''}`)
        return
      case 'footnote':
      case 'endnote':
        this.#note(reader)
        return
      case 'blip':
      case 'imagedata':
        this.images++
        return
      case 'tbl':
        if (this.#depth++ === 0) this.#table = { table: { kind: 'table', rows: [] }, row: [], cell: { paragraphs: [] } }
        return
      case 'tr':
        if (this.#table !== undefined && this.#depth === 1) this.#table.row = []
        return
      case 'tc':
        if (this.#table !== undefined && this.#depth === 1) {
          this.#table.cell = { paragraphs: [] }
          this.#table.row.push(this.#table.cell)
        }
        return
      case 'gridSpan': {
        const columns = this.#depth === 1 ? Math.min(64, Number(reader.attribute('val') ?? 1)) : 1
        for (let column = 1; column < columns; column++) this.#table?.row.push({ paragraphs: [] })
        return
      }
      default:
        this.#openFormula(reader)
    }
  }

  /** Formulas are written on one line: a/b, x^2, x_1, √(x). */
  #openFormula(reader: XmlReader): void {
    switch (reader.name) {
      case 'den':
        this.#add('/')
        return
      case 'sup':
        this.#add('^')
        return
      case 'sub':
        this.#add('_')
        return
      case 'rad':
        this.#add('√')
        return
      case 'd':
        this.#add('(')
        return
      case 'chr':
        this.#add(reader.attribute('val') ?? '')
    }
  }

  #close(name: string): void {
    switch (name) {
      case 'p': {
        const paragraph = this.#paragraphs.pop()
        if (paragraph === undefined) return
        // A text box stands inside a paragraph; its own follow that one.
        if (this.#paragraphs.length > 0) this.#raised.push(paragraph)
        else {
          this.#put(paragraph)
          for (const each of this.#raised) this.#put(each)
          this.#raised = []
        }
        return
      }
      case 'tr':
        if (this.#depth === 1) this.#endRow()
        return
      case 'tbl':
        if (this.#depth === 0 || --this.#depth > 0) return
        this.#endRow()
        if (this.#table !== undefined && this.#table.table.rows.length > 0) this.#target.push(this.#table.table)
        this.#table = undefined
        return
      case 'd':
        this.#add(')')
        return
      case 'footnote':
      case 'endnote':
        this.#target = this.blocks
    }
  }

  #put(paragraph: DocxParagraph): void {
    if (paragraph.text.trim() === '') return
    if (this.#table !== undefined) this.#table.cell.paragraphs.push(paragraph.text)
    else this.#target.push(paragraph)
  }

  #endRow(): void {
    if (this.#table === undefined) return
    if (this.#table.row.length > 0) this.#table.table.rows.push(this.#table.row)
    this.#table.row = []
  }

  #add(text: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (paragraph === undefined) return
    paragraph.text += text
    this.length += text.length
  }

  #reference(id: string): void {
    this.references.push(id)
    this.#add(`[^${this.references.length}]`)
  }

  #note(reader: XmlReader): void {
    const type = reader.attribute('type') ?? 'normal'
    const id = `${reader.name === 'footnote' ? 'f' : 'e'}${reader.attribute('id') ?? ''}`
    // Separators are notes too.
    this.#target = []
    if (type === 'normal') this.notes.set(id, this.#target)
  }
}
