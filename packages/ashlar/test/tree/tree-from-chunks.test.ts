import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTree } from '../../src/store/check-tree.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { treeFromChunks } from '../../src/tree/tree-from-chunks.ts'

const text = 'Stone on stone.\n\nSlate on wood. Lime and sand.'

describe('a tree of chunks that somebody else cut', () => {
  test('has them as children, white space between them and what they leave out included', () => {
    const tree = treeFromChunks(
      text,
      [
        { start: 0, end: 15 },
        { start: 17, end: 31, outline: ['Roofs'] },
      ],
      { document: 'd', title: 't' },
    )
    expect(tree.children.map((child) => [child.text, child.outline])).toEqual([
      ['Stone on stone.\n\n', []],
      ['Slate on wood. ', ['Roofs']],
      ['Lime and sand.', ['Roofs']],
    ])
    expect([tree.document, tree.title, tree.parents.length]).toEqual(['d', 't', 1])
  })

  test('keeps overlaps as what a child repeats', () => {
    const { children } = treeFromChunks(text, [
      { start: 0, end: 20 },
      { start: 9, end: text.length },
    ])
    expect(children.map(({ start, end, lead }) => [start, end, lead])).toEqual([
      [0, 20, 0],
      [9, text.length, 11],
    ])
  })

  test.each([
    [[{ start: -1, end: 3 }]],
    [[{ start: 3, end: 3 }]],
    [[{ start: 0, end: text.length + 1 }]],
    [[{ start: 0.5, end: 3 }]],
    [
      [
        { start: 0, end: 9 },
        { start: 2, end: 8 },
      ],
    ],
    [
      [
        { start: 5, end: 9 },
        { start: 2, end: 12 },
      ],
    ],
  ])('%j is refused', (chunks) => {
    expect(() => treeFromChunks(text, chunks)).toThrowError(expect.objectContaining({ code: 'INVALID_DOCUMENT' }))
  })

  test('is a sound tree for any slices in order, and nothing of the text is missing', () => {
    const slices = fc
      .tuple(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '.', 'b'), maxLength: 300 }),
        fc.array(fc.nat(299), { maxLength: 20 }),
      )
      .map(([whole, places]) => {
        const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((left, right) => left - right)
        const chunks = cuts.flatMap((start, at) =>
          at % 2 === 0 && cuts[at + 1] !== undefined ? [{ start, end: cuts[at + 1] as number }] : [],
        )
        return { whole, chunks }
      })
    fc.assert(
      fc.property(slices, ({ whole, chunks }) => {
        const tree = treeFromChunks(whole, chunks, { document: 'd', child: 20, parent: 40, section: 80 })
        checkTree(tree)
        expect(tree.children.map((child) => child.text.slice(child.lead)).join('')).toBe(whole)
        for (const { start } of chunks.slice(1)) expect(tree.children.some((child) => child.start === start)).toBe(true)
      }),
    )
  })

  test('is the one that buildTree makes when it is given the same cuts', () => {
    const built = buildTree(text.repeat(40), { document: 'd' })
    const tree = treeFromChunks(text.repeat(40), built.children, { document: 'd' })
    expect(tree.children.map(({ id }) => id)).toEqual(built.children.map(({ id }) => id))
  })
})
