import { expect, test } from 'vitest'
import { isFieldName } from '../../src/store/check-scope.ts'
import { isReservedName, ownMetadata, reserved, reservedMetadata, reservedPrefix } from '../../src/store/reserved-metadata.ts'

test('every reserved name has the prefix and can be stored', () => {
  for (const name of Object.values(reserved)) {
    expect(isReservedName(name)).toBe(true)
    expect(isFieldName(name)).toBe(true)
  }
  expect(new Set(Object.values(reserved)).size).toBe(Object.keys(reserved).length)
  expect(isReservedName(`${reservedPrefix}anything`)).toBe(true)
  expect(isReservedName('ashlar')).toBe(false)
})

test('metadata comes apart into the two halves it was made of', () => {
  const own = { year: 2020, tags: ['a'] }
  const kept = { [reserved.hash]: 'ff', [reserved.source]: 'file:a.md' }
  expect(ownMetadata({ ...own, ...kept })).toEqual(own)
  expect(reservedMetadata({ ...own, ...kept })).toEqual(kept)
  expect(ownMetadata(own)).toBe(own)
})
