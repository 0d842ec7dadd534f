import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChromaQuestions } from '../../../../bench/inputs/chroma-questions.ts'
import { readCorpora } from '../../../../bench/inputs/evaluation-folder.ts'
import type { DocumentSpan } from '../../src/evaluation/document-span.ts'
import { precisionOmega } from '../../src/evaluation/precision-omega.ts'
import { spanScores } from '../../src/evaluation/span-scores.ts'
import { withinBudget } from '../../src/evaluation/within-budget.ts'
import { characters } from '../../src/text/characters.ts'
import { words } from '../../src/text/word-counter.ts'
import { plainBm25 } from './plain-bm25.ts'

const span = (start: number, end: number, document = 'a'): DocumentSpan => ({ document, start, end })

describe('span scores by hand', () => {
  test('recall, precision and IoU', () => {
    // 10 of 20 wanted, 10 of 40 read, 10 of 20 + 40 - 10.
    expect(spanScores([span(0, 30), span(90, 100, 'b')], [span(20, 40)])).toEqual({ recall: 0.5, precision: 0.25, iou: 0.2 })
  })

  test('what was found twice is found once, and read twice unless said otherwise', () => {
    const found = [span(0, 20), span(10, 30)]
    const gold = [span(10, 20)]
    expect(spanScores(found, gold)).toEqual({ recall: 1, precision: 0.25, iou: 0.25 })
    expect(spanScores(found, gold, { repeats: 'once' })).toEqual({ recall: 1, precision: 1 / 3, iou: 1 / 3 })
  })

  test('nothing found, and nothing to find', () => {
    expect(spanScores([], [span(0, 5)])).toEqual({ recall: 0, precision: 0, iou: 0 })
    expect(() => spanScores([span(0, 5)], [])).toThrow(/no evidence/)
    expect(() => precisionOmega([span(0, 5)], [])).toThrow(/no evidence/)
  })

  test('precision-omega counts the pieces that hold evidence, and those that touch it', () => {
    const pieces = [span(0, 10), span(10, 20), span(20, 30), span(30, 40), span(10, 20, 'b')]
    expect(precisionOmega(pieces, [span(12, 20)])).toBe(8 / 20)
    expect(precisionOmega(pieces, [span(12, 20)], { touching: false })).toBe(8 / 10)
    expect(precisionOmega([span(0, 10)], [span(5, 15)])).toBe(5 / 15)
  })
})

describe('budgets', () => {
  test('the last span is cut where the budget ends', () => {
    expect(withinBudget([span(0, 10), span(5, 25), span(0, 9, 'b')], 14)).toEqual([span(0, 10), span(5, 9)])
    expect(withinBudget([span(0, 10)], 10)).toEqual([span(0, 10)])
    expect(withinBudget([span(0, 10)], 0)).toEqual([])
  })

  test('tokens are counted in the text, with and without a measure', () => {
    const text = 'one two three four five six'
    const textOf = ({ start, end }: DocumentSpan): string => text.slice(start, end)
    const found = [span(0, 8), span(8, text.length)]
    const bare = Object.assign((given: string) => words(given), { id: 'bare', accuracy: 'exact' as const })
    for (const counter of [words, bare]) {
      const kept = withinBudget(found, 4, { counter, textOf })
      expect(kept.map((one) => textOf(one).trim())).toEqual(['one two', 'three four'])
    }
    expect(withinBudget(found, 10, { counter: characters, textOf })).toEqual(withinBudget(found, 10))
  })
})

const spans = fc.array(
  fc
    .record({ document: fc.constantFrom('a', 'b'), start: fc.nat(60), length: fc.nat(20) })
    .map(({ document, start, length }) => ({
      document,
      start,
      end: start + length,
    })),
  { maxLength: 8 },
)

describe('properties', () => {
  const at = ({ document, start, end }: DocumentSpan): string[] =>
    Array.from({ length: end - start }, (_, offset) => `${document}${start + offset}`)

  test('spans are what sets of characters would be', () => {
    fc.assert(
      fc.property(spans, spans, (found, gold) => {
        const wanted = new Set(gold.flatMap(at))
        fc.pre(wanted.size > 0)
        const read = found.flatMap(at)
        const shared = [...new Set(read)].filter((character) => wanted.has(character)).length
        const scores = spanScores(found, gold)
        expect(scores.recall).toBeCloseTo(shared / wanted.size, 12)
        expect(scores.precision).toBeCloseTo(read.length === 0 ? 0 : shared / read.length, 12)
        expect(scores.iou).toBeCloseTo(shared / (read.length + wanted.size - shared), 12)
        const once = spanScores(found, gold, { repeats: 'once' })
        expect(once.iou).toBeCloseTo(shared / new Set([...read, ...wanted]).size, 12)
      }),
    )
  })

  test('pieces that are the evidence have a precision-omega of 1, and no cut has more', () => {
    fc.assert(
      fc.property(spans, spans, (pieces, gold) => {
        fc.pre(gold.flatMap(at).length > 0)
        expect(precisionOmega(gold, gold)).toBe(1)
        const omega = precisionOmega(pieces, gold)
        expect(omega).toBeGreaterThanOrEqual(0)
        expect(omega).toBeLessThanOrEqual(1)
        expect(precisionOmega(pieces, gold, { touching: false })).toBeGreaterThanOrEqual(omega)
      }),
    )
  })

  test('a larger budget never finds less, and never reads more than it allows', () => {
    fc.assert(
      fc.property(spans, spans, fc.nat(80), fc.nat(80), (found, gold, budget, more) => {
        fc.pre(gold.flatMap(at).length > 0)
        const small = withinBudget(found, budget)
        expect(small.flatMap(at).length).toBe(Math.min(budget, found.flatMap(at).length))
        const large = withinBudget(found, budget + more)
        expect(spanScores(large, gold).recall).toBeGreaterThanOrEqual(spanScores(small, gold).recall)
      }),
    )
  })
})

const corpora = readCorpora()

describe.skipIf(corpora.length === 0)('published figures of Chroma', () => {
  test.each([
    { size: 800, step: 800, omega: 23.2 },
    { size: 800, step: 400, omega: 16.3 },
  ])('precision-omega of fixed pieces of $size characters, one every $step', ({ size, step, omega }) => {
    const pieces = new Map(corpora.map(({ name, text }) => [name, fixed(name, text, size, step)]))
    const scores = readChromaQuestions().map(({ corpus, evidence }) =>
      precisionOmega(
        pieces.get(corpus) ?? [],
        evidence.map((one) => ({ ...one, document: corpus })),
      ),
    )
    expect(scores).toHaveLength(472)
    const mean = (100 * scores.reduce((sum, score) => sum + score, 0)) / scores.length
    expect(Math.round(mean * 10) / 10).toBe(omega)
  })

  test('recall, precision and IoU of five fixed pieces of 800 characters, found by BM25', () => {
    const texts = new Map(corpora.map(({ name, text }) => [name, text]))
    const pieces = corpora.flatMap(({ name, text }) => fixed(name, text, 800, 800))
    const find = plainBm25(pieces.map(({ document, start, end }) => texts.get(document)?.slice(start, end) ?? ''))
    const scores = readChromaQuestions().map(({ text, corpus, evidence }) => {
      const found = find(text)
        .slice(0, 5)
        .map((at) => pieces[at] as DocumentSpan)
      return spanScores(
        found,
        evidence.map((one) => ({ ...one, document: corpus })),
      )
    })
    const mean = (value: (one: (typeof scores)[number]) => number): number =>
      (100 * scores.reduce((sum, one) => sum + value(one), 0)) / scores.length
    // Its README has 85.0, 5.6 and 5.5; it does not say which stemmer made them.
    expect(Math.abs(mean(({ recall }) => recall) - 85)).toBeLessThan(1)
    expect(Math.abs(mean(({ precision }) => precision) - 5.6)).toBeLessThan(0.15)
    expect(Math.abs(mean(({ iou }) => iou) - 5.5)).toBeLessThan(0.15)
  })
})

function fixed(document: string, text: string, size: number, step: number): DocumentSpan[] {
  const pieces: DocumentSpan[] = []
  for (let start = 0; start < text.length; start += step) {
    pieces.push({ document, start, end: Math.min(text.length, start + size) })
    if (start + size >= text.length) break
  }
  return pieces
}
