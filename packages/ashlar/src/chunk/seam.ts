import type { Span } from '../text/span.ts'

/**
 * How willingly a text may be cut at a seam; a stronger seam in the window always wins over a weaker one.
 *
 * Formats may use any number in between (a nested list item is a little weaker than its parent), but stay above `line`
 * for structure, so that structure beats the text inside it.
 */
export const strength = {
  /** A chunk always ends here, however small it is, and no overlap reaches over it: a new topic, a new record. */
  always: 1000,
  /** Before a heading of level 1; each deeper level is 2 less, down to 86 for level 6. */
  heading: 96,
  /** Between parts that are not headed: thematic breaks, front matter, top-level records. */
  section: 84,
  /** Between paragraphs and other blocks. */
  block: 70,
  /** Before a list item, a row, an entry. */
  item: 60,
  /** After a line break that ends a line on purpose. */
  line: 50,
  /** After a sentence. */
  sentence: 40,
  /** After a semicolon; a colon is 2 less. */
  clause: 30,
  /** After a line break that only wraps a sentence. */
  wrap: 22,
  /** Between words. */
  word: 20,
  /** Between graphemes: the hard cut. */
  grapheme: 10,
  /** A place that should stay closed (a heading and its text, a header and its rows); used only when nothing else is left. */
  glue: 5,
} as const

/**
 * How the text between a seam and the next one may be cut, besides at the format's own seams.
 *
 * - `text`: nothing is known: blank lines, list items, lines, sentences, clauses, words
 * - `prose`: one paragraph: sentences, clauses, wrapped lines, words
 * - `lines`: code, logs, verse: blank lines, lines, words
 * - `words`: words only
 * - `whole`: nothing but graphemes: markup, addresses, anything that a cut would break
 */
export type Inside = 'text' | 'prose' | 'lines' | 'words' | 'whole'

/** A place where a text may be cut, and what a format knows about the text that begins there. */
export interface Seam {
  /** The index the following piece would start at. White space before a seam belongs to the piece before it. */
  readonly at: number
  /** See {@link strength}. */
  readonly strength: number
  /** What begins here, for people: `heading`, `paragraph`, `list`, `item`, `table`, `row`, `fence`, `math` … */
  readonly kind: string
  /** Set when `[at, end)` is a unit (a list, an item, a table, a row, a fence, a formula) that is cut only if it does not fit. */
  readonly end?: number
  /** How the text up to the next seam may be cut. @default 'text' */
  readonly inside?: Inside
  /** Set when a heading begins here: level 1-6 and its text without markup signs. */
  readonly heading?: { readonly level: number; readonly title: string }
  /**
   * Set on a unit whose pieces need a header beside them (a table's header rows): where that header stands.
   * It holds for chunks that begin after `header.end` and before `end`.
   */
  readonly header?: Span
}

/**
 * A format: one function from a text to its seams, in rising order of `at` (equal positions allowed, the strongest counts).
 *
 * It is read lazily, only as far as the packer has come; text seams (sentences, words …) between the format's own are
 * found by the packer. Everything else (size, overlap, trimming, laws 1-6) is the packer's.
 */
export interface Format {
  /** Short name, kept with each chunk's provenance: `plain`, `markdown`. */
  readonly id: string
  seams(text: string): Iterable<Seam>
}
