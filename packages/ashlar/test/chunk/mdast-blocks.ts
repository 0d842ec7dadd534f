import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { mathFromMarkdown } from 'mdast-util-math'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfmFootnote } from 'micromark-extension-gfm-footnote'
import { gfmTable } from 'micromark-extension-gfm-table'
import { math } from 'micromark-extension-math'
import type { MarkdownBlock, MarkdownKind } from '../../src/chunk/markdown-block.ts'
import { markdownBlocks } from '../../src/chunk/markdown-blocks.ts'

/** One block in the form that both readers are compared in: `kind` with a heading's level, lines counted from 1. */
export interface ComparedBlock {
  readonly kind: string
  readonly depth: number
  /** Where its first sign stands, indentation not counted. */
  readonly start: number
  readonly firstLine: number
  readonly lastLine: number
}

/** Where two readers part: the first block that is not the same. */
export interface Difference {
  readonly scan: ComparedBlock | undefined
  readonly mdast: ComparedBlock | undefined
}

const kinds: Partial<Record<string, MarkdownKind>> = {
  yaml: 'frontmatter',
  toml: 'frontmatter',
  heading: 'heading',
  paragraph: 'paragraph',
  definition: 'definition',
  thematicBreak: 'break',
  code: 'fence',
  math: 'math',
  html: 'html',
  table: 'table',
  tableRow: 'row',
  list: 'list',
  listItem: 'item',
  blockquote: 'quote',
  footnoteDefinition: 'footnote',
}

const holding = new Set(['listItem', 'blockquote', 'footnoteDefinition'])
/** What holds inlines; nothing in there is a block, not even what is called `html`. */
const closed = new Set(['heading', 'paragraph', 'tableRow'])

const options = {
  extensions: [gfmTable(), math(), frontmatter(['yaml', 'toml']), gfmFootnote()],
  mdastExtensions: [
    gfmTableFromMarkdown(),
    mathFromMarkdown(),
    frontmatterFromMarkdown(['yaml', 'toml']),
    gfmFootnoteFromMarkdown(),
  ],
}

/** The full parse that the scan is compared with: CommonMark, tables, formulas, front matter and footnotes. */
export function parseMdast(text: string): Root {
  return fromMarkdown(text, options)
}

/** The blocks of `parseMdast`, in the order they begin. */
function mdastBlocks(text: string): ComparedBlock[] {
  const blocks: ComparedBlock[] = []
  const lines = lineStarts(text)
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const visit = (node: Nodes, depth: number): void => {
    const kind = kinds[node.type]
    if (kind !== undefined && node.position !== undefined) {
      const from = (node.position.start.offset ?? 0) + shift
      const start = skipIndentation(text, from)
      // Both are called code there; an indented one begins with its indentation.
      const named = kind === 'fence' && (start > from || !'`~'.includes(text.charAt(start))) ? 'code' : kind
      blocks.push({
        kind: node.type === 'heading' ? `heading ${node.depth}` : named,
        depth,
        start,
        firstLine: lineOf(lines, start),
        lastLine: lineOf(lines, lastSign(text, start, (node.position.end.offset ?? 0) + shift)),
      })
    }
    if (!('children' in node) || closed.has(node.type)) return
    for (const child of node.children) visit(child, holding.has(node.type) ? depth + 1 : depth)
  }
  visit(parseMdast(text), 0)
  return blocks
}

/** The blocks of our own scan in the same form. */
export function scannedBlocks(text: string): ComparedBlock[] {
  const lines = lineStarts(text)
  return Array.from(markdownBlocks(text), (block: MarkdownBlock) => ({
    kind: block.kind === 'heading' ? `heading ${block.level}` : block.kind,
    depth: block.depth,
    start: block.start,
    firstLine: lineOf(lines, block.start),
    lastLine: lineOf(lines, lastSign(text, block.start, block.end)),
  }))
}

/** The first pair of blocks in which the two readers differ, if they do. */
export function firstDifference(text: string): Difference | undefined {
  const ours = scannedBlocks(text)
  const theirs = mdastBlocks(text)
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const scan = ours[index]
    const mdast = theirs[index]
    if (scan === undefined || mdast === undefined || JSON.stringify(scan) !== JSON.stringify(mdast)) return { scan, mdast }
  }
  return undefined
}

function skipIndentation(text: string, at: number): number {
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

/** Index of the last sign that is no space, line break or quote sign: blank lines, in quotes too, end nobody's block. */
function lastSign(text: string, start: number, end: number): number {
  let at = end - 1
  while (at > start && ' \t\r\n>'.includes(text.charAt(at))) at--
  return Math.max(at, start)
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length)
  return starts
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle
  }
  return low + 1
}
