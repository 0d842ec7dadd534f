import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { abbreviations, longestAbbreviation } from '../../src/text/abbreviation.ts'
import { isTerminator, sentenceEndAt, sentences } from '../../src/text/sentence.ts'
import { isWhiteSpace, skipWhiteSpace } from '../../src/text/white-space.ts'
import { fastest } from '../fastest.ts'

interface Case {
  readonly id: string
  readonly text: string
  readonly sentences: readonly string[]
}

function read(name: string): { readonly hash: string; readonly cases: readonly Case[] } {
  const bytes = readFileSync(new URL(`../../../../bench/sentences/${name}`, import.meta.url))
  return { hash: createHash('sha256').update(bytes).digest('hex'), cases: JSON.parse(bytes.toString('utf8')) }
}

function split(text: string): string[] {
  return [...sentences(text)].map(({ start, end }) => text.slice(start, end).trim())
}

function share(cases: readonly Case[]): number {
  return cases.filter(({ text, sentences }) => JSON.stringify(split(text)) === JSON.stringify(sentences)).length / cases.length
}

describe('the cases', () => {
  // The cases were frozen before the rules were written. If this fails, the rules must change, not the cases.
  test('are the frozen ones, and at least 95 % of them come out exactly', () => {
    const { hash, cases } = read('cases.json')
    expect(hash).toBe('e98238c310631bae1ae7a8c2ce5b7d29b5d776203589ba7b24219d59063bb4f2')
    expect(cases.length).toBeGreaterThanOrEqual(320)
    expect(share(cases)).toBeGreaterThanOrEqual(0.95)
  })

  test.each([
    ['held-out.json', '420e5c76a4f51a2a66c558e4e0203a1ff7c583c1bfb88da8645f48b91d1cc9b5'],
    ['held-out-2.json', '7f9991c98e52ef7283837b76b43ccf18d137a073944bd8aa169daeb39f7484fc'],
  ])('of %s are unchanged as well', (name, expected) => {
    const { hash, cases } = read(name)
    expect(hash).toBe(expected)
    expect(share(cases)).toBeGreaterThanOrEqual(0.95)
  })
})

describe('sentenceEndAt', () => {
  test.each([
    ['one full stop, white space, a capital', 'It rained. Nobody left.', 9, 11],
    ['nothing but white space to the end', 'It rained.  ', 9, 12],
    ['the end itself', 'It rained.', 9, 10],
    ['a title', 'Dr. Hale left.', 2, -1],
    ['a decimal', 'It is 3.5 km.', 7, -1],
    ['a comma after the mark', '"No!", he said.', 3, -1],
    ['closing quotes and brackets', '("Go!") Nobody went.', 4, 8],
    ['no mark at all', 'It rained.', 3, -1],
    ['an index outside the text', 'It rained.', 40, -1],
  ])('%s', (_name, text, at, expected) => {
    expect(sentenceEndAt(text, at)).toBe(expected)
  })

  test('the first and the last mark of a run say the same, those between leave it to them', () => {
    const text = 'What?!? Nobody knew.'
    expect([4, 5, 6].map((at) => sentenceEndAt(text, at))).toEqual([8, -1, 8])
  })

  test('more white space than it looks at separates, and the rest of it is left to the caller', () => {
    const text = `Dr.${' '.repeat(100)}Hale left.`
    expect(sentenceEndAt(text, 2)).toBe(66)
    expect(split(text)).toEqual(['Dr.', 'Hale left.'])
  })

  test('the same abbreviation ends a sentence or not, by what follows', () => {
    expect(split('The U.S. Army left the U.S. He stayed.')).toEqual(['The U.S. Army left the U.S.', 'He stayed.'])
    expect(split('The 5 p.m. train left at 6 p.m. Nobody minded.')).toEqual(['The 5 p.m. train left at 6 p.m.', 'Nobody minded.'])
    expect(split('See Fig. 3 and no. 4. No. The other one.')).toEqual(['See Fig. 3 and no. 4.', 'No.', 'The other one.'])
  })

  test('text in small letters is cut at whole words, not at abbreviations', () => {
    expect(split('the fund lost money. the u.s. dollar fell, e.g. against gold. nobody noticed')).toEqual([
      'the fund lost money.',
      'the u.s. dollar fell, e.g. against gold.',
      'nobody noticed',
    ])
  })

  test('no abbreviation is longer than the search for one', () => {
    expect(Math.max(...[...abbreviations.keys()].map((form) => form.length))).toBe(longestAbbreviation)
  })
})

describe('sentences', () => {
  test('a blank line and the line of a list item begin a sentence', () => {
    expect(split('Shopping\n\n- milk\n- two\n  lemons\n1) a pan')).toEqual(['Shopping', '- milk', '- two\n  lemons', '1) a pan'])
    expect(split('Shopping\r\n \t\r\nMilk')).toEqual(['Shopping', 'Milk'])
  })

  test('a line break alone does not', () => {
    expect(split('The ferry leaves\nat noon. It is\r\nfull.')).toEqual(['The ferry leaves\nat noon.', 'It is\r\nfull.'])
  })

  test('white space before the first sentence belongs to it', () => {
    expect([...sentences('\n\n It rained. ')]).toEqual([{ start: 0, end: 14 }])
    expect([...sentences('  ')]).toEqual([{ start: 0, end: 2 }])
    expect([...sentences('')]).toEqual([])
  })
})

/** Letters, marks, quotes, abbreviations and white space of many kinds, in no sensible order. */
const hostileText = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '.',
          '!',
          '?',
          '…',
          '。',
          '।',
          '॥',
          '۔',
          ';',
          ':',
          '"',
          "'",
          '”',
          '»',
          '“',
          ')',
          '(',
          '[',
          ']',
          '-',
          '—',
          '*',
          ',',
        ),
      },
      { weight: 3, arbitrary: fc.constantFrom(' ', ' ', '\n', '\r\n', '\t', '\u00a0', '\u3000', '\r') },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          'a',
          'B',
          'I',
          'He',
          'the',
          'Dr',
          'etc',
          'U.S',
          'p.m',
          'No',
          'z',
          'é',
          'ß',
          'İ',
          'Ж',
          'д',
          'α',
          'Ω',
          '中',
          'と',
          'カ',
          '가',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '1',
          '12',
          '2023',
          '१',
          '[3]',
          'ครับ',
          'ایم',
          'د',
          'ა',
          '\u0301',
          '\u200d',
          '🎉',
          '🇩🇪',
          '\ud83d',
          '\ude00',
          '\u0000',
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''))

describe('on any text', () => {
  test('sentences cover it in order, without gaps, and end after white space', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        let at = 0
        for (const { start, end } of sentences(text)) {
          expect(start).toBe(at)
          expect(end).toBeGreaterThan(start)
          if (end < text.length) expect(isWhiteSpace(text.charCodeAt(end))).toBe(false)
          at = end
        }
        expect(at).toBe(text.length)
      }),
      { numRuns: 2000 },
    )
  })

  test('sentenceEndAt and sentences never disagree', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const starts = new Set([...sentences(text)].map(({ end }) => end))
        for (let at = 0; at < text.length; at++) {
          const next = sentenceEndAt(text, at)
          if (next === -1) continue
          expect(isTerminator(text.charCodeAt(at))).toBe(true)
          expect(next).toBeGreaterThan(at)
          expect(starts).toContain(skipWhiteSpace(text, next, text.length))
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('sentenceEndAt sees nothing further than 64 code units away', () => {
    const reach = 64
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, fc.nat(), (left, middle, right, pick) => {
        const text = `${left}${middle}${right}.`
        const at = pick % text.length
        const seen = text.slice(Math.max(0, at - reach), at + reach)
        const before = 'X'.repeat(Math.max(0, at - reach))
        const after = '。'.repeat(Math.max(0, text.length - at - reach))
        expect(sentenceEndAt(before + seen + after, at)).toBe(sentenceEndAt(text, at))
        expect(sentenceEndAt(text, at)).toBeLessThanOrEqual(at + reach)
      }),
      { numRuns: 5000 },
    )
  })

  // Each takes some 0.1 s on an idle machine; a quadratic search would take minutes.
  test.each([
    '.',
    '. ',
    '. . ',
    '."',
    '"',
    "'",
    '?!',
    '…',
    '。',
    '。」',
    '۔',
    'ایم۔ ',
    '।१',
    'ครับ ',
    'α;',
    'a.',
    'A. ',
    'a.a.',
    'Dr. ',
    'z. B. ',
    '1. ',
    '2023. 4. ',
    'p.m. ',
    '." Tom ',
    '.[1]',
    '. *',
    '. (',
    '.)',
    '. 🎉',
    '\n',
    '\r',
    ' ',
    '.\n',
    '- ',
    '\u0301',
    '\u200d',
    'x',
    '中',
    '\ud83d',
    'IV. ',
    "l'",
  ])('1 MB of %j takes less than a second', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    let end = 0
    const seconds = fastest(() => {
      for (const sentence of sentences(text)) end = sentence.end
    })
    expect(end).toBe(text.length)
    expect(seconds).toBeLessThan(1)
  })
})
