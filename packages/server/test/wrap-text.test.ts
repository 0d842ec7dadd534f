import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitText, textWidth } from '../src/text-width.ts'
import { wrapText } from '../src/wrap-text.ts'

function lines(text: string, columns: number): string[] {
  return wrapText(text, columns).map(({ start, end }) => text.slice(start, end))
}

test('lines break at spaces', () => {
  expect(lines('Lay the long stones across the wall', 12)).toEqual(['Lay the long', 'stones', 'across the', 'wall'])
})

test('a word that is too long is broken, and wide characters count twice', () => {
  expect(lines('abcdefghijkl', 8)).toEqual(['abcdefgh', 'ijkl'])
  expect(lines('石の壁を積む人', 8)).toEqual(['石の壁を', '積む人'])
  expect(textWidth('石e\u0301')).toBe(3)
})

test('line ends stay and empty lines in a row become one', () => {
  expect(lines('\n\na\n\n\n\nb\n\n', 20)).toEqual(['a', '', 'b'])
})

test('any text is cut into slices that fit, in order, with all that is not space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 40 }), (text, columns) => {
      const slices = wrapText(text, columns)
      const kept = slices.map(({ start, end }) => text.slice(start, end))
      for (const line of kept) expect(textWidth(line)).toBeLessThanOrEqual(columns)
      expect(kept.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }),
  )
})

test('a text is cut to what fits', () => {
  expect(fitText('short', 10)).toBe('short')
  expect(fitText('a longer text', 8)).toBe('a longe…')
  expect(textWidth(fitText('石の壁を積む', 6))).toBeLessThanOrEqual(6)
})
