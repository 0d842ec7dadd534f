import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedPlaces } from '../../../src/store/postings/sorted-places.ts'

const letters = fc.constantFrom(
  'a',
  'b',
  'g',
  'w',
  '_',
  '\u0000',
  '\u007e',
  '\u007f',
  '\u0080',
  'é',
  'ü',
  '中',
  '\ud83d',
  '\ude00',
)
const strings = fc.uniqueArray(
  fc.array(letters, { maxLength: 9 }).map((parts) => parts.join('')),
  { maxLength: 60 },
)

test('puts strings into the order that sort gives them', () => {
  fc.assert(
    fc.property(strings, (given) => {
      expect(Array.from(sortedPlaces(given), (place) => given[place])).toEqual([...given].sort())
    }),
    { numRuns: 300 },
  )
})

test('sorts more strings than it can number beside their beginnings', () => {
  const given = Array.from({ length: 2 ** 18 + 1 }, (_, at) => ((at * 7_919) % 1_000_003).toString(36))
  expect(Array.from(sortedPlaces(given), (place) => given[place])).toEqual([...given].sort())
})
