import fc from 'fast-check'
import { expect, test } from 'vitest'

import { ByteMap, LineMap } from '../../src/index.ts'

const lines = fc
  .array(fc.constantFrom('a', 'é', '漢', '🪨', '\n', '\r', '\r\n', '\ud800', ''), { maxLength: 80 })
  .map((parts) => parts.join(''))

test('line and column of every offset agree with splitting the text', () => {
  fc.assert(
    fc.property(lines, (text) => {
      const map = new LineMap(text)
      const split = text.split(/\r\n|\r|\n/)
      expect(map.lineCount).toBe(split.length)
      for (const [index, line] of split.entries()) {
        const span = map.line(index + 1)
        expect(text.slice(span.start, span.end)).toBe(line)
        for (let column = 1; column <= line.length + 1; column++) {
          expect(map.at(span.start + column - 1)).toEqual({ line: index + 1, column })
          expect(map.offset({ line: index + 1, column })).toBe(span.start + column - 1)
        }
      }
    }),
  )
})

test('places outside the text are moved to its ends', () => {
  const map = new LineMap('ab\ncd')
  expect(map.at(-3)).toEqual({ line: 1, column: 1 })
  expect(map.at(99)).toEqual({ line: 2, column: 3 })
  expect(map.line(9)).toEqual({ start: 5, end: 5 })
  expect(map.line(0)).toEqual({ start: 0, end: 0 })
  expect(map.offset({ line: 1, column: 50 })).toBe(2)
})

test('byte offsets agree with TextEncoder at every code point, both ways', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(3), (piece, times) => {
      const text = piece.repeat(1 + times * 20)
      const map = new ByteMap(text)
      const encoder = new TextEncoder()
      expect(map.byteLength).toBe(encoder.encode(text).length)
      let unit = 0
      let byte = 0
      for (const character of text) {
        expect(map.toByte(unit)).toBe(byte)
        expect(map.toUnit(byte)).toBe(unit)
        unit += character.length
        byte += encoder.encode(character).length
      }
      expect(map.toByte(unit)).toBe(byte)
      expect(map.toUnit(byte)).toBe(unit)
    }),
  )
})

test('an offset inside a character is moved back to its start', () => {
  const map = new ByteMap('a🪨b')
  expect(map.toByte(2)).toBe(1)
  expect(map.toUnit(3)).toBe(1)
  expect(map.toByteSpan({ start: 1, end: 3 })).toEqual({ start: 1, end: 5 })
})
