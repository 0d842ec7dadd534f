import type { Chunk } from '../../src/chunk/chunk.ts'
import { chunkMarkdown } from '../../src/chunk/chunkers.ts'
import { identify } from '../../src/chunk/identify.ts'
import type { EnrichmentSource } from '../../src/enrich/enrichment.ts'

/** A document cut into children with ids. */
export function smallSource(text: string, options: { document?: string; title?: string; size?: number } = {}): EnrichmentSource {
  const { document = 'small', title = 'Small', size = 300 } = options
  const cut: Iterable<Chunk> = chunkMarkdown(text, { size, overlap: 0 })
  return { document, title, text, children: [...identify(cut, { document, level: 'child' })] }
}

/** Markdown with `sections` headings and about `length` characters, each paragraph different. */
export function numberedText(sections: number, length: number): string {
  const lines: string[] = ['# Handbook', '', 'What the wall is, and how it is kept.', '']
  const paragraphs = Math.ceil(length / sections / 120)
  for (let section = 0; section < sections; section++) {
    lines.push(`## Part ${section}`, '')
    for (let paragraph = 0; paragraph < paragraphs; paragraph++) {
      lines.push(
        `Paragraph ${section}-${paragraph} says that course ${section * 100 + paragraph} of the wall was laid dry and holds still.`,
        '',
      )
    }
  }
  return lines.join('\n')
}
