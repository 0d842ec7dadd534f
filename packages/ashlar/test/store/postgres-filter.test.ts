import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFilter } from '../../src/store/check-filter.ts'
import type { DocumentRow, RowBatch } from '../../src/store/engine.ts'
import type { Filter } from '../../src/store/filter.ts'
import { matchesFilter } from '../../src/store/match-filter.ts'
import { compileFilter } from '../../src/store/postgres/compile-filter.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { PostgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { hostileTexts } from '../../src/testing/hostile-values.ts'
import { filterArbitrary, filterFields, metadataArbitrary } from './filter-arbitrary.ts'
import { openTestDatabase } from './postgres-database.ts'

const database = await openTestDatabase()

afterAll(async () => database?.[Symbol.asyncDispose]())

const ids = Array.from({ length: 60 }, (_, index) => hostileTexts[index]?.slice(0, 900) || `document ${index}`)

function documentRow(key: number, workspace: string, id: string, metadata: DocumentRow['metadata']): DocumentRow {
  const nothing = new Uint8Array(0)
  const plain = { title: id.slice(0, 20), format: 'plain', length: 1, children: 1, contentHash: 'hash', version: key, notes: 0 }
  return { key, workspace, id, metadata, ...plain, layout: nothing, fingerprints: nothing }
}

function batchOf(documents: readonly DocumentRow[]): RowBatch {
  const gone = { documents: [], parents: [], children: [], notes: [], windows: [], segments: [] }
  return { documents, parents: [], vectors: [], windows: [], notes: [], segments: [], tombstones: [], gone }
}

describe('a compiled filter', () => {
  test('has nothing of the filter in its text', () => {
    const plain = /^[a-z0-9_ $()<>=:[\]"C',.\n-]*$/
    fc.assert(
      fc.property(filterArbitrary(ids), (filter) => {
        const parameters: string[] = []
        const text = compileFilter(checkFilter(filter, filterFields), filterFields, parameters)
        expect(text).toMatch(plain)
        for (const [quoted] of text.matchAll(/'[^']*'/g))
          expect(["'string'", "'number'", "'boolean'", "'array'"]).toContain(quoted)
        const used = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
        expect([...used].sort((one, two) => one - two)).toEqual(parameters.map((_, at) => at + 1))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe.skipIf(database === undefined)('a filter in PostgreSQL', () => {
  const all: DocumentRow[] = []
  let engine: PostgresEngine

  function open(workspace: string, alsoRead: readonly string[] = []): PostgresEngine {
    return new PostgresEngine({
      pool: pool(),
      scope: { workspace, alsoRead, fields: filterFields },
      schema: 'filters',
      indexFrom: Number.POSITIVE_INFINITY,
      mostIndexes: 100,
      ownsPool: false,
    })
  }
  let opened: ReturnType<NonNullable<typeof database>['connect']> | undefined
  function pool(): NonNullable<typeof opened> {
    opened ??= database?.connect()
    return opened as NonNullable<typeof opened>
  }

  beforeAll(async () => {
    await migrate(pool(), 'filters', true)
    const metadata = fc.sample(metadataArbitrary(), { numRuns: 3 * ids.length, seed: 7 })
    for (const [at, workspace] of ['own', 'shared', 'foreign'].entries()) {
      const rows = ids.map((id, index) => {
        const place = at * ids.length + index
        return documentRow(place + 1, workspace, id, metadata[place] ?? {})
      })
      all.push(...rows)
      await open(workspace).write((writer) => writer.write(batchOf(rows)))
    }
    engine = open('own', ['shared'])
  })

  function expected(filter: Filter): number[] {
    return all.filter((row) => row.workspace !== 'foreign' && matchesFilter(filter, row, filterFields)).map(({ key }) => key)
  }

  test('means what it means in memory, and reaches no other workspace', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(filterArbitrary(ids), { minLength: 40, maxLength: 40 }), async (filters) => {
        await engine.read(async (reader) => {
          for (const filter of filters) {
            expect(await reader.documentsWhere(checkFilter(filter, filterFields)), JSON.stringify(filter)).toEqual(
              expected(filter),
            )
          }
        })
      }),
      { numRuns: 30 },
    )
  })

  test('lists in the order of code points, page by page', async () => {
    const order = (row: { readonly id: string; readonly workspace: string }): string =>
      [...`${row.id}\u0000${row.workspace}`]
        .map((point) => (point.codePointAt(0) as number).toString(16).padStart(6, '0'))
        .join('')
    const wanted = all
      .filter(({ workspace }) => workspace !== 'foreign')
      .sort((one, two) => (order(one) < order(two) ? -1 : 1))
      .map(({ key }) => key)
    const keys = await engine.read(async (reader) => {
      const found: DocumentRow[] = []
      for (;;) {
        const page = await reader.listDocuments(undefined, found.at(-1), 7)
        found.push(...page)
        if (page.length < 7) return found.map(({ key }) => key)
      }
    })
    expect(keys).toEqual(wanted)
  })

  test('gives back metadata and ids to the last bit', async () => {
    const rows = await engine.read((reader) => reader.documentsById(ids))
    expect(rows).toHaveLength(2 * ids.length)
    for (const row of rows) {
      const stored = all[row.key - 1] as DocumentRow
      expect({ id: row.id, workspace: row.workspace, metadata: row.metadata }).toEqual({
        id: stored.id,
        workspace: stored.workspace,
        metadata: stored.metadata,
      })
    }
  })
})
