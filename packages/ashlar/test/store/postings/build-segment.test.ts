import { expect, test } from 'vitest'
import { buildSegment } from '../../../src/store/postings/build-segment.ts'
import { analyse, analyseNumbered, type NumberedAnalysis } from '../../../src/text/analyse.ts'

const texts = ['Slate on wood.', 'Stone on stone, slate on slate.', 'مدرسة 学校 snake_case', 'Wood and stone']
const keys = (at: number) => ({ key: 10 + at, parent: 5, section: 3, document: 1 })

/** The same terms under other numbers, as after the table of terms has started afresh. */
function renumbered({ names, numbers, counts, length }: NumberedAnalysis): NumberedAnalysis {
  const used = Array.from(numbers, (number) => names[number] as string).reverse()
  return {
    names: ['unused', ...used],
    numbers: Uint32Array.from(used.keys(), (at) => at + 1),
    counts: counts.toReversed(),
    length,
  }
}

test('a segment is the same from terms and from numbers, of one table or of several', () => {
  const fromTerms = buildSegment(texts.map((text, at) => ({ ...keys(at), own: analyse(text), generated: analyse(text) })))
  const fromNumbers = buildSegment(
    texts.map((text, at) => ({ ...keys(at), own: analyseNumbered(text), generated: analyseNumbered(text) })),
  )
  const fromTables = buildSegment(
    texts.map((text, at) => {
      const analysis = analyseNumbered(text)
      return { ...keys(at), own: at % 2 === 0 ? analysis : renumbered(analysis), generated: analysis }
    }),
  )
  expect(fromNumbers).toEqual(fromTerms)
  expect(fromTables).toEqual(fromTerms)
})

test('children may come in any order', () => {
  const children = texts.map((text, at) => ({ ...keys(at), own: analyseNumbered(text) }))
  expect(buildSegment(children.toReversed())).toEqual(buildSegment(children))
})
