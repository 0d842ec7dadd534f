import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { pureSha256, sha256 } from '../../src/text/sha-256.ts'

test('the script and the runtime agree with SHA-256 on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (text) => {
      const expected = createHash('sha256').update(text).digest('hex')
      expect(pureSha256(text)).toBe(expected)
      expect(sha256(text)).toBe(expected)
    }),
    { numRuns: 300 },
  )
})

test('every length around the block size is padded right', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'x'.repeat(length)
    expect(pureSha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('lone surrogates are hashed as U+FFFD', () => {
  expect(pureSha256('a\ud800b')).toBe(pureSha256('a\ufffdb'))
  expect(sha256('a\ud800b')).toBe(sha256('a\ufffdb'))
})

test('a shorter digest is a prefix of the longer', () => {
  expect(sha256('ashlar', 128)).toBe(sha256('ashlar').slice(0, 32))
  expect(pureSha256('ashlar', 64)).toBe(sha256('ashlar').slice(0, 16))
})
