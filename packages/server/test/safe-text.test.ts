import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onlyColours, safeLine, safeText } from '../src/safe-text.ts'

const attacks = {
  'clearing the screen': '\u001b[2J\u001b[H',
  'setting the title': '\u001b]0;owned\u0007',
  'a link': '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'writing to the clipboard': '\u001b]52;c;ZXZpbA==\u0007',
  'eight-bit controls': '\u009b2J\u009d0;owned\u009c',
  'going back over what was written': 'harmless\r\b\b\b\u007fevil',
  'turning the direction of writing': 'user\u202etxt.exe',
  'the next page': 'a\u000cb\u000b',
}

test.each(Object.entries(attacks))('%s is shown, not done', (_, attack) => {
  const shown = safeText(attack)
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect(shown).toHaveLength(attack.length)
})

test('control characters become their pictures', () => {
  expect(safeText('a\u001b[31mb\u0000\u007f\tc\r\nd')).toBe('a␛[31mb␀␡ c \nd')
  expect(safeLine('two\nlines')).toBe('two␊lines')
})

test('any text keeps its length and its line ends, and holds no control afterwards', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = safeText(text)
      expect(shown).toHaveLength(text.length)
      expect(shown.split('\n')).toHaveLength(text.split('\n').length)
      expect(shown).not.toMatch(/[^\P{Cc}\n]/u)
    }),
  )
})

test('where everything is written, colours pass and nothing else does', () => {
  expect(onlyColours('\u001b[1mbold\u001b[22m\n')).toBe('\u001b[1mbold\u001b[22m\n')
  for (const attack of Object.values(attacks))
    expect(onlyColours(attack)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(onlyColours('\u001b[31;1m\u001b[5n')).toBe('\u001b[31;1m␛[5n')
})
