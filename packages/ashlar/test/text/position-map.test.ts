import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineMap } from '../../src/text/line-map.ts'
import { packPositions, unpackPositions } from '../../src/text/packed-positions.ts'
import { citePlace, columnName } from '../../src/text/place.ts'
import { type PositionMap, placeOf } from '../../src/text/position-map.ts'

const count = fc.nat({ max: 2 ** 31 })
const starts = fc.array(fc.nat({ max: 5000 }), { maxLength: 50 }).map((steps) => {
  let at = 0
  return steps.map((step) => (at += step))
})

const anyMap: fc.Arbitrary<PositionMap> = fc.oneof(
  starts.map((starts) => ({ kind: 'pages' as const, starts })),
  starts.map((starts) => ({ kind: 'paragraphs' as const, starts })),
  fc.tuple(starts, fc.constantFrom('code', 'markdown', 'raw', 'output')).map(([starts, part]) => ({
    kind: 'notebook' as const,
    stretches: starts.map((start, index) => ({ start, cell: index + 1, part })),
  })),
  fc
    .tuple(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), starts, starts, count, count)
    .map(([names, starts, runs, row, rows]) => ({
      kind: 'sheets' as const,
      names,
      starts,
      runs: runs.map((start, index) => ({ start, sheet: index % 3, row, rows, column: index + 1 })),
    })),
)

describe('a packed position map', () => {
  test('is the same after unpacking', () => {
    fc.assert(
      fc.property(anyMap, (map) => {
        expect(unpackPositions(packPositions(map))).toEqual(map)
      }),
    )
  })

  test('is small', () => {
    const rows = {
      kind: 'sheets',
      names: ['Data'],
      starts: [0],
      runs: [{ start: 8, sheet: 0, row: 1, rows: 100_000, column: 1 }],
    } as const
    expect(packPositions(rows).length).toBeLessThan(40)
    const pages = { kind: 'pages', starts: Array.from({ length: 10_000 }, (_, index) => index * 3000) } as const
    expect(packPositions(pages).length).toBeLessThan(30_000)
  })

  test('that is damaged says so', () => {
    for (const text of ['', 'x1', 'p2AA==', 'p1%%%', 'p1', 'p1/////w==', `${packPositions({ kind: 'pages', starts: [1] })}AA==`])
      expect(() => unpackPositions(text), text).toThrow(expect.objectContaining({ code: 'DAMAGED_STORE' }))
  })
})

describe('the place of an offset', () => {
  test('without a map is the one LineMap gives', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u{1f600}') }),
        fc.integer({ min: -2, max: 30 }),
        (text, offset) => {
          expect(placeOf(undefined, text, offset)).toEqual({ kind: 'line', ...new LineMap(text).at(offset) })
        },
      ),
    )
  })

  test('in pages skips those without text', () => {
    const map = { kind: 'pages', starts: [0, 3, 3, 5] } as const
    expect([0, 2, 3, 4, 5, 99].map((offset) => citePlace(placeOf(map, 'abcdef', offset)))).toEqual([
      'page 1',
      'page 1',
      'page 3',
      'page 3',
      'page 4',
      'page 4',
    ])
  })

  test('in sheets is the cell', () => {
    const text = '# Costs\n\n| item | a\\|b |\n| --- | --- |\n| rope | 12 |\n| nails | 3 |\n\n# Empty\n'
    const map = {
      kind: 'sheets',
      names: ['Costs', 'Empty'],
      starts: [0, text.indexOf('# Empty')],
      runs: [
        { start: text.indexOf('| item'), sheet: 0, row: 3, rows: 1, column: 2 },
        { start: text.indexOf('| rope'), sheet: 0, row: 4, rows: 2, column: 2 },
      ],
    } as const
    const cite = (word: string): string => citePlace(placeOf(map, text, text.indexOf(word)))
    expect(['Costs', 'item', 'a\\|b', 'b |', '---', 'rope', '12', 'nails', '3 |', 'Empty'].map(cite)).toEqual([
      'Costs!B3',
      'Costs!B3',
      'Costs!C3',
      'Costs!C3',
      'Costs!B4',
      'Costs!B4',
      'Costs!C4',
      'Costs!B5',
      'Costs!C5',
      'Empty!A1',
    ])
    expect(citePlace(placeOf(map, text, text.indexOf('| 12') + 5))).toBe('Costs!C4')
  })

  test('in a notebook is the line of the cell', () => {
    const text = 'intro\n\n```python\nimport os\nprint(1)\n```\n\n```\n1\n```\n'
    const map = {
      kind: 'notebook',
      stretches: [
        { start: 0, cell: 1, part: 'markdown' },
        { start: text.indexOf('import'), cell: 3, part: 'code' },
        { start: text.indexOf('1\n```'), cell: 3, part: 'output' },
      ],
    } as const
    expect(citePlace(placeOf(map, text, text.indexOf('print')))).toBe('cell 3, line 2')
    expect(citePlace(placeOf(map, text, text.indexOf('1\n```')))).toBe('output of cell 3, line 1')
    expect(citePlace(placeOf(map, text, 0), placeOf(map, text, 30))).toBe('cells 1-3')
  })

  test('in paragraphs has the headings above', () => {
    const text = '# One\n\nfirst\n\n## Two\n\nsecond\n\n# Three\n\nthird'
    const words = ['One', 'first', 'Two', 'second', 'Three', 'third']
    const map = {
      kind: 'paragraphs',
      starts: ['# One', 'first', '## Two', 'second', '# Three', 'third'].map((word) => text.indexOf(word)),
    } as const
    expect(words.map((word) => placeOf(map, text, text.indexOf(word)))).toEqual([
      { kind: 'paragraph', paragraph: 1, headings: [] },
      { kind: 'paragraph', paragraph: 2, headings: ['One'] },
      { kind: 'paragraph', paragraph: 3, headings: ['One'] },
      { kind: 'paragraph', paragraph: 4, headings: ['One', 'Two'] },
      { kind: 'paragraph', paragraph: 5, headings: [] },
      { kind: 'paragraph', paragraph: 6, headings: ['Three'] },
    ])
  })
})

test('a stretch is cited from its first place to its last', () => {
  const cell = (name: string, row: number, column: number) =>
    ({ kind: 'cell', sheet: 'My data', cell: name, row, column }) as const
  expect(citePlace(cell('D7', 7, 4), cell('B9', 9, 2))).toBe("'My data'!B7:D9")
  expect(citePlace({ kind: 'line', line: 1, column: 4 }, { kind: 'line', line: 3, column: 1 })).toBe('lines 1-3')
})

test('columns have letters', () => {
  expect([1, 26, 27, 28, 702, 703, 16_384].map(columnName)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA', 'XFD'])
})
