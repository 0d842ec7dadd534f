import { afterAll, describe, expect, test } from 'vitest'
import { loaderPool } from '../../src/ingest/node/loader-pool.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const modules = [new URL('./hostile-loaders.ts', import.meta.url).href]
const pool = loaderPool({ processes: 2, milliseconds: 30_000, megabytes: 256, modules })
afterAll(() => pool.close())

describe('a loader pool', () => {
  test('reads what load reads', async () => {
    const input = { name: 'a.md', bytes: bytes('# Walls\n\nLay the long stones first, and the small ones last.') }
    const [document] = await pool.load(input)
    expect(document).toMatchObject({ title: 'Walls', format: 'markdown', loader: 'markdown/1', language: { code: 'en' } })
    expect(input.bytes.length).toBeGreaterThan(0)
  })

  test('gives errors with their codes', async () => {
    await expect(pool.load({ name: 'a.png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0) })).rejects.toMatchObject({
      name: 'AshlarError',
      code: 'UNSUPPORTED_FILE',
      details: { name: 'a.png' },
    })
  })

  test('stops what hangs, survives what dies, and reads on', async () => {
    const quick = loaderPool({ processes: 1, milliseconds: 6000, megabytes: 256, modules })
    const results = await Promise.allSettled([
      quick.load({ name: 'a.hang', bytes: bytes('x') }),
      quick.load({ name: 'b.txt', bytes: bytes('still here') }),
      quick.load({ name: 'c.exit', bytes: bytes('x') }),
      quick.load({ name: 'd.txt', bytes: bytes('still here') }),
      quick.load({ name: 'e.throw', bytes: bytes('x') }),
      quick.load({ name: 'f.txt', bytes: bytes('still here') }),
    ])
    await quick.close()
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.text : result.reason.code))).toEqual([
      'LOADER_TIMED_OUT',
      'still here',
      'LOADER_DIED',
      'still here',
      'DAMAGED_FILE',
      'still here',
    ])
  })

  test('ends a process that takes too much memory', async () => {
    await expect(pool.load({ name: 'a.memory', bytes: bytes('x') })).rejects.toMatchObject({ code: 'LOADER_DIED' })
    expect((await pool.load({ name: 'b.txt', bytes: bytes('still here') }))[0]?.text).toBe('still here')
  })

  test('can be told to stop', async () => {
    const controller = new AbortController()
    const stopped = pool.load({ name: 'a.hang', bytes: bytes('x') }, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
    await expect(pool.load({ name: 'b.txt', bytes: bytes('x') }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  test('refuses what is too large, and everything once closed', async () => {
    const small = loaderPool({ processes: 1, limits: { bytes: 10 } })
    await expect(small.load({ name: 'a.txt', bytes: new Uint8Array(11) })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    await small.close()
    await expect(small.load({ name: 'a.txt', bytes: new Uint8Array(1) })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    expect(() => loaderPool({ processes: 0 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
