import fc from 'fast-check'
import { expect, test } from 'vitest'

import { graphemes, isGraphemeBoundary } from '../../src/index.ts'
import { textArbitrary } from '../../src/testing/text-arbitrary.ts'
import { codePointBoundaryBefore, codePointEnd, graphemeBoundaries, graphemeBoundaryBefore } from '../../src/text/grapheme.ts'

const anyText = fc.oneof(textArbitrary(), fc.string({ unit: 'binary', maxLength: 40 }))

test('a boundary asked for one by one is a boundary of the whole text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const starts = new Set([...graphemes(text)].map(({ start }) => start)).add(text.length)
      for (let at = 0; at <= text.length; at++) expect([at, isGraphemeBoundary(text, at)]).toEqual([at, starts.has(at)])
    }),
    { numRuns: 500 },
  )
})

test('boundaries from a known one on are the same as from the start', () => {
  fc.assert(
    fc.property(anyText, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
      const starts = [...graphemes(text)].map(({ start }) => start)
      const floor = starts[Math.floor(share * starts.length)] ?? 0
      const expected = [...starts, text.length].filter((at) => at > floor)
      expect([...graphemeBoundaries(text, floor, text.length)]).toEqual(expected)
      const limit = Math.floor((floor + text.length) / 2)
      expect(graphemeBoundaryBefore(text, limit, floor)).toBe(expected.filter((at) => at <= limit).at(-1) ?? floor)
    }),
    { numRuns: 500 },
  )
})

test('what the runtime and the table both know, they agree on', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const text of ['👨‍👩‍👧!', '🇫🇷🇩🇪', 'e\u0301t', '각', '\r\n', 'क्षि', '1\ufe0f\u20e3', 'ก็']) {
    expect([...graphemes(text)].map(({ start }) => start)).toEqual([...segmenter.segment(text)].map(({ index }) => index))
  }
})

test('code points and CRLF are the smallest pieces', () => {
  expect(codePointEnd('\r\n', 0)).toBe(2)
  expect(codePointEnd('🪨', 0)).toBe(2)
  expect(codePointEnd('\ud83e!', 0)).toBe(1)
  expect(codePointBoundaryBefore('a🪨b', 2, 0)).toBe(1)
  expect(codePointBoundaryBefore('a\r\nb', 2, 0)).toBe(1)
  expect(codePointBoundaryBefore('ab', 1, 0)).toBe(1)
})
