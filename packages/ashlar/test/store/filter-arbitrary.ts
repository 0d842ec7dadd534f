import fc from 'fast-check'
import type { FieldTypes, FieldValue, Filter, Metadata } from '../../src/store/filter.ts'

/** The fields that {@link filterArbitrary} names. */
export const filterFields: FieldTypes = { title: 'string', year: 'number', open: 'boolean', tags: 'strings' }

/** What parsers of queries stumble over, and what has been used to break out of filters elsewhere. */
export const hostileTexts: readonly string[] = [
  "'",
  "''",
  '"',
  '\\',
  "\\'",
  "' or '1'='1",
  "') or true--",
  "'; drop table ashlar.document; --",
  '/*',
  '*/',
  '--',
  '$1',
  '$$',
  '$tag$',
  '{}',
  '{"a":1}',
  '[]',
  'null',
  'NULL',
  'true',
  '1=1',
  '%',
  '_',
  '?',
  '@>',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\r\n',
  '\u{10ffff}',
  '\uffff',
  '\ud7ff',
  '\ue000',
  'é',
  'e\u0301',
  'constructor',
  'toString',
  ',',
  '","',
  '},{',
  'a'.repeat(4_000),
]

const texts = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'A', 'z'),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed().replaceAll('\u0000', '\ufffd')),
)
const numbers = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 53 + 2, 1e21, 1.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
)
const anyValue: fc.Arbitrary<FieldValue> = fc.oneof(texts, numbers, fc.boolean(), fc.array(texts, { maxLength: 3 }))

/** Metadata, mostly of the declared types, sometimes of others: a store may have been opened with other fields before. */
export function metadataArbitrary(): fc.Arbitrary<Metadata> {
  const mostly = (typed: fc.Arbitrary<FieldValue>): fc.Arbitrary<FieldValue> =>
    fc.oneof({ arbitrary: typed, weight: 8 }, { arbitrary: anyValue, weight: 1 })
  return fc.record(
    { title: mostly(texts), year: mostly(numbers), open: mostly(fc.boolean()), tags: mostly(fc.array(texts, { maxLength: 3 })) },
    { requiredKeys: [] },
  )
}

/** Filters over {@link filterFields}, as a store has checked them. */
export function filterArbitrary(ids: readonly string[]): fc.Arbitrary<Filter> {
  const field = <Name extends string>(...names: Name[]): fc.Arbitrary<Name> => fc.constantFrom(...names)
  const ranges = (values: fc.Arbitrary<string | number>, names: string[]): fc.Arbitrary<Filter> =>
    fc
      .tuple(field(...names), fc.record({ gte: values, gt: values, lte: values, lt: values }, { requiredKeys: [] }))
      .filter(([, bounds]) => Object.keys(bounds).length > 0)
      .map(([name, bounds]) => ({ op: 'range', field: name, ...bounds }))
  const leaf: fc.Arbitrary<Filter> = fc.oneof(
    fc.record({ op: fc.constant('equal' as const), field: field('title', 'tags'), value: texts }),
    fc.record({ op: fc.constant('equal' as const), field: field('year'), value: numbers }),
    fc.record({ op: fc.constant('equal' as const), field: field('open'), value: fc.boolean() }),
    fc.record({ op: fc.constant('in' as const), field: field('title', 'tags'), values: fc.array(texts, { maxLength: 4 }) }),
    fc.record({ op: fc.constant('in' as const), field: field('year'), values: fc.array(numbers, { maxLength: 4 }) }),
    fc.record({ op: fc.constant('in' as const), field: field('open'), values: fc.array(fc.boolean(), { maxLength: 2 }) }),
    fc.record({ op: fc.constant('exists' as const), field: field('title', 'year', 'open', 'tags') }),
    fc.record({ op: fc.constant('prefix' as const), field: field('title', 'tags'), value: texts }),
    fc.record({ op: fc.constant('document' as const), ids: fc.array(fc.constantFrom(...ids, 'absent'), { maxLength: 4 }) }),
    ranges(texts, ['title']),
    ranges(numbers, ['year']),
  )
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.record({ op: fc.constantFrom('and' as const, 'or' as const), filters: fc.array(tie('filter'), { maxLength: 3 }) }),
      fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
    ),
  })).filter
}
