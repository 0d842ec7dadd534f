import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'

/** Markdown, kept as it is. The title is that of the front matter, else the first heading of level 1. */
export const markdownLoader: Loader = {
  id: 'markdown/1',
  extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx', 'qmd', 'rmd'],
  mediaTypes: ['text/markdown'],
  light: true,
  async load(input) {
    const { text, encoding, notes } = readText(input)
    const title = markdownTitle(text)
    return { text, format: 'markdown', encoding, loader: markdownLoader.id, notes, ...(title === undefined ? {} : { title }) }
  },
}

function markdownTitle(text: string): string | undefined {
  const start = text.slice(0, 20_000)
  const front = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\s*(?:\r?\n|$)/.exec(start)
  const named = /^title:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|([^\n]+?))[ \t]*\r?$/m.exec(front?.[1] ?? '')
  const title = named?.[1] ?? named?.[2] ?? named?.[3]
  if (title !== undefined) return title.trim()
  // Lines in a fence are no headings.
  const outside = start.slice(front?.[0].length ?? 0).replace(/^( {0,3})(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\2|$(?![\s\S]))/gm, '')
  const heading = /^ {0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/m.exec(outside) ?? /^ {0,3}(\S[^\n]*)\r?\n=+[ \t]*$/m.exec(outside)
  return heading?.[1]?.trim() || undefined
}
