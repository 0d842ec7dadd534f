import { HtmlReader } from './html-reader.ts'
import type { Format, Seam } from './seam.ts'

/**
 * HTML as a format: cut before headings, sections, blocks, items and rows, never inside a tag or an entity unless nothing else
 * fits; lists, tables, code and formulas are units, and a table's header is known to its pieces.
 *
 * Tags are read by parse5's tokenizer and nest by HTML's own rules, so that missing and crossed tags end where a browser ends
 * them. Elements more than 512 deep are cut at but not kept whole. Seams inside an open unit are held until it ends.
 */
export const html: Format = { id: 'html', seams: htmlSeams }

function* htmlSeams(text: string): Generator<Seam, undefined> {
  const reader = new HtmlReader(text)
  for (let seams = reader.next(); seams !== undefined; seams = reader.next()) yield* seams
}
