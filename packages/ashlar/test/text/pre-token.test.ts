import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { letterClass, letterClasses, surrogateClass } from '../../src/text/letter-class.ts'
import { cl100kPieces, o200kPieces, type PieceEnd, unsettledPieces } from '../../src/text/pre-token.ts'
import { anyText } from './any-text.ts'

const { space, newline, number, mark, lower, upper, caseless } = letterClass
const table = letterClasses()

/** The code points of some classes as the inside of a character class, so that the pattern follows the same Unicode version. */
function inside(classes: number): string {
  let ranges = ''
  const isIn = (point: number): boolean => {
    if (point > 0x10ffff) return false
    const sign = String.fromCodePoint(point)
    const found = point < 0x10000 ? table[point]! : surrogateClass(table, sign.charCodeAt(0), sign.charCodeAt(1))
    return (found & classes) !== 0
  }
  for (let point = 0; point <= 0x10ffff; point++) {
    if (!isIn(point)) continue
    const from = point
    while (isIn(point + 1)) point++
    ranges += `\\u{${from.toString(16)}}-\\u{${point.toString(16)}}`
  }
  return ranges
}

const L = inside(lower | upper | caseless)
const N = inside(number)
const S = inside(space | newline)
const U = inside(upper | caseless | mark)
const W = inside(lower | caseless | mark)
const contraction = "'(?:[sSſ]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])"

const patterns = {
  cl100k: `${contraction}|[^\\r\\n${L}${N}]?[${L}]+|[${N}]{1,3}| ?[^${S}${L}${N}]+[\\r\\n]*|[${S}]*[\\r\\n]+|[${S}]+(?![^${S}])|[${S}]+`,
  o200k:
    `[^\\r\\n${L}${N}]?[${U}]*[${W}]+(?:${contraction})?|[^\\r\\n${L}${N}]?[${U}]+[${W}]*(?:${contraction})?` +
    `|[${N}]{1,3}| ?[^${S}${L}${N}]+[\\r\\n/]*|[${S}]*[\\r\\n]+|[${S}]+(?![^${S}])|[${S}]+`,
}

function ends(text: string, pieceEnd: PieceEnd, limit = text.length): number[] {
  const found: number[] = []
  for (let at = 0; at < limit; ) {
    at = pieceEnd(text, at, limit)
    found.push(at)
  }
  return found
}

describe.each([
  ['cl100k', cl100kPieces(), new RegExp(patterns.cl100k, 'gu')],
  ['o200k', o200kPieces(), new RegExp(patterns.o200k, 'gu')],
] as const)('pre-tokens of %s', (_, pieceEnd, pattern) => {
  test('are those of the encoding’s pattern', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyText(14), (text) => {
        const expected = [...text.toWellFormed().matchAll(pattern)].map((match) => match.index + match[0].length)
        expect(ends(text, pieceEnd)).toEqual(expected)
      }),
      { numRuns: 4000 },
    )
  })

  test('end where they would in a longer text, but for the last few', () => {
    fc.assert(
      fc.property(anyText(40), fc.nat(), (text, cut) => {
        const limit = cut % (text.length + 1)
        const short = ends(text, pieceEnd, limit)
        const long = ends(text, pieceEnd)
        const settled = short.slice(0, Math.max(0, short.length - unsettledPieces))
        expect(long.slice(0, settled.length)).toEqual(settled)
        const within = long.filter((end) => end <= limit)
        const kept = within.slice(0, Math.max(0, within.length - unsettledPieces))
        expect(short.slice(0, kept.length)).toEqual(kept)
      }),
      { numRuns: 4000 },
    )
  })
})
