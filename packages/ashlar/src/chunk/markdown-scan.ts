import type { MarkdownBlock } from './markdown-block.ts'
import { closeTo, continueContainers, openContainers } from './markdown-container.ts'
import { frontMatterEnd } from './markdown-front-matter.ts'
import { closeLeaf, continueLeaf, continueVerbatim, openLeaf } from './markdown-leaf.ts'
import { readLine, type Scan, startScan } from './markdown-scan-state.ts'

/**
 * Opens a text for reading its markdown blocks: each call gives the next top-level block with all that it holds (or a
 * part of a very long one, see `longestHeldBack`), in the order the blocks begin; undefined when there are no more.
 *
 * This is CommonMark's own algorithm for block structure, line by line, without inlines: a line first asks the open
 * containers whether it belongs to them, then opens new ones, then continues the open leaf or begins another.
 */
export function scanMarkdown(text: string): () => MarkdownBlock[] | undefined {
  const scan = startScan(text)
  return () => nextBlocks(scan)
}

function nextBlocks(scan: Scan): MarkdownBlock[] | undefined {
  if (scan.next === 0) begin(scan)
  while (scan.next < scan.text.length) {
    readLine(scan)
    scanLine(scan)
    const done = scan.done
    if (done !== undefined) {
      scan.done = undefined
      return done
    }
  }
  closeTo(scan, 0)
  const rest = scan.blocks
  scan.blocks = []
  return rest.length > 0 ? rest : undefined
}

function begin(scan: Scan): void {
  const start = scan.text.charCodeAt(0) === 0xfeff ? 1 : 0
  const end = frontMatterEnd(scan.text, start)
  if (end < 0) return
  scan.blocks.push({ kind: 'frontmatter', depth: 0, at: 0, start, end, level: 0, title: '', headerEnd: 0 })
  scan.next = end
}

function scanLine(scan: Scan): void {
  const matched = continueContainers(scan)
  const whole = matched === scan.containers.length
  const leaf = scan.leaf
  if (whole && leaf !== undefined && (leaf.kind === 'fence' || leaf.kind === 'math' || leaf.kind === 'html')) {
    continueVerbatim(scan, leaf)
    return
  }
  const opened = openContainers(scan, matched)
  // What belongs to fewer containers than are open, and opens none, may still continue a paragraph in them.
  const lazy = !whole && !opened
  if (scan.first === scan.to) {
    if (lazy) closeTo(scan, matched)
    else if (scan.leaf?.kind !== 'code') closeLeaf(scan)
    if (opened) scan.lastEnd = scan.next
    return
  }
  if (scan.leaf === undefined || !continueLeaf(scan, scan.leaf, lazy)) {
    if (lazy) closeTo(scan, matched)
    else closeLeaf(scan)
    openLeaf(scan)
  }
  scan.lastEnd = scan.next
}
