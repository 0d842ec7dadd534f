import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { sqliteCache } from '../../src/model/sqlite-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'ashlar-cache-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const writer = fileURLToPath(new URL('sqlite-cache-writer.ts', import.meta.url))
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const has = async (path: string, keys: readonly string[]): Promise<boolean[]> => {
  await using cache = sqliteCache(path)
  return (await cache.get(keys)).map((value) => value !== undefined)
}

describe('sqliteCache', () => {
  test('gives back what was set, after it was closed and opened again', async () => {
    const path = join(folder, 'again.db')
    {
      await using cache = sqliteCache(path)
      await cache.set([
        { key: 'a', value: bytes(1) },
        { key: 'b', value: bytes(2, 3) },
        { key: 'none', value: bytes() },
      ])
      await cache.set([])
      await cache.set([{ key: 'a', value: bytes(9) }])
    }
    await using cache = sqliteCache(path)
    expect(await cache.get(['b', 'c', 'a', 'none'])).toEqual([bytes(2, 3), undefined, bytes(9), bytes()])
  })

  test('forgets what was set longest ago where it has a limit', async () => {
    const path = join(folder, 'limit.db')
    await using cache = sqliteCache(path, { maxBytes: 1000 })
    for (let at = 0; at < 20; at++) await cache.set([{ key: `${at}`, value: new Uint8Array(100) }])
    const found = await cache.get(Array.from({ length: 20 }, (_, at) => `${at}`))
    expect(found.map((value) => value !== undefined)).toEqual(Array.from({ length: 20 }, (_, at) => at >= 10))
    await cache.set([{ key: '15', value: new Uint8Array(600) }])
    const file = new DatabaseSync(path)
    expect(file.prepare('SELECT (SELECT bytes FROM total) AS kept, sum(length(value)) AS bytes FROM entry').get()).toEqual({
      kept: 1000,
      bytes: 1000,
    })
    file.close()
  })

  test('keeps what is used where it has a limit', async () => {
    const path = join(folder, 'used.db')
    {
      await using cache = sqliteCache(path)
      for (const key of 'abc') await cache.set([{ key, value: new Uint8Array(100) }])
    }
    const file = new DatabaseSync(path)
    file.exec('UPDATE entry SET used = used - 86400000')
    file.close()
    await using cache = sqliteCache(path, { maxBytes: 300 })
    await cache.get(['a'])
    await cache.set([{ key: 'd', value: new Uint8Array(100) }])
    expect(await has(path, [...'abcd'])).toEqual([true, false, true, true])
  })

  test('refuses files that are something else', async () => {
    const database = join(folder, 'other.db')
    const file = new DatabaseSync(database)
    file.exec('CREATE TABLE notes (text)')
    file.close()
    await using other = sqliteCache(database)
    await expect(other.get(['a'])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    const text = join(folder, 'text.db')
    writeFileSync(text, 'This is a note, not a database. '.repeat(50))
    await using cache = sqliteCache(text)
    await expect(cache.get(['a'])).rejects.toThrow()
    expect(() => sqliteCache(database, { maxBytes: -1 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  test('is closed once and for all', async () => {
    const cache = sqliteCache(join(folder, 'closed.db'))
    await cache[Symbol.asyncDispose]()
    await cache[Symbol.asyncDispose]()
    await expect(cache.get(['a'])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  test('takes several processes that open and write at once', async () => {
    const path = join(folder, 'many.db')
    const names = ['a', 'b', 'c', 'd']
    const ends = await Promise.all(
      names.map(async (name) => {
        const child = spawn(process.execPath, ['--no-warnings', writer, path, name, '40'], {
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        const [code] = await once(child, 'exit')
        return code
      }),
    )
    expect(ends).toEqual([0, 0, 0, 0])
    const keys = names
      .flatMap((name) => Array.from({ length: 40 }, (_, at) => [0, 1, 2].map((part) => `${name}/${at}/${part}`)))
      .flat()
    expect((await has(path, keys)).every(Boolean)).toBe(true)
  })

  test('has all that it said it has when the process is killed', async () => {
    const path = join(folder, 'killed.db')
    const child = spawn(process.execPath, ['--no-warnings', writer, path, 'k', '1000000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
      if (told.split('\n').length > 50) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const last = told.trimEnd().split('\n').length
    const keys = (count: number): string[] =>
      Array.from({ length: count }, (_, at) => [0, 1, 2].map((part) => `k/${at}/${part}`)).flat()
    expect((await has(path, keys(last))).every(Boolean)).toBe(true)
    // One more may be in that it had no time to tell of, in full or not at all.
    const next = (await has(path, keys(last + 1))).slice(-3)
    expect(new Set(next).size).toBe(1)
  })
})
