import { closeLeaf } from './markdown-leaf.ts'
import { footnoteEnd, isBlank, roles, skipBlanks } from './markdown-line.ts'
import { type Container, indentOf, isBreak, look, openBlock, type Scan } from './markdown-scan-state.ts'

/** How many quotes, items and footnotes are followed into each other; what lies deeper is text of the deepest. */
export const deepestNesting = 100

/** Passes the markers and indentation of the open containers that the line belongs to, and says how many they are. */
export function continueContainers(scan: Scan): number {
  const containers = scan.containers
  let quotes = scan.quotes
  for (let level = 0; level < containers.length; level++) {
    if (scan.first === scan.to) return continueBlank(scan, level, quotes)
    const container = containers[level] as Container
    if (container.kind === 'quote') {
      if (indentOf(scan) > 3 || scan.text.charCodeAt(scan.first) !== 62) return level
      container.block.end = scan.next
      passQuoteSign(scan)
      quotes--
    } else {
      const belongs = container.blank < 2 && indentOf(scan) >= container.indent
      container.blank = 0
      if (!belongs) return level
      scan.column += container.indent
    }
  }
  return containers.length
}

/** A blank line belongs to every container up to the next quote, of which there are `quotes` from `level` on. */
function continueBlank(scan: Scan, level: number, quotes: number): number {
  const containers = scan.containers
  // Not a walk through all of them: they may be many, and so may blank lines.
  if (quotes === 0) level = containers.length
  else while (containers[level]?.kind !== 'quote') level++
  const last = containers[containers.length - 1] as Container
  if (last.blank === 1 && level === containers.length) last.blank = 2
  return level
}

/** Opens the containers that begin on this line, behind the `matched` ones that it belongs to; says whether there are any. */
export function openContainers(scan: Scan, matched: number): boolean {
  const list = scan.containers[matched]
  let opened = false
  if (list?.kind === 'list' && readMarker(scan, false) && scan.marker === list.marker) {
    closeTo(scan, matched + 1)
    endItem(scan, list)
    openItem(scan, list)
    opened = true
  }
  while (scan.first < scan.to && indentOf(scan) < 4 && (opened ? scan.containers.length : matched) < deepestNesting) {
    const code = scan.text.charCodeAt(scan.first)
    if (code > 91 || ((roles[code] as number) & 1) === 0) break
    const footnote = code === 91 ? footnoteEnd(scan.text, scan.first, scan.to) : 0
    if (footnote < 0) break
    const interrupting = !opened && matched === scan.containers.length && scan.leaf?.kind === 'paragraph'
    if (footnote === 0 && code !== 62 && !readMarker(scan, interrupting)) break
    if (!opened) closeTo(scan, matched)
    opened = true
    if (code === 62) {
      push(scan, 'quote', 0, 0)
      passQuoteSign(scan)
    } else if (footnote > 0) {
      push(scan, 'footnote', 0, 4)
      look(scan, footnote, scan.firstColumn + footnote - scan.first)
      scan.column = scan.firstColumn
    } else openItem(scan, push(scan, 'list', scan.marker, 0))
  }
  return opened
}

function push(scan: Scan, kind: Container['kind'], marker: number, indent: number): Container {
  const container: Container = { kind, block: openBlock(scan, kind), item: undefined, marker, indent, blank: 0 }
  scan.containers.push(container)
  if (kind === 'quote') scan.quotes++
  return container
}

/** Reads the list marker at the cursor, if there is one that may stand there. */
function readMarker(scan: Scan, interrupting: boolean): boolean {
  const text = scan.text
  const first = scan.first
  const to = scan.to
  if (first === to || indentOf(scan) > 3) return false
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
  if ((sign === 42 || sign === 45) && isBreak(scan)) return false
  scan.marker = sign
  scan.markerEnd = end
  return true
}

function openItem(scan: Scan, list: Container): void {
  const before = indentOf(scan)
  const width = scan.markerEnd - scan.first
  list.item = openBlock(scan, 'item')
  look(scan, scan.markerEnd, scan.firstColumn + width)
  const blank = scan.first === scan.to
  // Five columns or more behind a marker are one and an indented code.
  const gap = blank || indentOf(scan) > 4 ? 1 : indentOf(scan)
  if (!blank) scan.column += gap
  list.indent = before + width + gap
  list.blank = blank ? 1 : 0
}

function endItem(scan: Scan, list: Container): void {
  if (list.item !== undefined) list.item.end = Math.max(list.item.end, scan.lastEnd)
}

/** Ends the open leaf and all containers but the outermost `level`. */
export function closeTo(scan: Scan, level: number): void {
  closeLeaf(scan)
  while (scan.containers.length > level) {
    const container = scan.containers.pop() as Container
    if (container.kind === 'quote') scan.quotes--
    endItem(scan, container)
    scan.lastEnd = container.block.end = Math.max(container.block.end, scan.lastEnd)
  }
}

function passQuoteSign(scan: Scan): void {
  look(scan, scan.first + 1, scan.firstColumn + 1)
  if (indentOf(scan) > 0) scan.column++
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
