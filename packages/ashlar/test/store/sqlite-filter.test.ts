import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFilter } from '../../src/store/check-filter.ts'
import type { DocumentRow, RowBatch } from '../../src/store/engine.ts'
import type { FieldTypes, FieldValue, Filter, Metadata } from '../../src/store/filter.ts'
import { matchesFilter } from '../../src/store/match-filter.ts'
import { compileFilter } from '../../src/store/sqlite/compile-filter.ts'
import { SqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts'

/** What a filter may be at most. */
const filterLimits = { depth: 16, conditions: 500, values: 5_000, text: 4_096 }

const fields: FieldTypes = { name: 'string', size: 'number', open: 'boolean', tags: 'strings', other: 'string' }
const scope = { workspace: 'ours', alsoRead: ['shared'], fields }
const folder = mkdtempSync(join(tmpdir(), 'ashlar-filter-'))
const options = { path: join(folder, 'store.db'), synchronous: 'NORMAL', timeout: 5000 } as const

/** Few values, so that documents and filters meet; some that parsers trip over, and the ends of the alphabet. */
const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'ab',
    'abc',
    'b',
    'A',
    'ä',
    'a\u0308',
    '\uffff',
    '\u{10ffff}',
    '\u{10ffff}\u{10ffff}',
    '\u{1f600}',
    '\ud7ff',
    '\ue000',
  ),
  fc.constantFrom(
    "'",
    '"',
    "' OR 1=1 --",
    '; DROP TABLE document;',
    '?',
    '?1',
    ':a',
    '%',
    '_',
    '\\',
    '[]',
    '{"a":1}',
    '1',
    '1.0',
    'true',
    'null',
  ),
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => text.isWellFormed() && !text.includes('\u0000')),
  fc.constantFrom('x'.repeat(4096), 'x'.repeat(4097), `${'x'.repeat(4096)}y`, `${'x'.repeat(4095)}\u{1f600}`),
)
const filterTexts = texts.map((text) => (text.length > filterLimits.text ? 'x'.repeat(filterLimits.text) : text))
const numbers = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 0.30000000000000004, 1e308, 5e-324, 2 ** 53, 2 ** 53 + 2, -1e-7, 1.7976931348623157e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)
const values: fc.Arbitrary<FieldValue> = fc.oneof(texts, numbers, fc.boolean(), fc.array(texts, { maxLength: 3 }))

/** Mostly of the declared type; also values of undeclared fields, and of declared ones with another type, as an older scope leaves them. */
const metadata: fc.Arbitrary<Metadata> = fc.record(
  {
    name: fc.oneof({ weight: 9, arbitrary: texts }, { weight: 1, arbitrary: values }),
    size: fc.oneof({ weight: 9, arbitrary: numbers }, { weight: 1, arbitrary: values }),
    open: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, { weight: 1, arbitrary: values }),
    tags: fc.oneof({ weight: 9, arbitrary: fc.array(texts, { maxLength: 3 }) }, { weight: 1, arbitrary: values }),
    undeclared: values,
  },
  { requiredKeys: [] },
)

const ids = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? `d'${at}` : `d${at}`))

function conditions(): fc.Arbitrary<Filter> {
  const text = fc.constantFrom('name', 'tags', 'other')
  const bounds = <Value>(value: fc.Arbitrary<Value>) =>
    fc
      .record({ gte: value, gt: value, lte: value, lt: value }, { requiredKeys: [] })
      .filter((range) => Object.keys(range).length > 0)
  return fc.oneof(
    fc.record({ op: fc.constant('equal' as const), field: text, value: filterTexts }),
    fc.record({ op: fc.constant('equal' as const), field: fc.constant('size'), value: numbers }),
    fc.record({ op: fc.constant('equal' as const), field: fc.constant('open'), value: fc.boolean() }),
    fc.record({ op: fc.constant('in' as const), field: text, values: fc.array(filterTexts, { maxLength: 5 }) }),
    fc.record({ op: fc.constant('in' as const), field: fc.constant('size'), values: fc.array(numbers, { maxLength: 5 }) }),
    fc.record({ op: fc.constant('in' as const), field: fc.constant('open'), values: fc.array(fc.boolean(), { maxLength: 2 }) }),
    fc.record({ op: fc.constant('prefix' as const), field: text, value: filterTexts }),
    fc.record({ op: fc.constant('exists' as const), field: fc.constantFrom(...Object.keys(fields)) }),
    fc.record({ op: fc.constant('document' as const), ids: fc.subarray([...ids, 'none']) }),
    bounds(filterTexts).map((range): Filter => ({ op: 'range', field: 'name', ...range })),
    bounds(numbers).map((range): Filter => ({ op: 'range', field: 'size', ...range })),
  )
}

const filters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    conditions(),
    fc.record({ op: fc.constantFrom('and' as const, 'or' as const), filters: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
  ),
})).filter

const batchOf = (documents: readonly DocumentRow[]): RowBatch => ({
  documents,
  parents: [],
  vectors: [],
  windows: [],
  notes: [],
  segments: [],
  tombstones: [],
  gone: { documents: [], parents: [], children: [], notes: [], windows: [], segments: [] },
})

function rowsOf(workspace: string, first: number, sample: readonly Metadata[]): readonly DocumentRow[] {
  return sample.map((one, at) => ({
    key: first + at,
    workspace,
    id: ids[at] as string,
    title: '',
    format: 'plain',
    metadata: one,
    length: 0,
    children: 0,
    contentHash: '',
    layout: new Uint8Array(0),
    fingerprints: new Uint8Array(0),
  }))
}

describe('filters in SQLite', () => {
  const rows: DocumentRow[] = []
  let engine: SqliteEngine

  beforeAll(async () => {
    const sample = fc.sample(metadata, { numRuns: ids.length * 3, seed: 5 })
    for (const [index, workspace] of ['ours', 'shared', 'foreign'].entries()) {
      await using one = await SqliteEngine.open(options, { workspace, alsoRead: [], fields }, 0)
      const first = await one.write(async (writer) => writer.takeKeys(ids.length))
      const all = rowsOf(workspace, first, sample.slice(index * ids.length, (index + 1) * ids.length))
      // Written twice: the rows of the field table follow the metadata.
      const before = all.map((row) => ({ ...row, metadata: { name: 'before', tags: ['before', 'before'] } }))
      for (const batch of [before, all]) await one.write((writer) => writer.write(batchOf(batch)))
      if (workspace !== 'foreign') rows.push(...all)
    }
    engine = await SqliteEngine.open(options, scope, 0)
  })

  afterAll(async () => {
    await engine[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('mean what they mean in memory, in every workspace read and in no other', async () => {
    await engine.read(async (reader) => {
      await fc.assert(
        fc.asyncProperty(filters, async (filter) => {
          const checked = checkFilter(filter, fields)
          const expected = rows.filter((row) => matchesFilter(checked, row, fields)).map(({ key }) => key)
          expect(await reader.documentsWhere(checked)).toEqual(expected)
          const listed = await reader.listDocuments(checked, undefined, 1000)
          expect(listed.map(({ key }) => key).sort((a, b) => a - b)).toEqual(expected)
        }),
        { numRuns: 1000, seed: 55 },
      )
    })
  })

  test('never become text of a statement', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const { sql, parameters } = compileFilter(filter, fields, 7)
        expect(sql).toMatch(/^[A-Za-z_.,()<>=? 01]+$/)
        expect(sql.split('?').length - 1).toBe(parameters.length)
      }),
      { seed: 56 },
    )
  })

  test('may be as large as the store takes them', async () => {
    const many: Filter = {
      op: 'or',
      filters: Array.from(
        { length: filterLimits.conditions - 1 },
        (_, at): Filter => ({ op: 'equal', field: 'size', value: at }),
      ),
    }
    const values: Filter = { op: 'in', field: 'size', values: Array.from({ length: filterLimits.values }, (_, at) => at + 0.5) }
    let deep: Filter = { op: 'exists', field: 'name' }
    for (let depth = 1; depth < filterLimits.depth; depth++) deep = { op: 'not', filter: deep }
    await engine.read(async (reader) => {
      for (const filter of [many, values, deep]) {
        const expected = rows.filter((row) => matchesFilter(filter, row, fields)).map(({ key }) => key)
        expect(await reader.documentsWhere(checkFilter(filter, fields))).toEqual(expected)
      }
    })
  })

  test('go on where a page ended, across workspaces', async () => {
    const all = await engine.read((reader) => reader.listDocuments(undefined, undefined, 1000))
    expect(all).toHaveLength(ids.length * 2)
    const paged: DocumentRow[] = []
    for (;;) {
      const page = await engine.read((reader) => reader.listDocuments(undefined, paged.at(-1), 7))
      paged.push(...page)
      if (page.length < 7) break
    }
    expect(paged.map(({ key }) => key)).toEqual(all.map(({ key }) => key))
  })
})
