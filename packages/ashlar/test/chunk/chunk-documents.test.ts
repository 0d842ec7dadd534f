import { expect, test } from 'vitest'

import { chunkDocuments, chunkText, identify, markdown } from '../../src/index.ts'

const documents = [
  { id: 'a.md', text: '# One\n\nStone on stone.\n\n# Two\n\nLime and sand.', metadata: { author: 'Ames', year: 2026 } },
  { id: 'b.md', text: 'Short.' },
]

test('each chunk has its document, its metadata, and how it was made', () => {
  const chunks = [...chunkDocuments(documents, { format: markdown, size: 25, overlap: 0 })]
  expect(chunks.map(({ document, metadata }) => [document, metadata])).toEqual([
    ['a.md', { author: 'Ames', year: 2026, chunker: 'markdown', index: 0, total: 2 }],
    ['a.md', { author: 'Ames', year: 2026, chunker: 'markdown', index: 1, total: 2 }],
    ['b.md', { chunker: 'markdown', index: 0, total: 1 }],
  ])
  expect(chunks.map(({ outline }) => outline)).toEqual([['One'], ['Two'], []])
})

test('ids belong to the document', () => {
  const [first] = chunkDocuments([{ id: 'x', text: 'Same.' }])
  const [second] = chunkDocuments([{ id: 'y', text: 'Same.' }])
  const [alone] = identify(chunkText('Same.'), { document: 'x' })
  expect(first?.id).not.toBe(second?.id)
  expect(first?.id).toBe(alone?.id)
})

test("a stranger's chunker is recorded by the name it is given", () => {
  const halves = (text: string) => {
    const middle = Math.floor(text.length / 2)
    return [
      { start: 0, end: middle, text: text.slice(0, middle), lead: 0, index: 0, outline: [] },
      { start: middle, end: text.length, text: text.slice(middle), lead: 0, index: 1, outline: [] },
    ]
  }
  const chunks = [...chunkDocuments([{ text: 'abcd' }], { chunker: halves, name: 'halves' })]
  expect(chunks.map(({ text, metadata }) => [text, metadata.chunker, metadata.total])).toEqual([
    ['ab', 'halves', 2],
    ['cd', 'halves', 2],
  ])
})
