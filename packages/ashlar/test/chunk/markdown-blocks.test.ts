import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainBlocks, referenceBlocks } from './commonmark-blocks.ts'
import { commonmarkExamples } from './commonmark-examples.ts'
import { commonmarkTexts, extendedTexts } from './markdown-texts.ts'
import { firstDifference, scannedBlocks } from './mdast-blocks.ts'

interface AcceptedDifference {
  readonly source: string
  readonly markdown: string
  readonly reason: string
}

const root = new URL('../../../../', import.meta.url)
const list = readFileSync(new URL('bench/markdown/accepted-differences.json', root), 'utf8')
const accepted = JSON.parse(list) as AcceptedDifference[]
const acceptedTexts = new Set(accepted.map(({ markdown }) => markdown))

describe('markdown blocks', () => {
  test('are those of a full parse on every CommonMark example', () => {
    expect(commonmarkExamples).toHaveLength(652)
    const different = commonmarkExamples.filter(({ text }) => firstDifference(text) !== undefined)
    expect(different.filter(({ text }) => !acceptedTexts.has(text))).toEqual([])
  })

  test('are those of a full parse on every README at hand', { timeout: 300_000 }, () => {
    const files = globSync('{,bench/peers/}node_modules/**/{README,Readme,readme}*.md', { cwd: fileURLToPath(root) })
    const texts = new Map(files.map((file) => [readFileSync(new URL(file, root), 'utf8'), file]))
    expect(texts.size).toBeGreaterThan(100)
    const different = [...texts].filter(([text]) => firstDifference(text) !== undefined)
    expect(different.map(([, file]) => file)).toEqual([])
  })

  test('are those of the reference implementation on random texts', () => {
    // It knows no front matter.
    const texts = commonmarkTexts.filter((text) => !/^(---|\+\+\+)/.test(text))
    fc.assert(
      fc.property(texts, (text) => {
        expect(plainBlocks(text)).toEqual(referenceBlocks(text))
      }),
      { numRuns: 5000 },
    )
  })

  test('are those of a full parse on random texts with tables, formulas, footnotes and definitions', () => {
    const texts = extendedTexts.filter((text) => !isDisputed(text))
    fc.assert(
      fc.property(texts, (text) => {
        expect(firstDifference(text)).toBeUndefined()
      }),
      { numRuns: 3000 },
    )
  })

  test.each(accepted)('differ where the parse leaves CommonMark: $reason', ({ markdown, source }) => {
    expect(firstDifference(markdown)).toBeDefined()
    if (source === 'random texts') expect(plainBlocks(markdown)).toEqual(referenceBlocks(markdown))
  })
})

/**
 * Where the accepted differences lie: front matter without end, a heading under a definition, indented code behind a
 * container; and footnotes in footnotes, of which nothing says how they are meant.
 */
function isDisputed(text: string): boolean {
  if (/^(---|\+\+\+)/.test(text)) return true
  const blocks = scannedBlocks(text)
  return blocks.some(({ kind, depth }, index) => {
    const before = blocks[index - 1]
    if (kind === 'code' || (kind === 'footnote' && depth > 0)) return true
    return kind.startsWith('heading') && before?.kind === 'definition' && before.depth === depth
  })
}
