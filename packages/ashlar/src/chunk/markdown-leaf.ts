import type { MarkdownBlock, MarkdownKind } from './markdown-block.ts'
import { definitionEnd, type ParagraphLines } from './markdown-definition.ts'
import { htmlEnds, htmlKind } from './markdown-html.ts'
import { atxLevel, atxTitle, closesFence, fenceSize, roles, underlineLevel } from './markdown-line.ts'
import { indentOf, isBreak, openBlock, type Scan } from './markdown-scan-state.ts'
import { delimiterCells, headerCells } from './markdown-table.ts'

/** Titles are cut here: they are repeated beside every chunk below them, and one heading may be a whole text. */
const longestTitle = 1000

/** So many lines of definitions are given out before their paragraph ends: a paragraph may be a whole text. */
const manyLines = 1024

/** Gives the line to an open leaf that no container can begin in. */
export function continueVerbatim(scan: Scan, leaf: MarkdownBlock): void {
  const text = scan.text
  const first = scan.first
  const blank = first === scan.to
  if (leaf.kind === 'html') {
    if (scan.size < 6 ? htmlEnds(text, first, scan.to, scan.size) : blank) scan.leaf = undefined
    if (blank && scan.size > 5) return
  } else if (!blank && text.charCodeAt(first) === scan.sign && indentOf(scan) < 4) {
    if (closesFence(text, first, scan.to, scan.sign, scan.size)) scan.leaf = undefined
  }
  scan.lastEnd = leaf.end = scan.next
}

/** Gives the line to the open paragraph, indented code or table, if that may have it. */
export function continueLeaf(scan: Scan, leaf: MarkdownBlock, lazy: boolean): boolean {
  const indented = indentOf(scan) > 3
  if (leaf.kind === 'paragraph') {
    const code = scan.text.charCodeAt(scan.first)
    if (!indented && code < 128 && ((roles[code] as number) & 2) !== 0) {
      if (!lazy && (makeTable(scan, leaf) || makeHeading(scan, leaf))) return true
      if (scan.leaf === undefined || leafKind(scan, true) !== 'paragraph') return false
    }
    addParagraphLine(scan, indented)
  } else if (leaf.kind === 'code') {
    if (lazy || !indented) return false
  } else {
    if (lazy || indented || leafKind(scan, false) !== 'paragraph') return false
    openBlock(scan, 'row')
  }
  leaf.end = scan.next
  return true
}

/** Begins the leaf that the line begins when no open one may have it. */
export function openLeaf(scan: Scan): void {
  const text = scan.text
  const first = scan.first
  const to = scan.to
  const kind = indentOf(scan) > 3 ? 'code' : leafKind(scan, false)
  const leaf = openBlock(scan, kind)
  scan.leaf = leaf
  if (kind === 'paragraph') {
    scan.lines = text.charCodeAt(first) === 91 ? { at: [], from: [], to: [], enough: manyLines } : undefined
    addParagraphLine(scan, false)
  } else if (kind === 'heading') {
    leaf.level = scan.size
    leaf.title = shorten(text, ...atxTitle(text, first, to, leaf.level))
    scan.leaf = undefined
  } else if (kind === 'break') scan.leaf = undefined
  else if (kind === 'html') {
    if (scan.size < 6 && htmlEnds(text, first + 1, to, scan.size)) scan.leaf = undefined
  } else scan.sign = text.charCodeAt(first)
}

/** Ends the open leaf, whatever it is. */
export function closeLeaf(scan: Scan): void {
  if (scan.leaf?.kind === 'paragraph') endParagraph(scan)
  scan.leaf = undefined
}

/** Says whether anything is left of the open paragraph besides definitions. */
function endParagraph(scan: Scan): boolean {
  const lines = scan.lines
  scan.lines = undefined
  return lines === undefined || splitDefinitions(scan, lines, true)
}

/** What begins at the cursor, were there no open leaf; the measures of it are left in `size`. */
function leafKind(scan: Scan, interrupting: boolean): MarkdownKind {
  const text = scan.text
  const first = scan.first
  const code = text.charCodeAt(first)
  switch (code) {
    case 35:
      return sized(scan, 'heading', atxLevel(text, first, scan.to))
    case 42:
    case 45:
    case 95:
      return isBreak(scan) ? 'break' : 'paragraph'
    case 60:
      return sized(scan, 'html', htmlKind(text, first, scan.to, interrupting))
    case 36:
      return sized(scan, 'math', fenceSize(text, first, scan.to))
    case 96:
    case 126:
      return sized(scan, 'fence', fenceSize(text, first, scan.to))
    default:
      return 'paragraph'
  }
}

function sized(scan: Scan, kind: MarkdownKind, size: number): MarkdownKind {
  scan.size = size
  return size > 0 ? kind : 'paragraph'
}

function addParagraphLine(scan: Scan, indented: boolean): void {
  scan.lastLine = scan.line
  scan.lastFrom = scan.first
  scan.lastTo = scan.to
  scan.lastIndented = indented
  const lines = scan.lines
  if (lines === undefined) return
  lines.at.push(scan.line)
  lines.from.push(scan.first)
  lines.to.push(scan.to)
  if (lines.at.length < lines.enough) return
  splitDefinitions(scan, lines, false)
  lines.enough = 2 * Math.max(manyLines, lines.at.length)
}

/**
 * Replaces the definitions that the open paragraph begins with by blocks of their own; says whether anything is left of it.
 *
 * While more lines may come (`whole` is false) only those are taken that no further line can change: another bracket follows.
 */
function splitDefinitions(scan: Scan, lines: ParagraphLines, whole: boolean): boolean {
  const { text } = scan
  const count = lines.at.length
  let line = 0
  const paragraph = scan.blocks.pop() as MarkdownBlock
  while (line < count) {
    const end = definitionEnd(text, lines, line)
    if (end < 0 || (!whole && (end === count || text.charCodeAt(lines.from[end] as number) !== 91))) break
    scan.blocks.push({
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
  if (!whole && line > 0) {
    for (const part of [lines.at, lines.from, lines.to]) part.splice(0, line)
    if (paragraph.depth === 0) {
      scan.done = scan.blocks
      scan.blocks = []
    }
  }
  scan.blocks.push(paragraph)
  return true
}

/** Makes the open paragraph a heading when the line underlines it. Definitions alone are no text to underline. */
function makeHeading(scan: Scan, paragraph: MarkdownBlock): boolean {
  const level = underlineLevel(scan.text, scan.first, scan.to)
  if (level === 0) return false
  const left = endParagraph(scan)
  scan.leaf = undefined
  if (!left) return false
  paragraph.kind = 'heading'
  paragraph.level = level
  paragraph.end = scan.next
  const lines = shorten(scan.text, paragraph.start, scan.line)
    .trim()
    .split(/[\r\n]+/)
  // Below the first line the signs of quotes still stand before the text.
  paragraph.title = lines.map((line) => line.replace(paragraph.depth > 0 ? /^[\s>]+/ : '', '').trim()).join(' ')
  return true
}

/** Makes the last line of the open paragraph a table's header when the line is a delimiter row with as many cells. */
function makeTable(scan: Scan, paragraph: MarkdownBlock): boolean {
  if (scan.lastIndented) return false
  const cells = delimiterCells(scan.text, scan.first, scan.to)
  if (cells === 0 || headerCells(scan.text, scan.lastFrom, scan.lastTo) !== cells) return false
  let table = paragraph
  if (paragraph.at === scan.lastLine) paragraph.kind = 'table'
  else {
    paragraph.end = scan.lastLine
    scan.lines?.at.pop()
    scan.lines?.from.pop()
    scan.lines?.to.pop()
    closeLeaf(scan)
    table = openBlock(scan, 'table')
    table.at = scan.lastLine
    table.start = scan.lastFrom
  }
  table.end = table.headerEnd = scan.next
  scan.leaf = table
  const header = openBlock(scan, 'row')
  header.at = table.at
  header.start = table.start
  header.end = scan.line
  return true
}

/** A slice of at most `longestTitle` code units that ends between two code points. */
function shorten(text: string, from: number, to: number): string {
  if (to - from <= longestTitle) return text.slice(from, to)
  const last = text.charCodeAt(from + longestTitle - 1)
  return text.slice(from, from + longestTitle - (last >= 0xd800 && last < 0xdc00 ? 1 : 0))
}
