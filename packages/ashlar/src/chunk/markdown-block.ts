/** What a markdown block is; the names are those of the seams. */
export type MarkdownKind =
  | 'frontmatter'
  | 'heading'
  | 'paragraph'
  | 'definition'
  | 'break'
  | 'fence'
  | 'code'
  | 'math'
  | 'html'
  | 'table'
  | 'row'
  | 'list'
  | 'item'
  | 'quote'
  | 'footnote'

/** One block of a markdown text, as the scan finds it. */
export interface MarkdownBlock {
  kind: MarkdownKind
  /** How many quotes, items and footnotes it stands in; an item counts itself only for what it holds. */
  depth: number
  /** Start of the line that the block begins on. */
  at: number
  /** Where the block itself begins: `at` behind container markers and indentation. */
  start: number
  /** Behind the line break of its last line. */
  end: number
  /** A heading's level; 0 for everything else. */
  level: number
  /** A heading's text without its signs; empty for everything else. */
  title: string
  /** A table's delimiter row ends here; 0 for everything else. */
  headerEnd: number
}
