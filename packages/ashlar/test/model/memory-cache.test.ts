import { expect, test } from 'vitest'
import { memoryCache } from '../../src/model/memory-cache.ts'

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

test('gives back what was set, in the order that was asked for', async () => {
  await using cache = memoryCache()
  await cache.set([
    { key: 'a', value: bytes(1) },
    { key: 'b', value: bytes(2, 3) },
  ])
  expect(await cache.get(['b', 'c', 'a', 'b'])).toEqual([bytes(2, 3), undefined, bytes(1), bytes(2, 3)])
  await cache.set([{ key: 'a', value: bytes(9) }])
  expect(await cache.get(['a'])).toEqual([bytes(9)])
})

test('keeps copies', async () => {
  const cache = memoryCache()
  const value = bytes(1)
  await cache.set([{ key: 'a', value }])
  value[0] = 7
  const [first] = await cache.get(['a'])
  first?.fill(8)
  expect(await cache.get(['a'])).toEqual([bytes(1)])
})

test('forgets what was used longest ago', async () => {
  const cache = memoryCache({ maxBytes: 3 * (1 + 100 + 128) })
  const value = new Uint8Array(100)
  for (const key of 'abc') await cache.set([{ key, value }])
  await cache.get(['a'])
  await cache.set([{ key: 'd', value }])
  const found = await cache.get([...'abcd'])
  expect(found.map((entry) => entry !== undefined)).toEqual([true, false, true, true])
  await cache.set([{ key: 'e', value: new Uint8Array(1000) }])
  expect(await cache.get([...'abcde'])).toEqual(Array(5).fill(undefined))
})

test('refuses a size that cannot be meant', () => {
  expect(() => memoryCache({ maxBytes: -1 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
})
