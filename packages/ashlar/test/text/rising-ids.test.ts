import { expect, test } from 'vitest'
import { risingIds } from '../../src/text/rising-ids.ts'

test('gives each number once, rising, and takes over what is so already', () => {
  const rising = Uint32Array.of(1, 5, 9)
  expect(risingIds(rising)).toBe(rising)
  expect([...risingIds(Uint32Array.of(9, 1, 5, 1, 9))]).toEqual([1, 5, 9])
  expect([...risingIds(new Uint32Array())]).toEqual([])
  expect([...risingIds(Uint32Array.of(7, 7, 7))]).toEqual([7])
})
