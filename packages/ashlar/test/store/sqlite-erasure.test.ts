import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { findTraces, secretDocument } from './erasure-sample.ts'
import { letterDocument } from './letter-vectors.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-erasure-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every byte that belongs to the database. */
function bytesOf(path: string): Buffer {
  return Buffer.concat(
    ['', '-wal', '-shm', '-journal']
      .map((end) => path + end)
      .filter(existsSync)
      .map((file) => readFileSync(file)),
  )
}

test('after remove no window of the erased text is in any byte of the file and its log', async () => {
  const path = join(folder, 'one.db')
  const secrets = [3, 7, 16, 28]
  await using store = await sqliteStore(path, { workspace: 'w', fields: { owner: 'string' } })
  for (let at = 0; at < 30; at++) {
    await store.put([secretDocument(at)])
    // Some have been edited since: what they held before has to go as well.
    if (at % 3 === 2) await store.put([secretDocument(at - 1, 1)])
  }
  await store.maintain()
  for (const at of secrets) await store.put([secretDocument(at, 2)])
  const before = bytesOf(path)
  for (const at of secrets) expect(findTraces(before, at).length).toBe(10)
  for (const at of secrets) {
    const [receipt] = await store.remove([secretDocument(at).tree.document])
    expect(receipt).toMatchObject({ found: true, erased: true })
    expect(findTraces(bytesOf(path), at)).toEqual([])
  }
  // Others are there as they were.
  expect((await store.list({ limit: 100 })).items).toHaveLength(26)
  expect((await store.get([secretDocument(4).tree.document]))[0]?.tree.text).toBe(secretDocument(4, 1).tree.text)
  expect(findTraces(bytesOf(path), 4).length).toBe(10)
}, 120_000)

test('traces of text are looked for by what the file really holds: without purge there are some, until maintain', async () => {
  const path = join(folder, 'two.db')
  await using store = await sqliteStore(path, { workspace: 'w' })
  await store.put([secretDocument(1), letterDocument('other', 'Stone on stone.')])
  const [receipt] = await store.remove([secretDocument(1).tree.document], { purge: false })
  expect(receipt).toMatchObject({ found: true, erased: false })
  expect(findTraces(bytesOf(path), 1).length).toBeGreaterThan(0)
  await store.maintain({ purge: true })
  expect(findTraces(bytesOf(path), 1)).toEqual([])
})

test('a receipt does not say erased while somebody still reads the log', async () => {
  const path = join(folder, 'three.db')
  await using store = await sqliteStore(path, { workspace: 'w' })
  await store.put([secretDocument(1)])
  const reader = new DatabaseSync(path, { readOnly: true })
  reader.exec('BEGIN')
  expect(reader.prepare('SELECT count(*) AS n FROM parent').get()?.['n']).toBeGreaterThan(0)
  const [receipt] = await store.remove([secretDocument(1).tree.document])
  expect(receipt).toMatchObject({ found: true, erased: false })
  reader.exec('COMMIT')
  reader.close()
  await store.maintain({ purge: true })
  expect(findTraces(bytesOf(path), 1)).toEqual([])
})
