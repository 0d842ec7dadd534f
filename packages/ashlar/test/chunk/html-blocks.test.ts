import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import { describe, expect, test } from 'vitest'
import { parsedBlocks, seamBlocks } from './parsed-blocks.ts'

const rowGroups = new Set(['thead', 'tbody', 'tfoot'])

/** The HTML files and, rendered, the READMEs that installed packages carry, each content once. */
function findDocuments(): Map<string, string> {
  const root = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
  const found = new Map<string, string>()
  for (const path of (readdirSync(root, { recursive: true }) as string[]).sort()) {
    if (found.size === 400) break
    const isHtml = /\.html?$/.test(path)
    if (!isHtml && !/(^|[\\/])readme[^\\/]*\.(md|markdown)$/i.test(path)) continue
    const text = readFileSync(join(root, path), 'utf8')
    found.set(isHtml ? text : render(text), path)
  }
  return found
}

function render(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] })
}

describe('blocks start and end where parse5 has them', () => {
  test('in HTML files and rendered READMEs', () => {
    const documents = findDocuments()
    const different: string[] = []
    for (const [text, path] of documents) if (seamBlocks(text).join('\n') !== parsedBlocks(text).join('\n')) different.push(path)
    expect(different).toEqual([])
    expect(documents.size).toBeGreaterThan(200)
  })

  /*
   * Known differences are not in these alphabets:
   * - an end tag of a formatting or unknown element ends SVG and MathML that was left open inside of it; here it does not,
   *   since such elements are not kept
   * - a script, style, xmp or template that is never closed ends at the end of the text; parse5 reports a place before
   * - the end tag of a group of rows that is not open is ignored, as the standard has it; parse5 ends an open row there
   * - what is ignored inside `template` depends on what stood in it before; here it does not
   */
  test.each([
    ['paragraphs, lists and tables', 'p div ul li dl dt dd table tr td th tbody thead h1 pre b a span blockquote section'],
    ['parts of tables', 'table caption colgroup col thead tbody tfoot tr td th p ul li'],
    ['forms', 'form button select option input textarea div ul li p table tr td'],
    ['everything else', 'object title noscript summary details hr br ol h2 center menu figure main aside dialog'],
  ])('in tag soup of %s', (_name, names) => {
    const tags = names.split(' ').flatMap((name) => (rowGroups.has(name) ? [`<${name}>`] : [`<${name}>`, `</${name}>`]))
    const tag = fc.constantFrom(...tags)
    const piece = fc.oneof(
      { weight: 4, arbitrary: tag },
      { weight: 1, arbitrary: fc.constantFrom('x', ' ', '\n', '&amp;', '<!--c-->') },
    )
    const soup = fc.tuple(fc.constantFrom('', '<!doctype html>'), fc.array(piece, { maxLength: 24 }))
    fc.assert(
      fc.property(soup, ([doctype, pieces]) => {
        const text = doctype + pieces.join('')
        expect(seamBlocks(text)).toEqual(parsedBlocks(text))
      }),
      { numRuns: 1500 },
    )
  })
})
