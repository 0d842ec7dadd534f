import { expect, test } from 'vitest'
import { html } from '../../src/html.ts'
import { approximateTokens, characters, csv, json, jsonLines, markdown, plain, words } from '../../src/index.ts'
import { treeContract } from '../../src/testing/tree-contract.ts'
import { cl100k } from '../../src/tokens-cl100k.ts'
import { buildTree, treePresets } from '../../src/tree.ts'
import { realDocuments } from '../text/shared-data.ts'

for (const format of [plain, markdown, html, csv(), json, jsonLines]) {
  treeContract({
    name: format.id,
    format: format.id,
    test,
    counters: [characters, words, approximateTokens, cl100k],
    build: (text, settings) => buildTree(text, { ...settings, format, document: 'd' }),
  })
}

treeContract({
  name: 'real documents',
  test,
  runs: 1,
  counters: [characters, cl100k],
  documents: realDocuments().map((text, index) => ({ name: `document ${index}`, text: text.slice(0, 60_000) })),
  build: (text, settings) => buildTree(text, { ...settings, format: markdown }),
})

const paragraph = 'Stone is laid on stone and needs no mortar when it is cut true. The mason looks along the course. '

test('sections are kept apart, and short ones are joined', () => {
  const long = paragraph.repeat(6)
  const text = `# One\n\n${long}\n\n## Aside\n\nShort.\n\n## Other\n\n${long}\n\n# Two\n\n${long}\n\n## End\n\nDone.\n`
  const { parents, sections } = buildTree(text, { format: markdown })
  const openings = sections.map(({ text, outline }) => [text.slice(0, text.indexOf('\n')), outline.join(' > ')])
  expect(openings).toEqual([
    ['# One', 'One'],
    ['## Other', 'One > Other'],
    ['# Two', 'Two'],
  ])
  expect(parents.filter(({ text }) => text.startsWith('## Aside'))).toEqual([])
  for (const { text } of parents) expect(text.length).toBeLessThanOrEqual(800)
})

test('a paragraph long enough to stand alone begins a child', () => {
  const paragraphs = Array.from({ length: 12 }, (_, index) => `${index}. ${paragraph.repeat(2)}`.trim())
  const { children } = buildTree(paragraphs.join('\n\n'), { child: 380, parent: 1000 })
  expect(children.map(({ text }) => text.trim())).toEqual(paragraphs)
})

test('sizes of the specification: parents up to 1,200 tokens of children up to 400', () => {
  const { children, parents } = buildTree(paragraph.repeat(300), treePresets.specification)
  for (const { text } of parents.slice(0, -1)) expect(approximateTokens(text)).toBeGreaterThanOrEqual(700)
  for (const { text } of children.slice(0, -1)) expect(approximateTokens(text)).toBeGreaterThanOrEqual(200)
  expect(parents.length).toBeGreaterThan(5)
})

test('ids name the level and the document, and survive an edit elsewhere', () => {
  const text = Array.from({ length: 30 }, (_, index) => `Course ${index}. ${paragraph.repeat(3)}`).join('\n\n')
  const before = buildTree(text, { document: 'a' })
  const edited = buildTree(text.replace('Course 7.', 'The seventh course from below.'), { document: 'a' })
  const other = buildTree(text, { document: 'b' })
  for (const level of ['children', 'parents', 'sections'] as const) {
    const known = new Set(before[level].map(({ id }) => id))
    expect(edited[level].filter(({ id }) => !known.has(id)).length).toBeLessThanOrEqual(2)
    expect(other[level].filter(({ id }) => known.has(id))).toEqual([])
  }
  const all = [...before.children, ...before.parents, ...before.sections]
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
})

test('an empty document has no pieces, white space alone has', () => {
  expect(buildTree('')).toMatchObject({ sections: [], parents: [], children: [] })
  expect(
    buildTree(' \n ')
      .children.map(({ text }) => text)
      .join(''),
  ).toBe(' \n ')
})

test.each([{ child: 0 }, { child: 900 }, { parent: 5000 }, { section: 1.5 }, { least: -1 }, { least: 900 }])(
  'refuses %j',
  (options) => {
    expect(() => buildTree('text', options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  },
)
