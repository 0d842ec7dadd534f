import type { MarkdownBlock, MarkdownKind } from './markdown-block.ts'
import { definitionEnd } from './markdown-definition.ts'
import { frontMatterEnd } from './markdown-front-matter.ts'
import { htmlEnds, htmlKind } from './markdown-html.ts'
import {
  atxLevel,
  atxTitle,
  closesFence,
  fenceSize,
  footnoteEnd,
  isBlank,
  skipBlanks,
  TAB,
  thematicBreakEnd,
  underlineLevel,
} from './markdown-leaf.ts'
import { delimiterCells, headerCells } from './markdown-table.ts'

/** How many quotes, items and footnotes are followed into each other; what lies deeper is text of the deepest. */
export const deepestNesting = 100

/**
 * A block longer than this is given out before its end is known, with the end that it has so far: a text that is one list
 * or one table is then read in bounded memory. Only a limit above this length could take such a block for one that fits.
 */
export const longestHeldBack = 2 ** 20

/** Titles are cut here: they are repeated beside every chunk below them, and one heading may be a whole text. */
const longestTitle = 1000

/** A quote, a footnote, or a list together with its latest item: something that asks each further line whether it belongs. */
interface Container {
  readonly kind: 'quote' | 'list' | 'footnote'
  readonly block: MarkdownBlock
  /** The latest item of a list. */
  item: MarkdownBlock | undefined
  /** The bullet of a list, or the sign behind its numbers; 0 for the others. */
  readonly marker: number
  /** By how many columns a line must be indented to belong. */
  indent: number
  /** An item may begin with one blank line, not with two: 1 behind the first, 2 behind the second, else 0. */
  blank: 0 | 1 | 2
}

/** What a code unit at the start of a line may begin: 1 a container, 2 a leaf other than a paragraph, 3 either. */
const roles = new Uint8Array(128)
for (const sign of '>[+0123456789') roles[sign.charCodeAt(0)] = 1
for (const sign of '#_<=`~$|:') roles[sign.charCodeAt(0)] = 2
for (const sign of '-*') roles[sign.charCodeAt(0)] = 3

/**
 * Opens a text for reading its markdown blocks: each call gives the next top-level block with all that it holds (or a
 * part of a very long one, see `longestHeldBack`), in the order the blocks begin; undefined when there are no more.
 *
 * This is CommonMark's own algorithm for block structure, line by line, without inlines: a line first asks the open
 * containers whether it belongs to them, then opens new ones, then continues the open leaf or begins another.
 */
export function scanMarkdown(text: string): () => MarkdownBlock[] | undefined {
  const scan = new MarkdownScan(text)
  return () => scan.next()
}

class MarkdownScan {
  readonly #text: string
  /** Blocks of the top-level block being read, and those of the one before it when that has just been completed. */
  #blocks: MarkdownBlock[] = []
  #done: MarkdownBlock[] | undefined

  /** The line: its start, its end without the line break, the start of the next one. */
  #line = 0
  #to = 0
  #next = 0
  /** The next line feed and carriage return at or behind `#line`, so that neither is looked for twice. */
  #feed = -1
  #return = -1

  /** The cursor: columns used up by containers, the first thing that is no space behind them, and the column of that. */
  #column = 0
  #first = 0
  #firstColumn = 0

  readonly #containers: Container[] = []
  /** How many of them are quotes. */
  #quotes = 0
  /** Behind the last line that belonged to the innermost container. */
  #lastEnd = 0

  #leaf: MarkdownBlock | undefined
  /** Of an open fence or formula: its sign and how many opened it. Of an open HTML block: its kind. */
  #sign = 0
  #size = 0
  /** Of an open paragraph: its latest line, which becomes a table's header when a delimiter row follows. */
  #lastLine = 0
  #lastFrom = 0
  #lastTo = 0
  #lastIndented = false
  /** The lines of a paragraph that begins with a bracket, since it may turn out to begin with definitions. */
  #lines: { at: number[]; from: number[]; to: number[] } | undefined

  /** Of a list marker just read: its sign and where it ends. */
  #marker = 0
  #markerEnd = 0
  /** A run of bullets is looked through once, not once for each list that it opens: no break of this sign up to here. */
  #noBreakSign = 0
  #noBreakTo = 0

  constructor(text: string) {
    this.#text = text
  }

  next(): MarkdownBlock[] | undefined {
    if (this.#next === 0) this.#begin()
    while (this.#next < this.#text.length) {
      this.#readLine()
      this.#scanLine()
      const done = this.#done
      if (done !== undefined) {
        this.#done = undefined
        return done
      }
    }
    this.#closeTo(0)
    const rest = this.#blocks
    this.#blocks = []
    return rest.length > 0 ? rest : undefined
  }

  #begin(): void {
    const start = this.#text.charCodeAt(0) === 0xfeff ? 1 : 0
    const end = frontMatterEnd(this.#text, start)
    if (end < 0) return
    this.#blocks.push({ kind: 'frontmatter', depth: 0, at: 0, start, end, level: 0, title: '', headerEnd: 0 })
    this.#next = end
  }

  #readLine(): void {
    const text = this.#text
    const line = this.#next
    if (this.#feed < line) this.#feed = indexOrEnd(text, '\n', line)
    if (this.#return < line) this.#return = indexOrEnd(text, '\r', line)
    const to = Math.min(this.#feed, this.#return)
    this.#line = line
    this.#to = to
    this.#next = Math.min(text.length, to + 1 === this.#feed ? to + 2 : to + 1)
    this.#look(line === 0 && text.charCodeAt(0) === 0xfeff ? 1 : line, 0)
  }

  /** Moves the cursor to an index that lies in the given column. */
  #look(at: number, column: number): void {
    const text = this.#text
    const to = this.#to
    this.#column = column
    for (; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code === 32) column++
      else if (code === TAB) column += 4 - (column & 3)
      else break
    }
    this.#first = at
    this.#firstColumn = column
  }

  get #indent(): number {
    return this.#firstColumn - this.#column
  }

  #scanLine(): void {
    const matched = this.#continueContainers()
    const whole = matched === this.#containers.length
    const leaf = this.#leaf
    if (whole && leaf !== undefined && (leaf.kind === 'fence' || leaf.kind === 'math' || leaf.kind === 'html')) {
      this.#continueVerbatim(leaf)
      return
    }
    const opened = this.#openContainers(matched)
    // What belongs to fewer containers than are open, and opens none, may still continue a paragraph in them.
    const lazy = !whole && !opened
    if (this.#first === this.#to) {
      if (lazy) this.#closeTo(matched)
      else if (this.#leaf?.kind !== 'code') this.#closeLeaf()
      if (opened) this.#lastEnd = this.#next
      return
    }
    if (this.#leaf === undefined || !this.#continueLeaf(this.#leaf, lazy)) {
      if (lazy) this.#closeTo(matched)
      else this.#closeLeaf()
      this.#openLeaf()
    }
    this.#lastEnd = this.#next
  }

  /** Passes the markers and indentation of the open containers that the line belongs to, and says how many they are. */
  #continueContainers(): number {
    const containers = this.#containers
    let quotes = this.#quotes
    for (let level = 0; level < containers.length; level++) {
      if (this.#first === this.#to) return this.#continueBlank(level, quotes)
      const container = containers[level] as Container
      if (container.kind === 'quote') {
        if (this.#indent > 3 || this.#text.charCodeAt(this.#first) !== 62) return level
        container.block.end = this.#next
        this.#passQuoteSign()
        quotes--
      } else {
        const belongs = container.blank < 2 && this.#indent >= container.indent
        container.blank = 0
        if (!belongs) return level
        this.#column += container.indent
      }
    }
    return containers.length
  }

  /** A blank line belongs to every container up to the next quote, of which there are `quotes` from `level` on. */
  #continueBlank(level: number, quotes: number): number {
    const containers = this.#containers
    // Not a walk through all of them: they may be many, and so may blank lines.
    if (quotes === 0) level = containers.length
    else while (containers[level]?.kind !== 'quote') level++
    const last = containers[containers.length - 1] as Container
    if (last.blank === 1 && level === containers.length) last.blank = 2
    return level
  }

  #passQuoteSign(): void {
    this.#look(this.#first + 1, this.#firstColumn + 1)
    if (this.#indent > 0) this.#column++
  }

  /** Opens the containers that begin on this line, behind the `matched` ones that it belongs to; says whether there are any. */
  #openContainers(matched: number): boolean {
    const list = this.#containers[matched]
    let opened = false
    if (list?.kind === 'list' && this.#readMarker(false) && this.#marker === list.marker) {
      this.#closeTo(matched + 1)
      this.#endItem(list)
      this.#openItem(list)
      opened = true
    }
    while (this.#first < this.#to && this.#indent < 4 && (opened ? this.#containers.length : matched) < deepestNesting) {
      const code = this.#text.charCodeAt(this.#first)
      if (code > 91 || ((roles[code] as number) & 1) === 0) break
      const footnote = code === 91 ? footnoteEnd(this.#text, this.#first, this.#to) : 0
      if (footnote < 0) break
      const interrupting = !opened && matched === this.#containers.length && this.#leaf?.kind === 'paragraph'
      if (footnote === 0 && code !== 62 && !this.#readMarker(interrupting)) break
      if (!opened) this.#closeTo(matched)
      opened = true
      if (code === 62) {
        this.#push('quote', 0, 0)
        this.#passQuoteSign()
      } else if (footnote > 0) {
        this.#push('footnote', 0, 4)
        this.#look(footnote, this.#firstColumn + footnote - this.#first)
        this.#column = this.#firstColumn
      } else this.#openItem(this.#push('list', this.#marker, 0))
    }
    return opened
  }

  #push(kind: Container['kind'], marker: number, indent: number): Container {
    const container: Container = { kind, block: this.#open(kind), item: undefined, marker, indent, blank: 0 }
    this.#containers.push(container)
    if (kind === 'quote') this.#quotes++
    return container
  }

  /** Reads the list marker at the cursor, if there is one that may stand there. */
  #readMarker(interrupting: boolean): boolean {
    const text = this.#text
    const first = this.#first
    const to = this.#to
    if (first === to || this.#indent > 3) return false
    let sign = text.charCodeAt(first)
    let end = first + 1
    if (isDigit(sign)) {
      while (end < to && end < first + 9 && isDigit(text.charCodeAt(end))) end++
      if (end === to || (interrupting && (sign !== 49 || end > first + 1))) return false
      sign = text.charCodeAt(end++)
      if (sign !== 41 && sign !== 46) return false
    } else if (sign !== 42 && sign !== 43 && sign !== 45) return false
    if (end < to && !isBlank(text.charCodeAt(end))) return false
    if (interrupting && skipBlanks(text, end, to) === to) return false
    if ((sign === 42 || sign === 45) && this.#isBreak()) return false
    this.#marker = sign
    this.#markerEnd = end
    return true
  }

  #openItem(list: Container): void {
    const before = this.#indent
    const width = this.#markerEnd - this.#first
    list.item = this.#open('item')
    this.#look(this.#markerEnd, this.#firstColumn + width)
    const blank = this.#first === this.#to
    // Five columns or more behind a marker are one and an indented code.
    const gap = blank || this.#indent > 4 ? 1 : this.#indent
    if (!blank) this.#column += gap
    list.indent = before + width + gap
    list.blank = blank ? 1 : 0
  }

  #endItem(list: Container): void {
    if (list.item !== undefined) list.item.end = Math.max(list.item.end, this.#lastEnd)
  }

  #closeTo(level: number): void {
    this.#closeLeaf()
    while (this.#containers.length > level) {
      const container = this.#containers.pop() as Container
      if (container.kind === 'quote') this.#quotes--
      this.#endItem(container)
      this.#lastEnd = container.block.end = Math.max(container.block.end, this.#lastEnd)
    }
  }

  /** Adds the block that begins at the cursor; one at the top level completes the one before it. */
  #open(kind: MarkdownKind): MarkdownBlock {
    const blocks = this.#blocks
    const depth = kind === 'item' ? this.#containers.length - 1 : this.#containers.length
    const block = { kind, depth, at: this.#line, start: this.#first, end: this.#next, level: 0, title: '', headerEnd: 0 }
    if (depth === 0 && kind !== 'item' && kind !== 'row' && blocks.length > 0) {
      this.#done = blocks
      this.#blocks = [block]
      return block
    }
    if (blocks.length > 0 && this.#line - (blocks[0] as MarkdownBlock).at > longestHeldBack) this.#release()
    this.#blocks.push(block)
    return block
  }

  /** Gives out the blocks up to the first open one that is not long yet; open ones outside of it do not fit anywhere. */
  #release(): void {
    const long = this.#line - longestHeldBack
    let short = this.#leaf !== undefined && this.#leaf.at >= long ? this.#leaf : undefined
    for (let level = this.#containers.length - 1; level >= 0; level--) {
      const { block, item } = this.#containers[level] as Container
      if (item !== undefined && item.at >= long) short = item
      if (block.at >= long) short = block
    }
    const index = short === undefined ? this.#blocks.length : this.#blocks.indexOf(short)
    this.#done = this.#blocks.slice(0, index)
    this.#blocks = this.#blocks.slice(index)
  }

  /** Gives the line to an open leaf that no container can begin in. */
  #continueVerbatim(leaf: MarkdownBlock): void {
    const text = this.#text
    const first = this.#first
    const blank = first === this.#to
    if (leaf.kind === 'html') {
      if (this.#size < 6 ? htmlEnds(text, first, this.#to, this.#size) : blank) this.#leaf = undefined
      if (blank && this.#size > 5) return
    } else if (!blank && text.charCodeAt(first) === this.#sign && this.#indent < 4) {
      if (closesFence(text, first, this.#to, this.#sign, this.#size)) this.#leaf = undefined
    }
    this.#lastEnd = leaf.end = this.#next
  }

  /** Gives the line to the open paragraph, indented code or table, if that may have it. */
  #continueLeaf(leaf: MarkdownBlock, lazy: boolean): boolean {
    const indented = this.#indent > 3
    if (leaf.kind === 'paragraph') {
      const code = this.#text.charCodeAt(this.#first)
      if (!indented && code < 128 && ((roles[code] as number) & 2) !== 0) {
        if (!lazy && (this.#makeTable(leaf) || this.#makeHeading(leaf))) return true
        if (this.#leaf === undefined || this.#leafKind(true) !== 'paragraph') return false
      }
      this.#addParagraphLine(indented)
    } else if (leaf.kind === 'code') {
      if (lazy || !indented) return false
    } else {
      if (lazy || indented || this.#leafKind(false) !== 'paragraph') return false
      this.#open('row')
    }
    leaf.end = this.#next
    return true
  }

  /** What begins at the cursor, were there no open leaf; the measures of it are left in `#size`. */
  #leafKind(interrupting: boolean): MarkdownKind {
    const text = this.#text
    const first = this.#first
    const code = text.charCodeAt(first)
    switch (code) {
      case 35:
        return this.#sized('heading', atxLevel(text, first, this.#to))
      case 42:
      case 45:
      case 95:
        return this.#isBreak() ? 'break' : 'paragraph'
      case 60:
        return this.#sized('html', htmlKind(text, first, this.#to, interrupting))
      case 36:
        return this.#sized('math', fenceSize(text, first, this.#to))
      case 96:
      case 126:
        return this.#sized('fence', fenceSize(text, first, this.#to))
      default:
        return 'paragraph'
    }
  }

  #sized(kind: MarkdownKind, size: number): MarkdownKind {
    this.#size = size
    return size > 0 ? kind : 'paragraph'
  }

  #isBreak(): boolean {
    const sign = this.#text.charCodeAt(this.#first)
    if (sign === this.#noBreakSign && this.#first < this.#noBreakTo) return false
    const end = thematicBreakEnd(this.#text, this.#first, this.#to)
    if (end === this.#to) return true
    this.#noBreakSign = sign
    this.#noBreakTo = end
    return false
  }

  #openLeaf(): void {
    const text = this.#text
    const first = this.#first
    const to = this.#to
    const kind = this.#indent > 3 ? 'code' : this.#leafKind(false)
    const leaf = this.#open(kind)
    this.#leaf = leaf
    if (kind === 'paragraph') {
      this.#lines = text.charCodeAt(first) === 91 ? { at: [], from: [], to: [] } : undefined
      this.#addParagraphLine(false)
    } else if (kind === 'heading') {
      leaf.level = this.#size
      leaf.title = shorten(text, ...atxTitle(text, first, to, leaf.level))
      this.#leaf = undefined
    } else if (kind === 'break') this.#leaf = undefined
    else if (kind === 'html') {
      if (this.#size < 6 && htmlEnds(text, first + 1, to, this.#size)) this.#leaf = undefined
    } else this.#sign = text.charCodeAt(first)
  }

  #addParagraphLine(indented: boolean): void {
    this.#lastLine = this.#line
    this.#lastFrom = this.#first
    this.#lastTo = this.#to
    this.#lastIndented = indented
    const lines = this.#lines
    if (lines === undefined) return
    lines.at.push(this.#line)
    lines.from.push(this.#first)
    lines.to.push(this.#to)
  }

  #closeLeaf(): void {
    if (this.#leaf?.kind === 'paragraph' && this.#lines !== undefined) this.#splitDefinitions()
    this.#leaf = undefined
  }

  /** Replaces the definitions that the open paragraph begins with by blocks of their own; says whether anything is left of it. */
  #splitDefinitions(): boolean {
    const lines = this.#lines
    this.#lines = undefined
    if (lines === undefined) return true
    const count = lines.at.length
    let line = 0
    let end = definitionEnd(this.#text, lines, 0)
    if (end < 0) return true
    const paragraph = this.#blocks.pop() as MarkdownBlock
    for (; end > 0; end = line < count ? definitionEnd(this.#text, lines, line) : -1) {
      this.#blocks.push({
        ...paragraph,
        kind: 'definition',
        at: lines.at[line] as number,
        start: lines.from[line] as number,
        end: end < count ? (lines.at[end] as number) : paragraph.end,
      })
      line = end
    }
    if (line === count) return false
    paragraph.at = lines.at[line] as number
    paragraph.start = lines.from[line] as number
    this.#blocks.push(paragraph)
    return true
  }

  /** Makes the open paragraph a heading when the line underlines it. Definitions alone are no text to underline. */
  #makeHeading(paragraph: MarkdownBlock): boolean {
    const level = underlineLevel(this.#text, this.#first, this.#to)
    if (level === 0) return false
    const left = this.#splitDefinitions()
    this.#leaf = undefined
    if (!left) return false
    paragraph.kind = 'heading'
    paragraph.level = level
    paragraph.end = this.#next
    const lines = shorten(this.#text, paragraph.start, this.#line).trim().split(/[\r\n]+/)
    // Below the first line the signs of quotes still stand before the text.
    paragraph.title = lines.map((line) => line.replace(paragraph.depth > 0 ? /^[\s>]+/ : '', '').trim()).join(' ')
    return true
  }

  /** Makes the last line of the open paragraph a table's header when the line is a delimiter row with as many cells. */
  #makeTable(paragraph: MarkdownBlock): boolean {
    if (this.#lastIndented) return false
    const cells = delimiterCells(this.#text, this.#first, this.#to)
    if (cells === 0 || headerCells(this.#text, this.#lastFrom, this.#lastTo) !== cells) return false
    let table = paragraph
    if (paragraph.at === this.#lastLine) paragraph.kind = 'table'
    else {
      paragraph.end = this.#lastLine
      this.#lines?.at.pop()
      this.#lines?.from.pop()
      this.#lines?.to.pop()
      this.#closeLeaf()
      table = this.#open('table')
      table.at = this.#lastLine
      table.start = this.#lastFrom
    }
    table.end = table.headerEnd = this.#next
    this.#leaf = table
    const header = this.#open('row')
    header.at = table.at
    header.start = table.start
    header.end = this.#line
    return true
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const index = text.indexOf(sign, from)
  return index < 0 ? text.length : index
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** A slice of at most `longestTitle` code units that ends between two code points. */
function shorten(text: string, from: number, to: number): string {
  if (to - from <= longestTitle) return text.slice(from, to)
  const last = text.charCodeAt(from + longestTitle - 1)
  return text.slice(from, from + longestTitle - (last >= 0xd800 && last < 0xdc00 ? 1 : 0))
}
