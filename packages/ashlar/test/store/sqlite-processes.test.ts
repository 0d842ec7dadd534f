import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { letterIdentity, letterVector } from './letter-vectors.ts'
import { sqliteOrphans } from './sqlite-orphans.ts'
import { documentsOfProcess, type LogLine, versionText } from './sqlite-writer-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-processes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = join(import.meta.dirname, 'sqlite-writer-process.ts')

function start(path: string, log: string, name: string, operations: number): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', script, path, log, name, String(operations)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function readLog(log: string): readonly LogLine[] {
  if (!existsSync(log)) return []
  const lines = readFileSync(log, 'utf8').split('\n')
  // The last one may have been cut off.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LogLine)
}

/** The versions that each document may have after what the log says: the last reported, or the one that was being written. */
function possible(log: readonly LogLine[]): ReadonlyMap<string, readonly number[]> {
  const versions = new Map<string, readonly number[]>()
  for (const { is, id, version } of log) {
    versions.set(id, is === 'done' ? [version] : [...(versions.get(id) ?? [0]), version])
  }
  return versions
}

async function checkDocument(store: Store, id: string, versions: readonly number[]): Promise<number> {
  const [record] = await store.get([id])
  const version = (record?.metadata['version'] as number | undefined) ?? 0
  expect(versions, id).toContain(version)
  const words = versions.filter((one) => one > 0).map((one) => `version${id}x${one}`.toLowerCase())
  for (const word of words) {
    const found = await store.nominate({
      terms: {
        terms: analyse(word)
          .terms.filter((term) => term.includes(word))
          .map((term) => ({ term, weight: 1 })),
        limits: { child: 5, parent: 0, section: 0, document: 0 },
      },
    })
    // Searchable at its version, and not at one before or after.
    expect(found.children.length > 0, word).toBe(word === `version${id}x${version}`.toLowerCase())
  }
  if (record !== undefined) {
    expect(record.tree.text).toBe(versionText(id, version))
    const near = await store.nominate({
      vector: { identity: letterIdentity, values: letterVector(record.tree.children[0]?.text ?? ''), limit: 1000 },
      where: { op: 'document', ids: [id] },
    })
    expect(near.children).toHaveLength(record.tree.children.length)
  }
  return record?.children ?? 0
}

describe('processes at one SQLite file', () => {
  test('killed at any instant, leave everything that was reported and nothing in halves', async () => {
    const path = join(folder, 'killed.db')
    for (let round = 0; round < 6; round++) {
      const log = join(folder, `killed-${round}.log`)
      const child = start(path, log, `r${round}d`, 400)
      const exited = once(child, 'exit')
      // Counted in operations and not in seconds: a slow machine is killed in the middle of its work too.
      while (readLog(log).length < 3 + round * 9 && child.exitCode === null) await new Promise((done) => setTimeout(done, 2))
      await new Promise((done) => setTimeout(done, (round * 7) % 5))
      child.kill('SIGKILL')
      await exited
      await using store = await sqliteStore(path, { workspace: 'shared', fields: { version: 'number' } })
      let children = 0
      for (const [id, versions] of possible(readLog(log))) children += await checkDocument(store, id, versions)
      const before = (await store.list({ limit: 1000 })).items.filter(({ id }) => !id.startsWith(`r${round}d`))
      const count = children + before.reduce((sum, one) => sum + one.children, 0)
      expect(await store.nominate({})).toMatchObject({ count })
      expect(sqliteOrphans(path)).toEqual([])
    }
  }, 120_000)

  test('write and read beside each other: nobody fails, nothing is torn, nothing is lost', async () => {
    const path = join(folder, 'together.db')
    const names = ['p', 'q', 'r']
    const children = names.map((name) => start(path, join(folder, `${name}.log`), name, 20))
    const exits = children.map((child) => once(child, 'exit'))
    await using store = await sqliteStore(path, { workspace: 'shared', fields: { version: 'number' } })
    let reads = 0
    while (children.some((child) => child.exitCode === null)) {
      const ids = names.map((name) => `${name}${reads++ % documentsOfProcess}`)
      for (const record of await store.get(ids)) {
        if (record !== undefined) expect(record.tree.text).toBe(versionText(record.id, record.metadata['version'] as number))
      }
      const found = await store
        .nominate({ vector: { identity: letterIdentity, values: letterVector('stone'), limit: 5 } })
        .catch((error) => {
          // Before the first write the workspace has no embedding.
          if (error.code !== 'EMBEDDING_MISMATCH') throw error
          return undefined
        })
      expect(found?.children.every(({ cosine }) => cosine !== undefined) ?? true).toBe(true)
      await new Promise((done) => setTimeout(done, 3))
    }
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0])
    for (const name of names) {
      for (const [id, versions] of possible(readLog(join(folder, `${name}.log`)))) await checkDocument(store, id, versions)
    }
    expect(sqliteOrphans(path)).toEqual([])
  }, 120_000)
})
