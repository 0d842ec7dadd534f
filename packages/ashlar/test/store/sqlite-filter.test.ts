import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFilter } from '../../src/store/check-filter.ts'
import type { DocumentRow, RowBatch } from '../../src/store/engine.ts'
import type { Filter, Metadata } from '../../src/store/filter.ts'
import { matchesFilter } from '../../src/store/match-filter.ts'
import { compileFilter } from '../../src/store/sqlite/compile-filter.ts'
import { SqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts'
import { filterArbitrary, filterFields, metadataArbitrary } from './filter-arbitrary.ts'

/** What a filter may be at most. */
const filterLimits = { depth: 16, conditions: 500, values: 5_000, text: 4_096 }

const fields = filterFields
const scope = { workspace: 'ours', alsoRead: ['shared'], fields }
const folder = mkdtempSync(join(tmpdir(), 'ashlar-filter-'))
const options = { path: join(folder, 'store.db'), synchronous: 'NORMAL', timeout: 5000 } as const

const ids = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? `d'${at}` : `d${at}`))

const filters = filterArbitrary(ids)

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
    version: first + at,
    notes: 0,
    layout: new Uint8Array(0),
    fingerprints: new Uint8Array(0),
  }))
}

describe('filters in SQLite', () => {
  const rows: DocumentRow[] = []
  let engine: SqliteEngine

  beforeAll(async () => {
    const sample = fc.sample(metadataArbitrary(), { numRuns: ids.length * 3, seed: 5 })
    for (const [index, workspace] of ['ours', 'shared', 'foreign'].entries()) {
      await using one = await SqliteEngine.open(options, { workspace, alsoRead: [], fields }, 0)
      const first = await one.write(async (writer) => writer.takeKeys(ids.length))
      const all = rowsOf(workspace, first, sample.slice(index * ids.length, (index + 1) * ids.length))
      // Written twice: the rows of the field table follow the metadata.
      const before = all.map((row) => ({ ...row, metadata: { title: 'before', tags: ['before', 'before'] } }))
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
        (_, at): Filter => ({ op: 'equal', field: 'year', value: at }),
      ),
    }
    const values: Filter = { op: 'in', field: 'year', values: Array.from({ length: filterLimits.values }, (_, at) => at + 0.5) }
    let deep: Filter = { op: 'exists', field: 'title' }
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
