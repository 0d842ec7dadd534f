import type { DocxLabels } from './docx-labels.ts'
import type { DocxBlock, DocxParagraph, DocxTable } from './docx-reader.ts'
import { type DocxStyle, headingLevel, inherited } from './docx-styles.ts'
import { inCell, inParagraph, oneLine } from './sheet-text.ts'

/** Writes the blocks of a document as markdown, and keeps where each paragraph starts. */
export class DocxWriter {
  readonly #styles: ReadonlyMap<string, DocxStyle>
  readonly #labels: DocxLabels
  readonly #parts: string[] = []
  #length = 0
  #wasItem = false
  readonly starts: number[] = []
  /** The first heading of level 1. */
  title: string | undefined

  constructor(styles: ReadonlyMap<string, DocxStyle>, labels: DocxLabels) {
    this.#styles = styles
    this.#labels = labels
  }

  get text(): string {
    return this.#parts.join('')
  }

  block(block: DocxBlock): void {
    if (block.kind === 'table') this.#table(block)
    else this.#paragraph(block)
  }

  note(number: number, blocks: readonly DocxBlock[]): void {
    const paragraphs = blocks.flatMap((block) =>
      block.kind === 'paragraph' ? [block.text] : block.rows.flatMap((row) => row.flatMap(({ paragraphs }) => paragraphs)),
    )
    if (paragraphs.length === 0) return
    this.#gap(false)
    this.#start()
    this.#write(`[^${number}]: ${paragraphs.map(inParagraph).join(' ')}`)
  }

  #write(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  #start(): void {
    this.starts.push(this.#length)
  }

  #gap(item: boolean): void {
    if (this.#length > 0) this.#write(item && this.#wasItem ? '\n' : '\n\n')
    this.#wasItem = item
  }

  #paragraph({ text, style, outline, list }: DocxParagraph): void {
    const level = outline === undefined ? headingLevel(this.#styles, style) : outline < 9 ? Math.min(6, outline + 1) : undefined
    const inheritedList = inherited(this.#styles, style, (each) => each.list)
    const id = list?.id ?? inheritedList?.id
    const depth = Math.min(8, list?.level ?? inheritedList?.level ?? 0)
    const label = id === undefined || id === '0' ? undefined : this.#labels.next(id, depth)
    const clean = text.trim()
    if (level !== undefined) {
      this.#gap(false)
      this.#start()
      const heading = `${label === undefined || label === '-' ? '' : `${label} `}${oneLine(clean)}`
      if (level === 1) this.title ??= heading
      this.#write(`${'#'.repeat(level)} ${heading}`)
      return
    }
    this.#gap(label !== undefined)
    this.#start()
    if (label !== undefined) this.#write(`${'    '.repeat(depth)}${label} ${oneLine(clean)}`)
    else
      this.#write(
        clean
          .split('\n')
          .map(inParagraph)
          .filter((line) => line !== '')
          .join('\n'),
      )
  }

  #table({ rows }: DocxTable): void {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    // A frame around one piece of text is no table.
    if (width === 1) {
      for (const row of rows)
        for (const { paragraphs } of row) for (const text of paragraphs) this.#paragraph({ kind: 'paragraph', text })
      return
    }
    this.#gap(false)
    rows.forEach((row, index) => {
      if (index > 0) this.#write('\n')
      this.#write('|')
      for (let column = 0; column < width; column++) {
        for (const text of row[column]?.paragraphs ?? []) {
          this.#write(' ')
          this.#start()
          this.#write(inCell(text))
        }
        this.#write(' |')
      }
      if (index === 0) this.#write(`\n|${' --- |'.repeat(width)}`)
    })
  }
}
