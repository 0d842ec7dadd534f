import { describe, expect, test } from 'vitest'
import { checkMetadata } from '../../src/store/check-metadata.ts'
import type { Metadata } from '../../src/store/filter.ts'

describe('metadata', () => {
  test('is a plain object: what would be kept as nothing is refused', () => {
    class Fields {
      kind = 'a'
    }
    for (const given of [new Map([['kind', 'a']]), new Set(), new Date(0), new Uint8Array(2), new Fields(), ['a'], 'a', null])
      expect(() => checkMetadata(given as unknown as Metadata, {}, 'd')).toThrow(/not a plain object/)
    for (const given of [{ kind: 'a' }, Object.assign(Object.create(null), { kind: 'a' })])
      expect(checkMetadata(given as Metadata, {}, 'd')).toEqual({ kind: 'a' })
  })
})
