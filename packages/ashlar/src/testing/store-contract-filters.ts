import fc from 'fast-check'
import { isAshlarError } from '../error/ashlar-error.ts'
import type { FieldTypes, Filter, Metadata } from '../store/filter.ts'
import type { StoredDocument } from '../store/store.ts'
import { hostileTexts, unstorableTexts } from './hostile-values.ts'
import { must } from './model-contract.ts'
import { everything, mustRefuse, namesOf, type PromiseOf, queryTerms, type StoreContractOptions } from './store-contract-case.ts'
import { compareTexts, oracleMatches, sameData } from './store-oracle.ts'
import { sampleDocument, sampleIdentity, sampleVector } from './store-samples.ts'

const identity = sampleIdentity('first')
const fields: FieldTypes = { kind: 'string', year: 'number', open: 'boolean', tags: 'strings', 'a.b c': 'string', 名: 'string' }

const values = fc
  .oneof(
    fc.constantFrom('', 'a', 'b', 'ab', 'A', '\u{1f600}', '\uffff', ...hostileTexts),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\u0000'))
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 1.5, 1999, 2 ** 53, -1e-9, 1e300),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const metadata: fc.Arbitrary<Metadata> = fc
  .record(
    { kind: values, year: numbers, open: fc.boolean(), tags: fc.array(values, { maxLength: 3 }), 'a.b c': values, 名: values },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields }) as Metadata)

const textField = fc.constantFrom('kind', 'tags', 'a.b c', '名')

const { filter } = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ op: fc.constantFrom('and' as const, 'or' as const), filters: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
  ),
  leaf: fc.oneof(
    fc.record({ op: fc.constant('equal' as const), field: textField, value: values }),
    fc.record({ op: fc.constant('equal' as const), field: fc.constant('year'), value: numbers }),
    fc.record({ op: fc.constant('equal' as const), field: fc.constant('open'), value: fc.boolean() }),
    fc.record({ op: fc.constant('in' as const), field: textField, values: fc.array(values, { maxLength: 4 }) }),
    fc.record({ op: fc.constant('in' as const), field: fc.constant('year'), values: fc.array(numbers, { maxLength: 4 }) }),
    fc.record({ op: fc.constant('in' as const), field: fc.constant('open'), values: fc.array(fc.boolean(), { maxLength: 2 }) }),
    fc.record({ op: fc.constant('prefix' as const), field: textField, value: values }),
    fc.record({ op: fc.constant('exists' as const), field: fc.constantFrom(...Object.keys(fields)) }),
    fc.record({
      op: fc.constant('document' as const),
      ids: fc.array(fc.constantFrom('d0', 'd1', 'd2', `d'--`, 'missing'), { maxLength: 3 }),
    }),
    range(fc.constantFrom('kind', 'a.b c'), values),
    range(fc.constant('year'), numbers),
  ),
}))

function range<Value>(field: fc.Arbitrary<string>, value: fc.Arbitrary<Value>): fc.Arbitrary<Filter> {
  return fc
    .record(
      { op: fc.constant('range' as const), field, gte: value, gt: value, lte: value, lt: value },
      { requiredKeys: ['op', 'field'] },
    )
    .filter((one) => Object.keys(one).length > 2) as fc.Arbitrary<Filter>
}

/** What a store promises about filters. */
export function filterPromises(promise: PromiseOf, { runs = 15, seed = 20261115 }: StoreContractOptions): void {
  promise(`understands filters as they are meant, on ${runs} generated collections`, async (open) => {
    let collection = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(metadata, { minLength: 1, maxLength: 6 }),
        fc.array(filter, { minLength: 5, maxLength: 10 }),
        async (all, filters) => {
          const workspace = `collection ${collection++}`
          const store = await open({ workspace, fields })
          const stranger = await open({ workspace: `${workspace} of another`, fields })
          const documents = all.map(
            (one, index): StoredDocument =>
              sampleDocument(index === 3 ? `d'--` : `d${index}`, `common word${index}\n`, [identity], { metadata: one }),
          )
          await store.put(documents)
          await stranger.put(documents.map((document) => ({ ...document, metadata: { kind: 'stranger' } })))
          for (const where of filters) {
            const expected = documents
              .filter((document) => oracleMatches(where, document, fields))
              .map(({ tree }) => tree.document)
            const listed = (await store.list({ where })).items
            must(
              sameData(
                listed.map(({ id }) => id),
                expected.toSorted(compareTexts),
              ),
              `${JSON.stringify(where)} lists ${JSON.stringify(listed)} instead of ${expected.join()}`,
            )
            must(
              listed.every((one) => one.workspace === workspace),
              'a document of another workspace is listed',
            )
            const found = await store.nominate({
              where,
              vector: { identity, values: sampleVector('common', identity), limit: 100 },
              terms: { terms: queryTerms('common'), limits: everything },
            })
            const named = [...(await namesOf(store, found.children)).values()]
            must(
              named.length === expected.length,
              `${JSON.stringify(where)} nominates ${named.length} children instead of ${expected.length}`,
            )
            const few = await store.nominate({ where, vector: { identity, values: sampleVector('common', identity), limit: 2 } })
            must(
              few.children.length === Math.min(2, expected.length),
              `${JSON.stringify(where)} leaves ${few.children.length} of the 2 nearest children, and ${expected.length} satisfy it`,
            )
            must(
              named.every(({ cosine }) => cosine !== undefined),
              `${JSON.stringify(where)} keeps the vector leg from something`,
            )
          }
          await store.close()
          await stranger.close()
        },
      ),
      { numRuns: runs, seed },
    )
  })

  promise('refuses filters that are none', async (open) => {
    const store = await open({ fields })
    await store.put([sampleDocument('d', 'text', [], { metadata: { kind: 'a' } })])
    const deep = Array.from({ length: 100 }).reduce<Filter>((inner) => ({ op: 'not', filter: inner }), {
      op: 'exists',
      field: 'kind',
    })
    const endless: { op: string; filter?: unknown } = { op: 'not' }
    endless.filter = endless
    const bad: readonly unknown[] = [
      null,
      [],
      'kind = a',
      1,
      {},
      { op: 'equal' },
      { op: 'equal', field: 'kind' },
      { op: 'equal', field: 'kind', value: null },
      { op: 'equal', field: 'kind', value: 1 },
      { op: 'equal', field: 'kind', value: { $ne: 'a' } },
      { op: 'equal', field: 'kind', value: ['a'] },
      { op: 'equal', field: 'kind', value: 'a', or: true },
      { op: 'equal', field: 'year', value: '1' },
      { op: 'equal', field: 'year', value: Number.NaN },
      { op: 'equal', field: 'year', value: Number.POSITIVE_INFINITY },
      { op: 'equal', field: 'kind', value: 'a\u0000' },
      { op: 'equal', field: 'kind', value: '\ud800' },
      { op: 'equal', field: 'kind', value: 'a'.repeat(1_000_000) },
      ...[
        'unknown',
        '',
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        1,
        null,
        ['kind'],
        `kind' --`,
        'kind ',
        'KIND',
        ...hostileTexts,
        ...unstorableTexts,
      ].map((field) => ({ op: 'equal', field, value: 'a' })),
      { op: 'in', field: 'kind', values: 'a' },
      { op: 'in', field: 'kind', values: ['a', 1] },
      { op: 'in', field: 'kind', values: Array.from({ length: 100_000 }, () => 'a') },
      { op: 'in', field: 'kind', values: { length: 1e9 } },
      { op: 'range', field: 'kind' },
      { op: 'range', field: 'open', gte: true },
      { op: 'range', field: 'tags', gte: 'a' },
      { op: 'range', field: 'year', gte: '1' },
      { op: 'prefix', field: 'year', value: '1' },
      { op: 'prefix', field: 'kind', value: 1 },
      { op: 'exists', field: 'unknown' },
      { op: 'document', ids: 'd' },
      { op: 'document', ids: [1] },
      { op: 'document', ids: [''] },
      { op: 'and' },
      { op: 'and', filters: {} },
      { op: 'and', filters: [null] },
      { op: 'or', filters: Array.from({ length: 100_000 }, () => ({ op: 'exists', field: 'kind' })) },
      { op: 'not' },
      { op: 'toString', field: 'kind', value: 'a' },
      { op: '__proto__', field: 'kind', value: 'a' },
      { op: ['equal'], field: 'kind', value: 'a' },
      JSON.parse('{"__proto__": {"op": "exists", "field": "kind"}}'),
      deep,
      endless,
    ]
    for (const where of bad) {
      for (const work of [
        () => store.list({ where: where as Filter }),
        () => store.nominate({ where: where as Filter, terms: { terms: queryTerms('text'), limits: everything } }),
      ])
        await mustRefuse(work(), ['INVALID_FILTER'], `the filter ${show(where)}`)
    }
  })

  promise(`keeps its head with ${runs * 10} hostile values and ids`, async (open) => {
    const store = await open({ fields })
    const other = await open({ workspace: 'two', fields })
    await other.put([sampleDocument('secret', 'secret text', [], { metadata: { kind: 'secret' } })])
    const hostile = fc.oneof(
      fc.constantFrom(...hostileTexts, ...unstorableTexts, 'secret', 'a'.repeat(5_000)),
      fc.string({ unit: 'binary', maxLength: 30 }),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const where: Filter = {
          op: 'or',
          filters: [
            { op: 'equal', field: 'kind', value: text },
            { op: 'prefix', field: 'tags', value: text },
          ],
        }
        const listed = await answerOrRefusal(store.list({ where }))
        must(
          (listed?.items ?? []).every(({ workspace }) => workspace === 'one'),
          'a document of another workspace is listed',
        )
        const document = await answerOrRefusal(
          Promise.resolve().then(() => store.put([sampleDocument(text, 'a text', [], { metadata: { kind: text } })])),
        )
        if (document === undefined) return
        const [record] = await store.get([text])
        must(record?.id === text && record.metadata['kind'] === text, `${show(text)} came back as another id or value`)
        must(
          (await store.list({ where })).items.some(({ id }) => id === text),
          `${show(text)} is not found by its own value`,
        )
        must(
          (await store.list({ where: { op: 'document', ids: [text] } })).items.length === 1,
          `${show(text)} is not found by its id`,
        )
        must((await store.remove([text]))[0]?.found === true, `${show(text)} could not be removed`)
        must((await store.list()).items.length === 0, `${show(text)} left something behind`)
      }),
      { numRuns: runs * 10, seed },
    )
    must((await other.list()).items.length === 1, 'something happened to another workspace')
  })
}

async function answerOrRefusal<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work
  } catch (error) {
    must(
      isAshlarError(error) && ['INVALID_FILTER', 'INVALID_DOCUMENT'].includes(error.code),
      `a hostile value ended in ${String(error)}`,
    )
    return undefined
  }
}

function show(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 100)
  } catch {
    return 'one that contains itself'
  }
}
