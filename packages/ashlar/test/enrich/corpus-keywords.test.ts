import { describe, expect, test } from 'vitest'
import { corpusKeywords, termStatistics } from '../../src/enrich/corpus-keywords.ts'
import { smallSource } from './small-source.ts'

const walls = [
  'The mason lays the stone and the lime mortar sets in the joint. Lime mortar breathes.',
  'The quarry cuts the granite and the crane lifts the block onto the cart.',
  'The roof of the house is covered with the slate that came from Wales.',
  'The arch carries the load of the wall and the keystone closes the arch.',
]
const corpus = [...walls, ...walls.map((text, i) => `${text} And the weather of the year ${i} was wet.`)].map((text, i) =>
  smallSource(text, { document: `d${i}` }),
)

describe('corpusKeywords', () => {
  test('what is frequent here and rare elsewhere; common words fall out by themselves', () => {
    const keywords = [...corpusKeywords(corpus, { count: 6 })].map((child) => child.keywords.map((word) => word.toLowerCase()))
    expect(keywords[0]).toContain('lime mortar')
    expect(keywords[3]).toContain('arch')
    for (const words of keywords) for (const word of ['the', 'and', 'of']) expect(words).not.toContain(word)
  })

  test('ids, documents and places of the children, in their order', () => {
    const source = smallSource(walls.join('\n\n'), { size: 100 })
    expect([...corpusKeywords([source])].map(({ id, document, index }) => ({ id, document, index }))).toEqual(
      source.children.map(({ id, index }) => ({ id, document: 'small', index })),
    )
  })

  test('scripts without spaces give phrases of several characters', () => {
    const chinese = ['机器学习是人工智能的一个分支。', '今天天气很好,我们去公园。', '图书馆里有很多书。'].map((text, i) =>
      smallSource(text, { document: `c${i}` }),
    )
    const [first] = [...corpusKeywords(chinese, { count: 12 })]
    expect(first?.keywords.some((word) => word.includes('机器学习'))).toBe(true)
  })

  test('statistics are data: saved, carried on, and taken off again', () => {
    const whole = termStatistics(corpus)
    const first: unknown = JSON.parse(JSON.stringify(termStatistics(corpus.slice(0, 3))))
    const grown = termStatistics(corpus.slice(3), { base: first as typeof whole })
    expect(grown).toEqual(whole)
    expect(termStatistics(corpus.slice(3), { base: grown, sign: -1 })).toEqual(first)
    expect([...corpusKeywords(corpus, { statistics: grown })]).toEqual([...corpusKeywords(corpus)])
  })

  test('words that objects have as properties are words', () => {
    const source = smallSource('A constructor calls toString and __proto__ and hasOwnProperty.')
    const statistics = JSON.parse(JSON.stringify(termStatistics([source])))
    const [child] = [...corpusKeywords([source], { statistics })]
    expect(child?.keywords.join(' ')).toContain('constructor')
    expect(
      [...corpusKeywords([source], { statistics: { children: 5, length: 50, frequencies: {} } })][0]?.keywords.length,
    ).toBeGreaterThan(0)
  })

  test('a repeat of the chunk before is not counted again', () => {
    const source = smallSource('alpha beta. gamma delta.')
    const [child] = source.children
    const overlapped = { ...source, children: [{ ...child!, lead: 12 }] }
    expect(Object.keys(termStatistics([overlapped]).frequencies)).toEqual(['gamma', 'delta'])
  })

  test('a count that cannot be meant is refused', () => {
    expect(() => [...corpusKeywords(corpus, { count: 0 })]).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
