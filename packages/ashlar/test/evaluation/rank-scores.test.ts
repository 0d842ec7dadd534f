import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSciFact } from '../../../../bench/inputs/scifact.ts'
import { anyAt, ndcgAt, passAt, precisionAt, recallAt, reciprocalRank } from '../../src/evaluation/rank-scores.ts'
import { plainBm25 } from './plain-bm25.ts'

describe('rank scores by hand', () => {
  const ranked = ['d', 'a', 'e', 'b', 'a', 'c']

  test('recall, precision and whether anything is found', () => {
    expect(recallAt(ranked, ['a', 'b', 'z'], 4)).toBe(2 / 3)
    expect(recallAt(ranked, new Set(['a', 'c']), 5)).toBe(1 / 2)
    expect(precisionAt(ranked, ['a', 'b'], 5)).toBe(2 / 5)
    expect(precisionAt(['a'], ['a'], 3)).toBe(1 / 3)
    expect([anyAt(ranked, ['b'], 3), anyAt(ranked, ['b'], 4)]).toEqual([0, 1])
  })

  test('reciprocal rank', () => {
    expect(reciprocalRank(ranked, ['b', 'e'])).toBe(1 / 3)
    expect(reciprocalRank(ranked, ['b'], 3)).toBe(0)
    expect(reciprocalRank(ranked, ['z'])).toBe(0)
  })

  test('nDCG of the usual textbook example, with grades', () => {
    // Grades 3 2 3 0 1 2 in order; the ideal order adds the two that were not ranked: 3 3 3 2 2 2.
    const grades = new Map([
      ['1', 3],
      ['2', 2],
      ['3', 3],
      ['4', 0],
      ['5', 1],
      ['6', 2],
      ['7', 3],
      ['8', 2],
    ])
    const found = 3 + 2 / Math.log2(3) + 3 / 2 + 0 + 1 / Math.log2(6) + 2 / Math.log2(7)
    const ideal = 3 + 3 / Math.log2(3) + 3 / 2 + 2 / Math.log2(5) + 2 / Math.log2(6) + 2 / Math.log2(7)
    expect(found).toBeCloseTo(6.861, 3)
    expect(ndcgAt(['1', '2', '3', '4', '5', '6'], grades, 6)).toBeCloseTo(found / ideal, 12)
    expect(ndcgAt(['1', '2', '3', '4', '5', '6'], grades, 6)).toBeCloseTo(0.785, 3)
  })

  test('nDCG without grades', () => {
    expect(ndcgAt(['x', 'a'], ['a'], 10)).toBeCloseTo(1 / Math.log2(3), 12)
    expect(ndcgAt(['a', 'a', 'b'], ['a', 'b'], 10)).toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)), 12)
    expect(ndcgAt(['x'], ['a'], 10)).toBe(0)
  })

  test('Pass@k goes by texts, trimmed, and by the list of golden ones', () => {
    expect(passAt(['  one\n', 'two', 'three'], ['one', 'three'], 2)).toBe(0.5)
    expect(passAt(['one', 'two'], ['one', 'one ', 'three', 'four'], 2)).toBe(0.5)
  })

  test('a question without an answer has no score', () => {
    expect(() => recallAt(['a'], [], 1)).toThrow(/no evidence/)
    expect(() => ndcgAt(['a'], new Map([['a', 0]]), 1)).toThrow(/no evidence/)
    expect(() => passAt(['a'], [], 1)).toThrow(/no evidence/)
    expect(() => reciprocalRank(['a'], [])).toThrow(/no evidence/)
  })
})

test('the best order has all scores of 1, and moving a relevant item up never lowers any', () => {
  const items = fc.uniqueArray(fc.nat(30), { minLength: 2, maxLength: 15 })
  fc.assert(
    fc.property(items, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 15 }), (ranked, pick, choose, k) => {
      const relevant = ranked.filter((_, at) => (choose >> at) & 1)
      fc.pre(relevant.length > 0)
      const best = [...relevant, ...ranked.filter((item) => !relevant.includes(item))]
      expect(ndcgAt(best, relevant, k)).toBeCloseTo(1, 12)
      expect(reciprocalRank(best, relevant)).toBe(1)
      expect(recallAt(best, relevant, ranked.length)).toBe(1)
      const at = 1 + (pick % (ranked.length - 1))
      const item = ranked[at] as number
      fc.pre(relevant.includes(item))
      const moved = ranked.with(at, ranked[at - 1] as number).with(at - 1, item)
      for (const score of [ndcgAt, recallAt, reciprocalRank, precisionAt, anyAt]) {
        expect(score(moved, relevant, k) - score(ranked, relevant, k)).toBeGreaterThanOrEqual(-1e-12)
      }
    }),
  )
})

const sciFact = readSciFact(6000, 300)

test.skipIf(sciFact === null)('nDCG@10 and recall of BM25 on SciFact are those that are published', () => {
  const { documents, queries } = sciFact ?? { documents: [], queries: [] }
  const find = plainBm25(documents.map(({ text }) => text))
  const ranked = queries.map(({ text }) => find(text).map((at) => documents[at]?.id ?? ''))
  const mean = (score: (found: readonly string[], relevant: ReadonlySet<string>) => number): number =>
    queries.reduce((sum, { relevant }, at) => sum + score(ranked[at] ?? [], relevant), 0) / queries.length
  expect(documents).toHaveLength(5183)
  // Its README has .668, .795 and .905; the BEIR paper .665 for nDCG@10.
  expect(Math.abs(mean((found, relevant) => ndcgAt(found, relevant, 10)) - 0.668)).toBeLessThan(0.01)
  expect(Math.abs(mean((found, relevant) => recallAt(found, relevant, 10)) - 0.795)).toBeLessThan(0.01)
  expect(Math.abs(mean((found, relevant) => recallAt(found, relevant, 100)) - 0.905)).toBeLessThan(0.01)
})
