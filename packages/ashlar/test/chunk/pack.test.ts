import { expect, test } from 'vitest'
import { chunkHtml } from '../../src/html.ts'
import {
  type Chunk,
  chunk,
  chunkCsv,
  chunkMarkdown,
  chunkText,
  type Format,
  isAshlarError,
  separators,
  strength,
} from '../../src/index.ts'

const texts = (chunks: Iterable<Chunk>): string[] => [...chunks].map(({ text }) => text)
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run()
  } catch (error) {
    return isAshlarError(error) ? error.code : String(error)
  }
  return undefined
}

test('preference: paragraph, list item, line, sentence, clause, word', () => {
  const cut = (text: string): string | undefined => texts(chunkText(text, { size: 40, overlap: 0, window: 35 }))[0]
  expect(cut('One one. Two; two two.\n\nThree three three three three three.')).toBe('One one. Two; two two.')
  expect(cut('One one one one one.\n- Two two two two two two two two')).toBe('One one one one one.')
  expect(cut('One one one; one one. Two two two: two two two two two')).toBe('One one one; one one.')
  expect(cut('one one one; one one: two two two two two two two')).toBe('one one one;')
  expect(cut('one one one one one: two two two two two two two')).toBe('one one one one one:')
})

test('a bare number is the size, and overlap is a fifth of it unless said otherwise', () => {
  const text = 'The first stone. The second stone. The third stone. The fourth stone. The fifth stone.'
  expect([...chunkText(text, 60)].every(({ text: piece }) => piece.length <= 60)).toBe(true)
  expect([...chunkText(text, 60)].every(({ lead }) => lead <= 12)).toBe(true)
  expect(
    [...chunkText(text, { size: 60, overlap: 30 })]
      .slice(1)
      .every(({ lead, text: piece }) => lead > 0 && piece.startsWith('The')),
  ).toBe(true)
})

test('fixed size is a window of 0', () => {
  expect(texts(chunkText('abcdefghij', { size: 4, overlap: 0, window: 0 }))).toEqual(['abcd', 'efgh', 'ij'])
  expect(texts(chunkText('abcdefghij', { size: 4, overlap: 2, window: 0, trim: false }))).toEqual([
    'abcd',
    'cdef',
    'efgh',
    'ghij',
  ])
})

test('recursive splitting is a list of separators, strongest first', () => {
  const options = { format: separators(['\n\n', '\n', ' ']), size: 12, overlap: 0 }
  expect(texts(chunk('aaa bbb\nccc\n\nddd eee', options))).toEqual(['aaa bbb\nccc', 'ddd eee'])
  expect(texts(chunk('aaaaaaaaaaaaaaaa', options)).join('')).toBe('aaaaaaaaaaaaaaaa')
})

test('nearest takes the last of equal seams within a window of 50', () => {
  const text = `${'word '.repeat(30)}end`
  const [first] = chunkText(text, { size: 100, overlap: 0, window: 50, choose: 'nearest' })
  expect(first?.end).toBe(99)
})

test('without trimming the own parts are the source', () => {
  const text = '  One.\n\n\n  Two two.  \r\n\r\nThree.  '
  const chunks = [...chunkText(text, { size: 10, overlap: 3, trim: false })]
  expect(chunks.map((piece) => text.slice(piece.start + piece.lead, piece.end)).join('')).toBe(text)
})

test('nothing but white space gives no chunk when trimmed, and itself when not', () => {
  expect(texts(chunkText(' \n\t '))).toEqual([])
  expect(texts(chunkText(' \n\t ', { trim: false }))).toEqual([' \n\t '])
  expect(texts(chunkText(''))).toEqual([])
})

test('a short tail is shared with the chunk before it', () => {
  const text = `${'Stone lies on stone here. '.repeat(8)}End.`
  const lengths = texts(chunkText(text, { size: 200, overlap: 0 })).map(({ length }) => length)
  expect(lengths).toHaveLength(2)
  expect(Math.min(...lengths)).toBeGreaterThan(60)
})

test('a list, a table, a fence and a formula stay whole where they fit', () => {
  const text = [
    'An introduction that is long enough to push what follows over the limit of the first chunk of this text.',
    '- first item\n- second item\n- third item',
    '```js\nconst a = 1\n\nconst b = 2\n```',
    '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
    '$$\nx = y\n\n+ z\n$$',
  ].join('\n\n')
  const chunks = texts(chunkMarkdown(text, { size: 110, overlap: 20 }))
  for (const whole of text.split('\n\n').slice(1, 2)) expect(chunks.some((piece) => piece.includes(whole))).toBe(true)
  for (const whole of [
    '```js\nconst a = 1\n\nconst b = 2\n```',
    '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
    '$$\nx = y\n\n+ z\n$$',
  ]) {
    expect(chunks.some((piece) => piece.includes(whole))).toBe(true)
  }
})

test('a heading stays with its text and titles the chunks below it', () => {
  const text =
    '# Walls\n\nIntro.\n\n## Dry\n\nStone on stone, and nothing between.\n\n## Wet\n\nMortar in the joints, lime and sand.\n'
  const chunks = [...chunkMarkdown(text, { size: 60, overlap: 0 })]
  expect(chunks.map(({ outline }) => outline)).toEqual([['Walls'], ['Walls', 'Dry'], ['Walls', 'Wet']])
  expect(chunks[1]?.text.startsWith('## Dry')).toBe(true)
})

test('the header of a table is beside its pieces, not in them', () => {
  const rows = Array.from({ length: 20 }, (_, index) => `stone ${index},${index * 3}`).join('\n')
  const text = `name,weight\n${rows}\n`
  const chunks = [...chunkCsv(text, { size: 60, overlap: 0 })]
  expect(chunks.length).toBeGreaterThan(3)
  expect(chunks[0]?.header).toBeUndefined()
  for (const { header, text: piece } of chunks.slice(1)) {
    expect(header && text.slice(header.start, header.end).trim()).toBe('name,weight')
    expect(piece).not.toContain('weight')
  }
})

test('after a nested table the outer header is known again', () => {
  const cell = '<td>stone and more stone to fill the row</td>'
  const inner = '<table><tr><th>in</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table>'
  const text = `<table><tr><th>out</th></tr><tr>${cell}</tr><tr><td>${inner}</td></tr><tr>${cell}</tr><tr>${cell}</tr></table>`
  const chunks = [...chunkHtml(text, { size: 110, overlap: 0 })]
  const last = chunks.at(-1)
  expect(last?.header && text.slice(last.header.start, last.header.end)).toContain('out')
})

test('options are checked before anything is cut', () => {
  for (const size of [0, -1, 1.5, Number.NaN]) expect(codeOf(() => chunkText('a', { size }))).toBe('INVALID_SIZE')
  for (const overlap of [-1, 51, 0.5]) expect(codeOf(() => chunkText('a', { size: 100, overlap }))).toBe('INVALID_OVERLAP')
  expect(codeOf(() => chunkText('a', { window: -1 }))).toBe('INVALID_WINDOW')
  expect(codeOf(() => chunkText('a', { counter: (() => 1) as never }))).toBe('INVALID_COUNTER')
})

test('a format whose seams run backwards is refused by name', () => {
  const wrong: Format = {
    id: 'wrong',
    seams: () => [5, 3].map((at) => ({ at, strength: strength.block, kind: 'x' })),
  }
  expect(codeOf(() => [...chunk('abcdefghijkl', { format: wrong, size: 4, overlap: 0 })])).toBe('INVALID_SEAM')
})
