import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { characterKind, isKind } from '../../src/text/character-kind.ts'
import { words } from '../../src/text/word.ts'
import { fastest } from '../fastest.ts'

function split(text: string): string[] {
  return [...words(text)].map(({ start, end }) => text.slice(start, end))
}

describe('words', () => {
  test.each([
    ['punctuation and white space stand between words', '(Well,  then!)\n— Yes…', ['Well', 'then', 'Yes']],
    [
      'apostrophes and hyphens inside hold',
      "don't rock’n’roll state-of-the-art 'quoted' -x-",
      ["don't", 'rock’n’roll', 'state-of-the-art', 'quoted', 'x'],
    ],
    ['numbers keep their signs', 'v2.0.1 costs 1,299.50, not 3.', ['v2.0.1', 'costs', '1,299.50', 'not', '3']],
    ['identifiers hold together at underscores', 'call snake_case.method now', ['call', 'snake_case', 'method', 'now']],
    ['combining marks stay with their letter', 'cafe\u0301 naïve', ['cafe\u0301', 'naïve']],
    ['Cyrillic, Greek, Arabic, Hebrew', 'Мы идём. Πού; أين؟ צה״ל', ['Мы', 'идём', 'Πού', 'أين', 'צה״ל']],
    ['joiners of Persian and Hindi', 'می\u200cروی क्\u200dष', ['می\u200cروی', 'क्\u200dष']],
    ['Korean by its spaces', '가게가 문을 닫았다.', ['가게가', '문을', '닫았다']],
    ['Chinese by character', '我们 go 回家。', ['我', '们', 'go', '回', '家']],
    ['Japanese: katakana holds together', 'カメラを買う', ['カメラ', 'を', '買', 'う']],
    ['Thai by letter with its signs', 'ที่นี่', ['ที่', 'นี่']],
    ['letters outside the basic plane', '𝐀𝐁 𠮷野 𞤀𞤁', ['𝐀𝐁', '𠮷', '野', '𞤀𞤁']],
    ['emoji and lone surrogates are no words', '🎉 a\ud83d b\ude00 👩‍👩‍👧', ['a', 'b']],
    ['nothing', '', []],
  ])('%s', (_name, text, expected) => {
    expect(split(text)).toEqual(expected)
  })

  test('rise, do not touch white space, and leave out no letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        let at = 0
        for (const { start, end } of words(text)) {
          expect(start).toBeGreaterThanOrEqual(at)
          expect(end).toBeGreaterThan(start)
          expect(/[\p{L}\p{N}\p{M}]/u.test(text.slice(at, start).replace(/[^\0-\uffff]/gu, ''))).toBe(false)
          at = end
        }
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['x', 'x ', "'", "x'", '1.', '中', '\u0301', 'ที่', '\ud83d', '-', '🎉'])(
    '1 MB of %j takes less than a second',
    (unit) => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      let end = 0
      const seconds = fastest(() => {
        for (const word of words(text)) end = word.end
      })
      expect(end).toBeLessThanOrEqual(text.length)
      expect(seconds).toBeLessThan(1)
    },
  )
})

describe('the table of characters', () => {
  // Unassigned code points may go either way; a runtime with a newer Unicode knows more of them, one with an older fewer.
  test('has the letters, numbers and marks of Unicode in the basic plane', () => {
    const wrong: string[] = []
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code)
      if (/[\p{Cn}\p{Co}\p{Cs}_]/u.test(character)) continue
      if (/[\p{L}\p{N}\p{M}]/u.test(character) !== isKind(code, characterKind.word)) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
  })

  test('has nothing that is white space and something else', () => {
    let mixed = 0
    for (let code = 0; code < 0x10000; code++) {
      if (isKind(code, characterKind.space) && isKind(code, ~characterKind.space)) mixed++
    }
    expect(mixed).toBe(0)
  })
})
