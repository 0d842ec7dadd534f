import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import { checkFilter } from '../../src/store/check-filter.ts'
import { compareByCodePoint } from '../../src/store/code-point-order.ts'
import type { FieldTypes, Filter } from '../../src/store/filter.ts'
import { matchesFilter } from '../../src/store/match-filter.ts'

const fields: FieldTypes = { kind: 'string', year: 'number', open: 'boolean', tags: 'strings' }

describe('a checked filter', () => {
  test('is a copy of plain data', () => {
    const filter: Filter = {
      op: 'and',
      filters: [
        { op: 'in', field: 'kind', values: ['a'] },
        { op: 'range', field: 'year', gte: 1 },
      ],
    }
    const checked = checkFilter(filter, fields)
    expect(checked).toEqual(filter)
    expect(checked).not.toBe(filter)
    expect(JSON.parse(JSON.stringify(checked))).toEqual(filter)
  })

  test('does not change when what it was made of does', () => {
    let asked = 0
    const sly = {
      op: 'equal',
      field: 'kind',
      get value() {
        asked++
        return asked === 1 ? 'harmless' : { toString: () => "' or 1=1" }
      },
    }
    expect(checkFilter(sly as unknown as Filter, fields)).toEqual({ op: 'equal', field: 'kind', value: 'harmless' })
    expect(asked).toBe(1)
    const values = ['a']
    Object.defineProperty(values, Symbol.iterator, {
      value: function* () {
        yield 1
      },
    })
    expect(() => checkFilter({ op: 'in', field: 'kind', values }, fields)).toThrow(/not a string/)
  })

  test('says where it is wrong', () => {
    const wrong: Filter = {
      op: 'and',
      filters: [
        { op: 'exists', field: 'kind' },
        { op: 'not', filter: { op: 'equal', field: 'year', value: 'x' } },
      ],
    }
    try {
      checkFilter(wrong, fields)
      expect.unreachable()
    } catch (error) {
      expect(isAshlarError(error) && error.details['path']).toBe('where.filters[1].filter.value')
    }
  })

  test('comes of any value or is refused, and nothing else', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withObjectString: true,
      withTypedArray: true,
      withSparseArray: true,
      maxDepth: 4,
    })
    const shaped = fc.record(
      {
        op: fc.oneof(
          fc.constantFrom('equal', 'in', 'range', 'exists', 'prefix', 'document', 'and', 'or', 'not', '__proto__'),
          anything,
        ),
        field: fc.oneof(fc.constantFrom('kind', 'year', 'constructor'), anything),
        value: anything,
        values: anything,
        filters: anything,
        filter: anything,
        ids: anything,
        gte: anything,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(anything, shaped), (value) => {
        try {
          checkFilter(value as Filter, fields)
        } catch (error) {
          expect(isAshlarError(error) && error.code).toBe('INVALID_FILTER')
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('a filter', () => {
  const matches = (filter: Filter, metadata: Record<string, never | string | number | boolean | string[]>): boolean =>
    matchesFilter(checkFilter(filter, fields), { id: 'd', metadata }, fields)

  test('is not satisfied by a field that is missing or of another type', () => {
    const conditions: Filter[] = [
      { op: 'equal', field: 'kind', value: '' },
      { op: 'in', field: 'year', values: [0, 1] },
      { op: 'range', field: 'year', lte: 1e9 },
      { op: 'prefix', field: 'kind', value: '' },
      { op: 'exists', field: 'kind' },
    ]
    for (const condition of conditions) {
      for (const metadata of [{}, { kind: 1, year: '1' }, { kind: ['a'], year: true }]) {
        expect(matches(condition, metadata as never)).toBe(false)
        expect(matches({ op: 'not', filter: condition }, metadata as never)).toBe(true)
      }
    }
  })

  test('of nothing is true for and, false for or and in', () => {
    expect(matches({ op: 'and', filters: [] }, {})).toBe(true)
    expect(matches({ op: 'or', filters: [] }, {})).toBe(false)
    expect(matches({ op: 'in', field: 'kind', values: [] }, { kind: 'a' })).toBe(false)
    expect(matches({ op: 'exists', field: 'tags' }, { tags: [] })).toBe(true)
  })

  test('takes one zero and one order of texts', () => {
    expect(matches({ op: 'equal', field: 'year', value: -0 }, { year: 0 })).toBe(true)
    expect(matches({ op: 'range', field: 'kind', gt: '\uffff' }, { kind: '\u{1f600}' })).toBe(true)
    expect(matches({ op: 'prefix', field: 'tags', value: 'b' }, { tags: ['a', 'bc'] })).toBe(true)
  })

  test('orders texts as UTF-8 does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left.toWellFormed()), Buffer.from(right.toWellFormed()))
        expect(Math.sign(compareByCodePoint(left.toWellFormed(), right.toWellFormed()))).toBe(bytes)
      }),
      { numRuns: 2000 },
    )
  })
})
