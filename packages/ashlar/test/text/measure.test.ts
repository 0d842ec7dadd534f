import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicTokens } from '../../src/text/anthropic-tokens.ts'
import { approximateTokens } from '../../src/text/approximate-tokens.ts'
import { characters } from '../../src/text/characters.ts'
import { cl100k } from '../../src/text/cl100k.ts'
import type { Counter } from '../../src/text/counter.ts'
import { geminiTokens } from '../../src/text/gemini-tokens.ts'
import { o200k } from '../../src/text/o200k.ts'
import type { PieceCounter } from '../../src/text/piece-counter.ts'
import { pieceMemory } from '../../src/text/piece-memory.ts'
import { tokenizerCounter } from '../../src/text/tokenizer-counter.ts'
import { words } from '../../src/text/word-counter.ts'
import { anyText } from './any-text.ts'
import { modelTokenizer } from './shared-data.ts'
import { smallTokenizer } from './small-tokenizer.ts'

const bert = modelTokenizer('all-MiniLM-L6-v2') ?? smallTokenizer

const counters: readonly Counter[] = [
  characters,
  words,
  approximateTokens,
  anthropicTokens,
  geminiTokens,
  cl100k,
  o200k,
  tokenizerCounter(bert, { id: 'word-piece' }),
  tokenizerCounter(bert, { id: 'word-piece without special tokens', specialTokens: false }),
]

/** Starts that mostly rise, as a packer asks for them: on after what was reached, or back for overlap. */
const steps = fc.array(fc.record({ limit: fc.nat(70), back: fc.nat(30), from: fc.double({ min: 0, max: 1, noNaN: true }) }), {
  minLength: 1,
  maxLength: 12,
})

/** How far a slice may reach at most, by trying every end. */
function furthest(counter: Counter, text: string, start: number, limit: number): number {
  for (let end = text.length; end > start; end--) if (counter(text.slice(start, end)) <= limit) return end
  return start
}

describe.each(counters.map((counter) => [counter.id, counter] as const))('measuring with %s', (_, counter) => {
  test('counts slices to the unit', () => {
    fc.assert(
      fc.property(anyText(200), steps, (text, asked) => {
        const measure = counter.measure!(text)
        let start = 0
        for (const { limit, back, from } of asked) {
          const reached = measure.reach(start, limit)
          const end = Math.min(text.length, start + Math.floor(from * (reached - start + 40)))
          expect(measure.count(start, end)).toBe(counter(text.slice(start, end)))
          expect(measure.count(start, reached)).toBe(counter(text.slice(start, reached)))
          start = Math.max(0, from < 0.2 ? Math.min(text.length, start + 3 * back) : reached - (from < 0.5 ? back : 0))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('reaches as far as fits, and no further', () => {
    fc.assert(
      fc.property(anyText(24), steps, (text, asked) => {
        const measure = counter.measure!(text)
        let start = 0
        for (const { limit } of asked) {
          const reached = measure.reach(start, limit)
          expect(reached).toBeGreaterThanOrEqual(start)
          expect(reached).toBeLessThanOrEqual(text.length)
          const best = furthest(counter, text, start, limit)
          if (reached > start) expect(counter(text.slice(start, reached))).toBeLessThanOrEqual(limit)
          // What fits to the end is reached, and a first code point that fits is not refused.
          if (best === text.length) expect(reached).toBe(best)
          const first = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
          if (first <= text.length && counter(text.slice(start, first)) <= limit) expect(reached).toBeGreaterThan(start)
          start = Math.min(text.length, Math.max(reached, start + 1))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('cuts a long text in one sweep', () => {
    const text =
      `${'A few plain words, 1234567 digits and Zahlen: größer. '.repeat(400)}${'x'.repeat(9000)}${'漢字'.repeat(3000)}\n\n`.repeat(
        2,
      )
    const measure = counter.measure!(text)
    for (const limit of [40, 700]) {
      let start = 0
      let chunks = 0
      while (start < text.length) {
        const end = measure.reach(start, limit)
        expect(end).toBeGreaterThan(start)
        expect(counter(text.slice(start, end))).toBeLessThanOrEqual(limit)
        if (end < text.length && counter.id !== 'words') expect(counter(text.slice(start, end))).toBeGreaterThan(limit * 0.8)
        start = end
        chunks++
      }
      expect(chunks).toBeGreaterThan(1)
    }
  })
})

test('a measure goes back to where it was before, however far', () => {
  const text = 'To be read twice, and once more from the middle. '.repeat(9000)
  const measure = o200k.measure!(text)
  const first = measure.reach(0, 1000)
  let start = 0
  while (start < text.length) start = measure.reach(start, 1000)
  expect(measure.reach(0, 1000)).toBe(first)
  expect(measure.count(7, 4321)).toBe(o200k(text.slice(7, 4321)))
})

test('piece memory stays correct when it has to forget and to thin out', () => {
  const spaces: PieceCounter = {
    end: (text, at, limit) => {
      const next = text.indexOf(' ', at + 1)
      return next < 0 || next > limit ? limit : next
    },
    unsettled: 5,
    overhead: 0,
    count: (_, from, to) => to - from,
    countUpTo: (_, from, to) => to - from,
    fitted: 0,
    fittedTokens: 0,
  }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.array(fc.nat(2000), { minLength: 1, maxLength: 30 }), (length, asked) => {
      const text = `${'x'.repeat(length)} `.repeat(600)
      const memory = pieceMemory(text, spaces, 16)
      for (const start of asked) {
        memory.cover(start, Math.min(text.length, start + 300))
        const last = memory.settledWithin(start + 300)
        for (let entry = 0; entry <= last; entry++) {
          const position = memory.position(entry)
          expect(position === 0 || asked.includes(position) || text[position] === ' ' || position === text.length).toBe(true)
          expect(memory.find(position)).toBe(entry)
          expect(memory.tokensBetween(0, entry)).toBe(position - memory.position(0))
        }
      }
    }),
  )
})

test('an engine’s counter works without a measure', () => {
  const counter = tokenizerCounter({ ...smallTokenizer, pre_tokenizer: { type: 'WhitespaceSplit' } }, { engine: Tokenizer })
  expect(counter.measure).toBeUndefined()
  expect(counter('a cat')).toBe(4)
})
