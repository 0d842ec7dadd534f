import { expect, test } from 'vitest'
import { html } from '../../src/html.ts'
import { csv, markdown, words } from '../../src/index.ts'
import { buildTree, embeddingText, structuralContext, type Tree, type TreePiece } from '../../src/tree.ts'

function find(tree: Tree, text: string): TreePiece {
  return tree.children.find((child) => child.text.includes(text)) as TreePiece
}

const handbook = `# Handbook\n\n## Leave\n\n${'Leave is asked for in writing. '.repeat(20)}\n\n### Parents\n\n${'Sixteen weeks are paid. '.repeat(20)}Ask early.\n`

test('the path is the title and the headings above, none twice, none that the text says itself', () => {
  const tree = buildTree(handbook, { format: markdown, title: 'Handbook' })
  expect(structuralContext(tree, find(tree, 'Ask early')).path).toEqual(['Handbook', 'Leave', 'Parents'])
  expect(structuralContext(tree, find(tree, '### Parents')).path).toEqual(['Handbook', 'Leave'])
})

test('a piece of a table has its header and its caption beside it', () => {
  const rows = Array.from({ length: 60 }, (_, index) => `| stone ${index} | ${index * 7} kg |`).join('\n')
  const tree = buildTree(`Some text.\n\nTable 3. Stones by weight\n\n| stone | weight |\n|---|---|\n${rows}\n`, {
    format: markdown,
  })
  expect(structuralContext(tree, find(tree, 'stone 59'))).toEqual({
    path: [],
    caption: 'Table 3. Stones by weight',
    header: '| stone | weight |\n|---|---|',
  })
  const page = `<table><caption>Stones</caption><thead><tr><th>stone</th></tr></thead>${'<tr><td>quoin</td></tr>'.repeat(60)}<tr><td>last</td></tr></table>`
  const fromHtml = buildTree(page, { format: html })
  expect(structuralContext(fromHtml, find(fromHtml, 'last'))).toMatchObject({ caption: 'Stones' })
  const sheet = buildTree(`stone,weight\n${'quoin,40\n'.repeat(80)}voussoir,7\n`, { format: csv() })
  expect(structuralContext(sheet, find(sheet, 'voussoir')).header).toBe('stone,weight')
})

test('context gives way to the limit, outermost first, and the text never does', () => {
  const tree = buildTree(handbook, { format: markdown, title: 'Company' })
  const piece = find(tree, 'Ask early')
  const own = words(piece.text)
  const at = (limit: number): string => embeddingText(tree, piece, { limit, counter: words })
  const head = (text: string): string => text.slice(0, text.indexOf(piece.text.trim())).trim()
  expect(head(at(1000))).toBe('Company > Handbook > Leave > Parents')
  expect(head(at(own + 2))).toBe('Leave > Parents')
  expect(at(own)).toBe(piece.text.trim())
  expect(at(1)).toBe(piece.text.trim())
})
