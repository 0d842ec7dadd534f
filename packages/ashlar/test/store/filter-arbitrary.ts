import fc from 'fast-check'
import type { FieldTypes, FieldValue, Filter, Metadata } from '../../src/store/filter.ts'
import { hostileTexts } from '../../src/testing/hostile-values.ts'

/** The fields that {@link filterArbitrary} names. No document has the last. */
export const filterFields: FieldTypes = {
  title: 'string',
  year: 'number',
  open: 'boolean',
  tags: 'strings',
  'a.b c': 'string',
  名: 'string',
  missing: 'string',
}

/** Code units of the longest text in a filter. */
const longest = 4_096

/** Few values, so that documents and filters meet. */
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 3, arbitrary: fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'A', 'z') },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed().replaceAll('\u0000', '\ufffd')),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(longest), `${'x'.repeat(longest - 2)}\u{1f600}`) },
)
/** What documents may have beyond that: texts that differ only after the longest of a filter. */
const longerTexts = fc.oneof(
  { weight: 15, arbitrary: texts },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'x'.repeat(longest + 1),
      `${'x'.repeat(longest)}y`,
      `${'x'.repeat(longest - 1)}\u{1f600}`,
      'x'.repeat(9_000),
    ),
  },
)
const numbers = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    0.1,
    0.30000000000000004,
    1.5,
    1e21,
    -1e-7,
    5e-324,
    1e308,
    -1e308,
    Number.MAX_VALUE,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    2 ** 63,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
)
const anyValue: fc.Arbitrary<FieldValue> = fc.oneof(longerTexts, numbers, fc.boolean(), fc.array(longerTexts, { maxLength: 3 }))

/**
 * Metadata, mostly of the declared types, sometimes of others: a store may have been opened with other fields before. With `strict` they
 * are always of the declared types, which is what a store takes.
 */
export function metadataArbitrary({ strict = false }: { readonly strict?: boolean } = {}): fc.Arbitrary<Metadata> {
  const mostly = (typed: fc.Arbitrary<FieldValue>): fc.Arbitrary<FieldValue> =>
    strict ? typed : fc.oneof({ arbitrary: typed, weight: 8 }, { arbitrary: anyValue, weight: 1 })
  return fc.record(
    {
      title: mostly(longerTexts),
      year: mostly(numbers),
      open: mostly(fc.boolean()),
      tags: mostly(fc.array(longerTexts, { maxLength: 3 })),
      'a.b c': mostly(longerTexts),
      名: mostly(longerTexts),
      undeclared: anyValue,
    },
    { requiredKeys: [] },
  )
}

/** Filters over {@link filterFields}, as a store has checked them. */
export function filterArbitrary(ids: readonly string[]): fc.Arbitrary<Filter> {
  const textField = fc.constantFrom('title', 'tags', 'a.b c', '名', 'missing')
  const field = <Name extends string>(...names: Name[]): fc.Arbitrary<Name> => fc.constantFrom(...names)
  const ranges = (values: fc.Arbitrary<string | number>, names: string[]): fc.Arbitrary<Filter> =>
    fc
      .tuple(field(...names), fc.record({ gte: values, gt: values, lte: values, lt: values }, { requiredKeys: [] }))
      .filter(([, bounds]) => Object.keys(bounds).length > 0)
      .map(([name, bounds]) => ({ op: 'range', field: name, ...bounds }))
  const leaf: fc.Arbitrary<Filter> = fc.oneof(
    fc.record({ op: fc.constant('equal' as const), field: textField, value: texts }),
    fc.record({ op: fc.constant('equal' as const), field: field('year'), value: numbers }),
    fc.record({ op: fc.constant('equal' as const), field: field('open'), value: fc.boolean() }),
    fc.record({ op: fc.constant('in' as const), field: textField, values: fc.array(texts, { maxLength: 5 }) }),
    fc.record({ op: fc.constant('in' as const), field: field('year'), values: fc.array(numbers, { maxLength: 5 }) }),
    fc.record({ op: fc.constant('in' as const), field: field('open'), values: fc.array(fc.boolean(), { maxLength: 2 }) }),
    fc.record({ op: fc.constant('exists' as const), field: field(...Object.keys(filterFields)) }),
    fc.record({ op: fc.constant('prefix' as const), field: textField, value: texts }),
    fc.record({ op: fc.constant('document' as const), ids: fc.array(fc.constantFrom(...ids, 'absent'), { maxLength: 4 }) }),
    ranges(texts, ['title', 'a.b c', '名']),
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
