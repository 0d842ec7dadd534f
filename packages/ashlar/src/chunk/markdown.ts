import type { MarkdownBlock, MarkdownKind } from './markdown-block.ts'
import { scanMarkdown } from './markdown-scan.ts'
import { type Format, type Inside, type Seam, strength } from './seam.ts'

/**
 * Markdown: CommonMark with tables, formulas, front matter and footnotes, cut along its block structure.
 *
 * Only blocks are read, never what is inside a line, so that reading costs little more than finding the lines. Nesting
 * is followed 100 levels deep; what lies deeper is text.
 */
export const markdown: Format = { id: 'markdown', seams: markdownSeams }

const insides: Record<MarkdownKind, Inside> = {
  frontmatter: 'lines',
  heading: 'prose',
  paragraph: 'prose',
  definition: 'words',
  break: 'whole',
  fence: 'lines',
  code: 'lines',
  math: 'lines',
  html: 'lines',
  table: 'words',
  row: 'words',
  // Of something that holds nothing: `-` alone.
  list: 'prose',
  item: 'prose',
  quote: 'prose',
  footnote: 'prose',
}

/** What is cut only if it does not fit: all but running text and lines that stand alone. */
const isUnit = (kind: MarkdownKind): boolean => kind !== 'paragraph' && kind !== 'definition' && kind !== 'break'

/** What a paragraph with a colon at its end introduces. */
const introduced: ReadonlySet<MarkdownKind> = new Set(['list', 'table', 'fence', 'code', 'math', 'quote'])

/** Structure stays above what is inside it, however deep it is nested. */
const weakest = strength.line + 1

function* markdownSeams(text: string): Generator<Seam, undefined> {
  const next = scanMarkdown(text)
  /** At each depth the block before, in the same container. */
  const before: (MarkdownBlock | undefined)[] = []
  let table: MarkdownBlock | undefined
  let tableSeam: { end?: number } = {}
  for (let blocks = next(); blocks !== undefined; blocks = next()) {
    // A very long table is given out while it still grows, and chunks of it need its header to the end.
    if (table !== undefined) tableSeam.end = table.end
    let same = 0
    let inside: Inside = 'prose'
    let value = 0
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index] as MarkdownBlock
      const { kind, depth, at } = block
      const part = kind === 'item' || kind === 'row'
      const first = index >= same
      if (first) {
        // Blocks that begin on one line (a list, its item, a fence in it) are one seam: the outermost says how strong,
        // the innermost how to go on.
        for (same = index + 1; same < blocks.length && blocks[same]?.at === at; ) same++
        inside = insides[(blocks[same - 1] as MarkdownBlock).kind]
        if (kind === 'row' && at === table?.headerEnd) value = strength.glue
        else value = part ? Math.max(weakest, strength.item - 2 * depth) : strengthOf(block, before[depth], text)
      }
      if (!part && !isHeadingComment(block, before[depth], text)) before[depth] = block
      before[depth + 1] = undefined
      if (!first && (kind === 'row' || !isUnit(kind))) continue
      const seam = seamOf(block, value, inside)
      if (kind === 'table') {
        table = block
        tableSeam = seam
      }
      yield seam
    }
  }
}

function strengthOf(block: MarkdownBlock, before: MarkdownBlock | undefined, text: string): number {
  const { kind, depth } = block
  const base = depth === 0 ? strength.block : Math.max(weakest, strength.item + 1 - 2 * depth)
  if (kind === 'heading') return depth === 0 ? strength.heading - 2 * (block.level - 1) : base
  if (before === undefined) return base
  if (before.kind === 'heading') return strength.glue
  if (depth === 0 && (kind === 'break' || before.kind === 'frontmatter')) return strength.section
  if (kind === before.kind && (kind === 'definition' || kind === 'footnote')) return Math.min(base, strength.item)
  if (before.kind === 'paragraph' && introduced.has(kind) && endsWithColon(text, before)) return Math.max(weakest, base - 4)
  return base
}

/** Whether a comment stands between a heading and its text: it is glued to the heading, and so is what follows. */
function isHeadingComment(block: MarkdownBlock, before: MarkdownBlock | undefined, text: string): boolean {
  return block.kind === 'html' && before?.kind === 'heading' && text.startsWith('<!--', block.start)
}

/** Whether a paragraph says that something follows, with or without emphasis: `**Options:**`. */
function endsWithColon(text: string, { start, end }: MarkdownBlock): boolean {
  let at = end - 1
  while (at > start && ' \t\r\n*_'.includes(text.charAt(at))) at--
  return ':\uff1a'.includes(text.charAt(at))
}

function seamOf(block: MarkdownBlock, value: number, inside: Inside): Seam {
  const { at, kind, end } = block
  if (!isUnit(kind)) return { at, strength: value, kind, inside }
  if (kind === 'heading' && block.depth === 0) {
    return { at, strength: value, kind, end, inside, heading: { level: block.level, title: block.title } }
  }
  if (kind === 'table') return { at, strength: value, kind, end, inside, header: { start: at, end: block.headerEnd } }
  return { at, strength: value, kind, end, inside }
}
