import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { chunkText, identify } from '../../src/index.ts'
import { fastest } from '../fastest.ts'

const piece = (text: string, lead = 0): { text: string; lead: number } => ({ text, lead })
const ids = (texts: readonly string[], options?: Parameters<typeof identify>[1]): string[] =>
  [
    ...identify(
      texts.map((text) => piece(text)),
      options,
    ),
  ].map(({ id }) => id)

test('an id is 128 bits of SHA-256 over document, level and own text: pinned, since stores keep it', () => {
  const expected = createHash('sha256').update('4:wall5:chunk:Stone on stone.').digest('hex').slice(0, 32)
  expect(ids(['Stone on stone.'], { document: 'wall' })).toEqual([expected])
})

test('overlap is no part of an id, document and level are', () => {
  const [plain] = identify([piece('own')])
  const [led] = identify([piece('before own', 7)])
  expect(led?.id).toBe(plain?.id)
  expect(ids(['own'], { document: 'a' })).not.toEqual(ids(['own'], { document: 'b' }))
  expect(ids(['own'], { level: 'parent' })).not.toEqual(ids(['own'], { level: 'child' }))
  expect(ids(['bc'], { document: 'a' })).not.toEqual(ids(['c'], { document: 'ab' }))
})

test('repeats are told apart by what stands before them, then by counting', () => {
  const all = ids(['a', 'x', 'b', 'x', 'b', 'x', 'c', 'x'])
  expect(new Set(all).size).toBe(all.length)
  const edited = ids(['new', 'a', 'x', 'b', 'x', 'b', 'x', 'c', 'x'])
  expect(edited.slice(1)).toEqual(all)
  const later = ids(['a', 'x', 'b', 'x', 'b', 'x', 'changed', 'x'])
  expect(later.filter((id) => !all.includes(id))).toHaveLength(2)
})

test('a hundred thousand equal chunks get a hundred thousand ids in linear time', () => {
  const repeated = Array.from({ length: 100_000 }, () => piece('same'))
  const seconds = fastest(() => expect(new Set([...identify(repeated)].map(({ id }) => id)).size).toBe(repeated.length), 1)
  expect(seconds).toBeLessThan(5)
})

test('text before a chunk can move without changing its id', () => {
  const text = Array.from({ length: 40 }, (_, index) => `Stone ${index} lies on stone ${index + 1}. It is cut true.`).join('\n\n')
  const before = [...identify(chunkText(text, { size: 200 }))].map(({ id }) => id)
  const after = [...identify(chunkText(`A new first paragraph.\n\n${text}`, { size: 200 }))].map(({ id }) => id)
  expect(after.filter((id) => !before.includes(id)).length).toBeLessThanOrEqual(3)
})
