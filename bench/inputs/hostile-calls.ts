import fc from 'fast-check'
import { hostileTexts, unstorableTexts } from '../../packages/ashlar/src/testing/hostile-values.ts'
import { filterArbitrary, filterFields } from '../../packages/ashlar/test/store/filter-arbitrary.ts'

/** Something that somebody might hand to a store, whatever its types say. */
export type HostileCall =
  /** `isValid`: it is a filter as the contract has them, so a store must understand it. */
  | { readonly to: 'list' | 'nominate'; readonly where: unknown; readonly isValid: boolean }
  | { readonly to: 'get'; readonly id: unknown }
  | { readonly to: 'page'; readonly after: unknown }
  | { readonly to: 'search'; readonly query: string }
  | { readonly to: 'write'; readonly id: unknown; readonly metadata: unknown }
  | { readonly to: 'open'; readonly workspace: unknown; readonly alsoRead: readonly unknown[] }

const megabyte: readonly string[] = [
  'x'.repeat(1_000_000),
  `${"' or '1'='1".repeat(90_000)}`,
  '\u0000'.repeat(1_000_000),
  '\ud800'.repeat(1_000_000),
  'word '.repeat(200_000),
]

const texts = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 8, arbitrary: fc.constantFrom(...unstorableTexts) },
  { weight: 1, arbitrary: fc.constantFrom(...megabyte) },
  { weight: 2, arbitrary: fc.constantFrom('x'.repeat(257), 'x'.repeat(1_025), 'x'.repeat(4_097), 'é'.repeat(1_024)) },
  // Two payloads in one: closing and opening again is what a real break-out needs.
  {
    weight: 10,
    arbitrary: fc.tuple(fc.constantFrom(...hostileTexts), fc.constantFrom(...hostileTexts)).map((two) => two.join('')),
  },
  { weight: 15, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
)

const numbers = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e308, 5e-324, 2 ** 53 + 1, 2 ** 64, -1),
  fc.double(),
)

/** Values of all sorts, as JSON and callers without types give them. */
const anything = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 2, arbitrary: numbers },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, undefined, true, false, 10n, Symbol.iterator, new Date(0), new Map(), () => 'a'),
  },
  { weight: 1, arbitrary: fc.array(texts, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(texts, texts, { maxKeys: 3, noNullPrototype: false }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { $ne: null },
      { $gt: '' },
      { toString: () => "' or 1=1 --" },
      { toJSON: () => 'a' },
      JSON.parse('{"__proto__": {"op": "exists", "field": "title"}}'),
      Object.assign(Object.create(null), { value: 'a' }),
      new Proxy({}, {}),
      new Array<unknown>(3),
      new Uint8Array(4),
    ),
  },
)

const operations = ['equal', 'in', 'range', 'exists', 'prefix', 'document', 'and', 'or', 'not'] as const

/** Shaped like filters, wrong somewhere more often than not. */
const mangled = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 5 },
    fc.record(
      {
        op: fc.oneof({ weight: 12, arbitrary: fc.constantFrom<unknown>(...operations) }, { weight: 1, arbitrary: anything }),
        field: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom<unknown>(...Object.keys(filterFields)) },
          {
            weight: 2,
            arbitrary: fc.constantFrom<unknown>('__proto__', 'constructor', 'toString', 'workspace', 'id', 'metadata'),
          },
          { weight: 2, arbitrary: anything },
        ),
        value: anything,
      },
      { requiredKeys: ['op', 'field'] },
    ),
    fc.record({
      op: fc.constant('in'),
      field: fc.constantFrom('title', 'year', 'tags'),
      values: fc.array(anything, { maxLength: 4 }),
    }),
    fc.record(
      { op: fc.constant('range'), field: fc.constantFrom('title', 'year', '名'), gte: anything, lt: anything },
      { requiredKeys: ['op', 'field'] },
    ),
    fc.record({ op: fc.constant('document'), ids: fc.array(anything, { maxLength: 4 }) }),
    fc.record({ op: fc.constantFrom('and', 'or'), filters: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ op: fc.constantFrom('not'), filter: tie('filter') }),
    anything,
  ),
})).filter

/** As large as they are taken, and larger. */
const huge = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((depth) => {
    let filter: unknown = { op: 'exists', field: 'title' }
    for (let at = 1; at < depth; at++) filter = at % 2 === 0 ? { op: 'not', filter } : { op: 'and', filters: [filter] }
    return filter
  }),
  fc.constantFrom(4_999, 5_000, 5_001, 100_000).map((count) => ({
    op: 'in',
    field: 'title',
    values: Array.from({ length: count }, (_, at) => hostileTexts[at] ?? `'${at}`),
  })),
  fc
    .constantFrom(2_000, 5_000)
    .map((count) => ({ op: 'in', field: 'year', values: Array.from({ length: count }, (_, at) => at / 7) })),
  fc
    .constantFrom(1_000, 5_001)
    .map((count) => ({ op: 'document', ids: Array.from({ length: count }, (_, at) => hostileTexts[at] ?? `'${at}`) })),
  fc.constantFrom(499, 500).map((count) => ({
    op: 'or',
    filters: Array.from({ length: count }, (_, at) => ({ op: 'equal', field: 'title', value: hostileTexts[at] ?? `'${at}` })),
  })),
)

/** Cursors: what a page gives, bent. */
function cursors(ids: readonly string[], workspaces: readonly string[]): fc.Arbitrary<unknown> {
  const id = fc.oneof(fc.constantFrom(...ids), texts)
  const workspace = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...workspaces) }, { weight: 1, arbitrary: texts })
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(id, workspace).map((both) => JSON.stringify(both)) },
    { weight: 1, arbitrary: fc.array(anything, { maxLength: 4 }).map((parts) => printed(parts)) },
    { weight: 2, arbitrary: anything },
  )
}

function printed(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

const metadata = fc.oneof(
  fc.dictionary(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...Object.keys(filterFields), 'other', 'x.y', 'Ключ') },
      { weight: 1, arbitrary: texts },
      { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'valueOf') },
    ),
    fc.oneof({ weight: 3, arbitrary: texts }, { weight: 1, arbitrary: anything }),
    { maxKeys: 3 },
  ),
  fc.record({ title: texts, year: numbers, tags: fc.array(texts, { maxLength: 3 }) }, { requiredKeys: [] }),
  anything,
)

/**
 * Hostile calls on a store that has documents `ids` and reads `workspaces`, the same for the same seed. Sixteen in twenty are filters and
 * ids.
 */
export function hostileCalls(
  count: number,
  seed: number,
  {
    ids,
    workspaces,
    strangers,
  }: { readonly ids: readonly string[]; readonly workspaces: readonly string[]; readonly strangers: readonly string[] },
): readonly HostileCall[] {
  const where = fc.oneof(
    { weight: 60, arbitrary: filterArbitrary(ids).map((filter) => ({ where: filter as unknown, isValid: true })) },
    { weight: 39, arbitrary: mangled.map((filter) => ({ where: filter, isValid: false })) },
    { weight: 1, arbitrary: huge.map((filter) => ({ where: filter as unknown, isValid: false })) },
  )
  const anyId = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: texts },
    { weight: 1, arbitrary: anything },
  )
  const name = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...strangers) },
    { weight: 2, arbitrary: texts },
    { weight: 1, arbitrary: anything },
  )
  const call: fc.Arbitrary<HostileCall> = fc.oneof(
    { weight: 26, arbitrary: where.map((one) => ({ to: 'list' as const, ...one })) },
    { weight: 2, arbitrary: where.map((one) => ({ to: 'nominate' as const, ...one })) },
    { weight: 6, arbitrary: anyId.map((id) => ({ to: 'get' as const, id })) },
    { weight: 2, arbitrary: cursors(ids, workspaces).map((after) => ({ to: 'page' as const, after })) },
    { weight: 1, arbitrary: texts.map((query) => ({ to: 'search' as const, query })) },
    { weight: 2, arbitrary: fc.record({ to: fc.constant('write' as const), id: fc.oneof(texts, anyId), metadata }) },
    {
      weight: 1,
      arbitrary: fc.record({ to: fc.constant('open' as const), workspace: name, alsoRead: fc.array(name, { maxLength: 2 }) }),
    },
  )
  return fc.sample(call, { numRuns: count, seed })
}

/** Hostile filters alone. */
export function hostileFilters(count: number, seed: number, ids: readonly string[]): readonly unknown[] {
  return fc.sample(fc.oneof({ weight: 2, arbitrary: filterArbitrary(ids) }, { weight: 1, arbitrary: mangled }), {
    numRuns: count,
    seed,
  })
}
