import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { schemaSql } from '../../src/store/sqlite/schema.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Nominations, Store } from '../../src/store/store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { letterDocument, letterIdentity, letterVector } from './letter-vectors.ts'
import { sqliteOrphans } from './sqlite-orphans.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = (): string => join(folder, `store-${files++}.db`)

const words = 'stone slate mortar lintel arch vault pier buttress quarry chisel mallet plumb level course quoin'.split(' ')

/** Prose that is the same at every run, different for each number. */
function prose(number: number, sentences: number): string {
  let state = number + 1
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state
  }
  return Array.from({ length: sentences }, () => {
    const sentence = Array.from({ length: 4 + (next() % 8) }, () => words[next() % words.length]).join(' ')
    return `${sentence}${next() % 3 === 0 ? `.\n\n` : '. '}`
  }).join('')
}

const limits = { child: 50, parent: 20, section: 10, document: 5 }

function nominate(store: Store, query: string): Promise<Nominations> {
  return store.nominate({
    vector: { identity: letterIdentity, values: letterVector(query), limit: 30 },
    terms: { terms: analyse(query).terms.map((term) => ({ term, weight: 1 })), limits },
    where: { op: 'not', filter: { op: 'equal', field: 'kind', value: 'draft' } },
  })
}

/** What was nominated, by ids instead of keys. */
async function described(store: Store, query: string): Promise<unknown> {
  const found = await nominate(store, query)
  const { children } = await store.children(found.children, { vectors: letterIdentity, neighbours: 2 })
  const ids = new Map(children.map((child) => [child.key, `${child.document.id} ${child.id}`]))
  return {
    ...found,
    children: found.children
      .map(({ key, lexical, cosine }) => ({ id: ids.get(key), lexical, cosine }))
      .sort((one, other) => ((one.id as string) < (other.id as string) ? -1 : 1)),
    texts: children
      .map(({ id, document, parent, start, end, before, after, vector }) => ({
        id,
        document: document.id,
        text: parent.text,
        start,
        end,
        around: [...before, ...after].map((one) => [one.start, one.end]),
        vector,
      }))
      .sort((one, other) => (`${one.document} ${one.id}` < `${other.document} ${other.id}` ? -1 : 1)),
  }
}

describe('a SQLite store', () => {
  test('finds what a memory store finds, with the same scores, also after edits, removals and reopening', async () => {
    const path = newFile()
    const scope = { workspace: 'a', fields: { kind: 'string', size: 'number' } } as const
    const memory = memoryStore(scope)
    let sqlite = await sqliteStore(path, scope)
    const both = async (change: (store: Store) => Promise<unknown>): Promise<void> => {
      const one = await change(memory)
      expect(await change(sqlite)).toEqual(one)
    }
    const documents = Array.from({ length: 40 }, (_, at) =>
      letterDocument(`d${at}`, prose(at, 30), { kind: at % 5 === 0 ? 'draft' : 'final', size: at }),
    )
    await both((store) => store.put(documents))
    await both((store) => store.put([letterDocument('d3', `New. ${prose(3, 30)}`, { kind: 'final' })]))
    await both((store) => store.put([letterDocument('d4', prose(4, 20), { size: 4 })]))
    await both((store) => store.remove(['d7', 'none']))
    for (let round = 0; round < 2; round++) {
      for (const query of ['slate arch', 'plumb level', 'New mortar', 'nothing of this']) {
        expect(await described(sqlite, query)).toEqual(await described(memory, query))
      }
      await both((store) => store.list({ where: { op: 'range', field: 'size', gte: 3, lt: 20 }, limit: 7 }))
      await both((store) => store.get(['d3', 'd4', 'd7', 'd8']))
      await both((store) => store.embeddings())
      await both((store) => store.maintain())
      await sqlite.close()
      sqlite = await sqliteStore(path, scope)
    }
    await sqlite.close()
    expect(readdirSync(folder).filter((name) => name.startsWith('store-0.db-'))).toEqual([])
    expect(sqliteOrphans(path)).toEqual([])
  })

  test('leaves nothing of a removed document in its file nor in its log', async () => {
    const path = newFile()
    await using store = await sqliteStore(path, { workspace: 'a' })
    const secret = 'The vault opens at 4711 turns of xylograph.'
    await store.put([
      letterDocument('kept', prose(1, 40)),
      letterDocument('gone', `${prose(2, 400)}${secret}`, { code: 'xylotomist' }),
    ])
    const bytes = (): string => ['', '-wal'].map((end) => readFileSync(path + end).toString('latin1')).join('')
    expect(bytes()).toContain(secret)
    await store.remove(['gone'])
    expect(bytes()).not.toContain(secret)
    expect(bytes()).not.toContain('xylotomist')
    await store.maintain({ purge: true })
    expect(bytes()).not.toContain('xylog')
    expect(await store.get(['kept', 'gone'])).toMatchObject([{ id: 'kept' }, undefined])
  })

  test('erases as soon as the last reader of what was there has ended', async () => {
    const path = newFile()
    await using store = await sqliteStore(path, { workspace: 'a' })
    await store.put([letterDocument('gone', `${prose(2, 40)} xylograph 4711`)])
    const reader = new DatabaseSync(path)
    reader.exec('BEGIN; SELECT * FROM parent')
    expect(reader.prepare('SELECT count(*) AS count FROM parent').get()?.['count']).toBeGreaterThan(0)
    await store.remove(['gone'])
    expect(readFileSync(`${path}-wal`).toString('latin1')).toContain('xylograph 4711')
    reader.exec('COMMIT')
    reader.close()
    await store.maintain()
    expect(readFileSync(path).toString('latin1') + readFileSync(`${path}-wal`).toString('latin1')).not.toContain('xylograph 4711')
  })

  test('takes no file that is not its own', async () => {
    const text = newFile()
    writeFileSync(text, 'This is not a database, but long enough to be taken for the beginning of one. '.repeat(20))
    await expect(sqliteStore(text, { workspace: 'a' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    const other = newFile()
    const database = new DatabaseSync(other)
    database.exec('CREATE TABLE letter (text TEXT)')
    database.close()
    const before = readFileSync(other)
    await expect(sqliteStore(other, { workspace: 'a' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    expect(readFileSync(other).equals(before)).toBe(true)
    const newer = newFile()
    const future = new DatabaseSync(newer)
    future.exec(`${schemaSql()} PRAGMA user_version = 1000`)
    future.close()
    await expect(sqliteStore(newer, { workspace: 'a' })).rejects.toMatchObject({ code: 'DAMAGED_STORE' })
    for (const path of ['', ':memory:', 'a\u0000b'])
      await expect(sqliteStore(path, { workspace: 'a' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(sqliteStore(join(folder, 'none', 'x.db'), { workspace: 'a' })).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('runs on a schema that was made by hand', async () => {
    const path = newFile()
    const database = new DatabaseSync(path)
    database.exec(schemaSql())
    database.close()
    await using store = await sqliteStore(path, { workspace: 'a' })
    expect(await store.put([letterDocument('one', prose(1, 5))])).toMatchObject([{ changed: true }])
  })

  test('names the workspace in every statement about rows of workspaces', async () => {
    // Read from the source: a statement without the predicate is a hole whatever it returns today.
    const source = join(import.meta.dirname, '..', '..', 'src', 'store', 'sqlite')
    const tables = 'document|field|parent|note|embedding|vector|code_block|window|segment|segment_page|tombstone'
    const statements = readdirSync(source)
      .filter((name) => name !== 'schema.ts')
      .flatMap((name) => readFileSync(join(source, name), 'utf8').match(/(['`])(?:SELECT|INSERT|UPDATE|DELETE)[^'`]*\1/g) ?? [])
      .filter((sql) => new RegExp(`(?:FROM|INTO|UPDATE) (?:${tables}|\\$\\{table\\})\\b`).test(sql))
    expect(statements.length).toBeGreaterThan(25)
    expect(statements.filter((sql) => !/workspace|#isRead/.test(sql))).toEqual([])
  })
})
