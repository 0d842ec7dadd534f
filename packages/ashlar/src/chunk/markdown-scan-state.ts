import type { MarkdownBlock, MarkdownKind } from './markdown-block.ts'
import type { ParagraphLines } from './markdown-definition.ts'
import { TAB, thematicBreakEnd } from './markdown-line.ts'

/**
 * A block longer than this is given out before its end is known, with the end that it has so far: a text that is one list
 * or one table is then read in bounded memory. Only a limit above this length could take such a block for one that fits.
 */
export const longestHeldBack = 262_144

/** A quote, a footnote, or a list together with its latest item: something that asks each further line whether it belongs. */
export interface Container {
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

/** A text being read: everything that is known between two lines. */
export interface Scan {
  readonly text: string
  /** Blocks of the top-level block being read, and those of the one before it when that has just been completed. */
  blocks: MarkdownBlock[]
  done: MarkdownBlock[] | undefined

  /** The line: its start, its end without the line break, the start of the next one. */
  line: number
  to: number
  next: number
  /** The next line feed and carriage return at or behind `line`, so that neither is looked for twice. */
  lineFeed: number
  carriageReturn: number

  /** The cursor: columns used up by containers, the first thing that is no space behind them, and the column of that. */
  column: number
  first: number
  firstColumn: number

  readonly containers: Container[]
  /** How many of them are quotes. */
  quotes: number
  /** Behind the last line that belonged to the innermost container. */
  lastEnd: number

  leaf: MarkdownBlock | undefined
  /** Of an open fence or formula: its sign and how many opened it. Of an open HTML block: its kind. */
  sign: number
  size: number
  /** Of an open paragraph: its latest line, which becomes a table's header when a delimiter row follows. */
  lastLine: number
  lastFrom: number
  lastTo: number
  lastIndented: boolean
  /** All of its lines, if it begins with a bracket. */
  lines: ParagraphLines | undefined

  /** Of a list marker just read: its sign and where it ends. */
  marker: number
  markerEnd: number
  /** A run of bullets is looked through once, not once for each list that it opens: no break of this sign up to here. */
  noBreakSign: number
  noBreakTo: number
}

/**
 * A text at its beginning.
 *
 * A literal and functions rather than a class: V8 forgets the layout of a class's fields, and the machine code made for
 * it, in a garbage collection that finds no instance alive, and the next text would be read ten times slower.
 */
export function startScan(text: string): Scan {
  return {
    text,
    blocks: [],
    done: undefined,
    line: 0,
    to: 0,
    next: 0,
    lineFeed: -1,
    carriageReturn: -1,
    column: 0,
    first: 0,
    firstColumn: 0,
    containers: [],
    quotes: 0,
    lastEnd: 0,
    leaf: undefined,
    sign: 0,
    size: 0,
    lastLine: 0,
    lastFrom: 0,
    lastTo: 0,
    lastIndented: false,
    lines: undefined,
    marker: 0,
    markerEnd: 0,
    noBreakSign: 0,
    noBreakTo: 0,
  }
}

/** Moves to the next line, with the cursor at its start. */
export function readLine(scan: Scan): void {
  const text = scan.text
  const line = scan.next
  if (scan.lineFeed < line) scan.lineFeed = indexOrEnd(text, '\n', line)
  if (scan.carriageReturn < line) scan.carriageReturn = indexOrEnd(text, '\r', line)
  const to = Math.min(scan.lineFeed, scan.carriageReturn)
  scan.line = line
  scan.to = to
  scan.next = Math.min(text.length, to + 1 === scan.lineFeed ? to + 2 : to + 1)
  look(scan, line === 0 && text.charCodeAt(0) === 0xfeff ? 1 : line, 0)
}

/** Moves the cursor to an index that lies in the given column. */
export function look(scan: Scan, at: number, column: number): void {
  const text = scan.text
  const to = scan.to
  scan.column = column
  for (; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 32) column++
    else if (code === TAB) column += 4 - (column & 3)
    else break
  }
  scan.first = at
  scan.firstColumn = column
}

/** By how many columns the line is indented behind its containers. */
export function indentOf(scan: Scan): number {
  return scan.firstColumn - scan.column
}

/** Adds the block that begins at the cursor; one at the top level completes the one before it. */
export function openBlock(scan: Scan, kind: MarkdownKind): MarkdownBlock {
  const blocks = scan.blocks
  const depth = kind === 'item' ? scan.containers.length - 1 : scan.containers.length
  const block = { kind, depth, at: scan.line, start: scan.first, end: scan.next, level: 0, title: '', headerEnd: 0 }
  if (depth === 0 && kind !== 'item' && kind !== 'row' && blocks.length > 0) {
    scan.done = blocks
    scan.blocks = [block]
    return block
  }
  if (blocks.length > 0 && scan.line - (blocks[0] as MarkdownBlock).at > longestHeldBack) release(scan)
  scan.blocks.push(block)
  return block
}

/** Gives out the blocks up to the first open one that is not long yet; open ones outside of it do not fit anywhere. */
function release(scan: Scan): void {
  const long = scan.line - longestHeldBack
  let short = scan.leaf !== undefined && scan.leaf.at >= long ? scan.leaf : undefined
  for (let level = scan.containers.length - 1; level >= 0; level--) {
    const { block, item } = scan.containers[level] as Container
    for (const open of [item, block]) {
      if (open === undefined) continue
      open.end = Math.max(open.end, scan.lastEnd)
      if (open.at >= long) short = open
    }
  }
  const index = short === undefined ? scan.blocks.length : scan.blocks.indexOf(short)
  scan.done = scan.blocks.slice(0, index)
  scan.blocks = scan.blocks.slice(index)
}

/** Whether the rest of the line is a thematic break. */
export function isBreak(scan: Scan): boolean {
  const sign = scan.text.charCodeAt(scan.first)
  if (sign === scan.noBreakSign && scan.first < scan.noBreakTo) return false
  const end = thematicBreakEnd(scan.text, scan.first, scan.to)
  if (end === scan.to) return true
  scan.noBreakSign = sign
  scan.noBreakTo = end
  return false
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const index = text.indexOf(sign, from)
  return index < 0 ? text.length : index
}
