import { Parser } from 'commonmark'
import { markdownBlocks } from '../../src/chunk/markdown-blocks.ts'

const kinds: Partial<Record<string, string>> = {
  heading: 'heading',
  paragraph: 'paragraph',
  thematic_break: 'break',
  code_block: 'code',
  html_block: 'html',
  list: 'list',
  item: 'item',
  block_quote: 'quote',
}

/** What the reference implementation of CommonMark finds: kind, depth and first line of each block. */
export function referenceBlocks(text: string): string[] {
  const blocks: string[] = []
  const walker = new Parser().parse(text).walker()
  let depth = 0
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node, entering } = event
    const kind = kinds[node.type]
    if (kind === undefined) continue
    const holding = kind === 'item' || kind === 'quote'
    if (!entering) {
      if (holding) depth--
      continue
    }
    blocks.push(`${kind === 'heading' ? `heading ${node.level}` : kind}, depth ${depth}, line ${node.sourcepos[0][0]}`)
    if (holding) depth++
  }
  return blocks
}

/** What our scan finds, in the same form. It also knows definitions and fences, which the reference does not tell apart. */
export function plainBlocks(text: string): string[] {
  const lines = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)]
  const blocks: string[] = []
  for (const { kind, depth, start, level } of markdownBlocks(text)) {
    if (kind === 'definition') continue
    const name = kind === 'heading' ? `heading ${level}` : kind === 'fence' ? 'code' : kind
    blocks.push(`${name}, depth ${depth}, line ${lines.findLastIndex((line) => line <= start) + 1}`)
  }
  return blocks
}
