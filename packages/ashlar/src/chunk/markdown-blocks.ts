import type { MarkdownBlock } from './markdown-block.ts'
import { scanMarkdown } from './markdown-scan.ts'

/**
 * The blocks of a markdown text at all depths, in the order they begin, a container before what it holds.
 *
 * Read lazily: a block is given as soon as the top-level block that it belongs to is complete.
 */
export function* markdownBlocks(text: string): Generator<MarkdownBlock, undefined> {
  const next = scanMarkdown(text)
  for (let blocks = next(); blocks !== undefined; blocks = next()) {
    for (const block of blocks) yield block
  }
}
