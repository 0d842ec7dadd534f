import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csv } from '../../src/chunk/csv.ts'
import { strength } from '../../src/chunk/seam.ts'
import { checkSeams } from './check-seams.ts'

function rows(text: string, options?: Parameters<typeof csv>[0]): string[] {
  return checkSeams(csv(options), text)
    .filter(({ kind }) => kind === 'row')
    .map(({ at, end }) => text.slice(at, end))
}

function cells(text: string, options?: Parameters<typeof csv>[0]): string[] {
  return checkSeams(csv(options), text)
    .filter(({ kind }) => kind === 'cell')
    .map(({ at }) => text.slice(at, at + 4))
}

describe('rows', () => {
  test('are units without their line break, whatever the line break', () => {
    expect(rows('a,b\r\n1,2\n3,4\r5,6')).toEqual(['a,b', '1,2', '3,4', '5,6'])
  })

  test('may hold delimiters, line breaks and doubled quotes inside quotes', () => {
    expect(rows('a,b\n"1\r\n,""x""\n",2\n3,4\n')).toEqual(['a,b', '"1\r\n,""x""\n",2', '3,4'])
  })

  test('keep a quote in the middle of a cell as it is', () => {
    expect(rows('size,price\n5" disk,3\n6" disk,4')).toEqual(['size,price', '5" disk,3', '6" disk,4'])
  })

  test('are lines from the row on whose quote is never closed', () => {
    expect(rows('a,b\n"x\ny",2\n"3,4\n5,6')).toEqual(['a,b', '"x\ny",2', '"3,4', '5,6'])
    expect(rows('a\n"b""')).toEqual(['a', '"b""'])
  })

  test('leave out blank lines and a byte order mark', () => {
    expect(rows('\ufeffa,b\n\n1,2\n\n\n3,4\n\n')).toEqual(['a,b', '1,2', '3,4'])
  })
})

describe('header', () => {
  const text = 'name,age\nAda,36\nAlan,41\n'

  test('is the first row unless told otherwise, known to the whole table', () => {
    const [table, header, first, second] = checkSeams(csv(), text)
    expect(table).toEqual({
      at: 0,
      strength: strength.block,
      kind: 'table',
      end: text.length,
      inside: 'words',
      header: { start: 0, end: 8 },
    })
    expect(header).toMatchObject({ at: 0, end: 8, strength: strength.item })
    expect(first).toMatchObject({ at: 9, end: 15, strength: strength.glue })
    expect(second).toMatchObject({ at: 16, end: 23, strength: strength.item })
  })

  test('may be several rows, which stay together with the first below', () => {
    const seams = checkSeams(csv({ header: 2 }), text)
    expect(seams[0]?.header).toEqual({ start: 0, end: 15 })
    expect(seams.slice(1).map((seam) => seam.strength)).toEqual([strength.item, strength.glue, strength.glue])
  })

  test('may be missing', () => {
    const seams = checkSeams(csv({ header: false }), text)
    expect(seams.map(({ kind, strength: force }) => [kind, force])).toEqual([
      ['row', strength.item],
      ['row', strength.item],
      ['row', strength.item],
    ])
  })

  test('begins after a byte order mark', () => {
    expect(checkSeams(csv(), `\ufeff${text}`)[0]?.header).toEqual({ start: 1, end: 9 })
  })
})

describe('delimiter', () => {
  const filler = 'x'.repeat(70)

  test.each([
    [',', `a,b;c,d\n1,2;3,${filler}`],
    [';', `a;b;c\n1,5;2,5;${filler}`],
    ['\t', `a\tb\n1, one\t${filler}`],
    ['|', `a|b|c\n1|"2,,,,;;;;"|${filler}`],
  ])('%j is found', (delimiter, text) => {
    expect(cells(text)).toEqual(cells(text, { delimiter }))
    expect(cells(text).at(-1)).toBe('xxxx')
  })

  test('is a comma where nothing is found', () => {
    expect(rows('just\nwords')).toEqual(['just', 'words'])
  })

  test('must be one character', () => {
    for (const delimiter of ['', ', ', '"', '\n', '\u{1f600}']) expect(() => csv({ delimiter })).toThrow(RangeError)
    expect(() => csv({ header: -1 })).toThrow(RangeError)
    expect(() => csv({ header: Number.NaN })).toThrow(RangeError)
  })
})

describe('cells', () => {
  test('of a long row are seams, weaker than a row and stronger than a sentence', () => {
    const long = 'One sentence. Another one. '.repeat(10)
    const text = `id, note,,last\n1,"${long}",, 4`
    const seams = checkSeams(csv(), text).filter(({ kind }) => kind === 'cell')
    expect(seams.map(({ at, inside }) => [text.slice(at, at + 4), inside])).toEqual([
      ['"One', 'prose'],
      ['4', 'words'],
    ])
    for (const seam of seams) {
      expect(seam.strength).toBeGreaterThan(strength.sentence)
      expect(seam.strength).toBeLessThan(strength.line)
    }
  })

  test('of a short row are not', () => {
    expect(cells('a,b,c\n1,2,3')).toEqual([])
  })
})

test('any text gives sound seams', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'ab,;|\t" \n\r', '""', '\r\n', '\ud83d', '\ude00', '\u{1f600}', '\ufeff', 'x'.repeat(70)),
    maxLength: 60,
  })
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(undefined, ',', ';', '\t', ' '),
      fc.constantFrom(true, false, 3),
      (given, delimiter, header) => {
        checkSeams(csv({ ...(delimiter === undefined ? {} : { delimiter }), header }), given)
      },
    ),
    { numRuns: 2000 },
  )
})

test('rows and what lies between them are the text', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab,"\n\r', '\r\n'), maxLength: 40 })
  fc.assert(
    fc.property(text, (given) => {
      let from = 0
      for (const { at, end, kind } of checkSeams(csv({ header: false }), given)) {
        if (kind !== 'row') continue
        expect(given.slice(from, at)).toMatch(/^[\r\n]*$/)
        from = end as number
      }
      expect(given.slice(from)).toMatch(/^[\r\n]*$/)
    }),
    { numRuns: 2000 },
  )
})
