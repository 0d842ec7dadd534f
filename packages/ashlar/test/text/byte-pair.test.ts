import fc from 'fast-check'
import cl100kTokens from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200kTokens from 'gpt-tokenizer/bpeRanks/o200k_base'
import { get_encoding } from 'tiktoken'
import { describe, expect, test } from 'vitest'
import { bytePairMerge } from '../../src/text/byte-pair-merge.ts'
import { byteVocabulary, type TokenTable } from '../../src/text/byte-vocabulary.ts'
import { cl100k } from '../../src/text/cl100k.ts'
import { isWithin } from '../../src/text/count.ts'
import { o200k } from '../../src/text/o200k.ts'
import { fastest } from '../fastest.ts'
import { anyText } from './any-text.ts'
import { realDocuments } from './shared-data.ts'

const seed = Number(process.env['ASHLAR_SEED'])

/** Merging as it is defined, step by step and without any cleverness. */
function slowCount(bytes: Buffer, ranks: ReadonlyMap<string, number>): number {
  const parts = Array.from(bytes, (byte) => String.fromCharCode(byte))
  for (;;) {
    let best = -1
    let lowest = Number.POSITIVE_INFINITY
    for (let at = 0; at + 1 < parts.length; at++) {
      const rank = ranks.get(parts[at]! + parts[at + 1]!)
      if (rank !== undefined && rank < lowest) {
        lowest = rank
        best = at
      }
    }
    if (best < 0) return parts.length
    parts.splice(best, 2, parts[best]! + parts[best + 1]!)
  }
}

function ranksOf(tokens: TokenTable): Map<string, number> {
  return new Map(tokens.map((token, rank) => [Buffer.from(token as string).toString('latin1'), rank]))
}

describe.each([
  ['cl100k', cl100k, 'cl100k_base', cl100kTokens],
  ['o200k', o200k, 'o200k_base', o200kTokens],
] as const)('%s', (id, counter, encoding, tokens) => {
  test('says what it is', () => {
    expect(counter.id).toBe(id)
    expect(counter.accuracy).toBe('exact')
    expect(counter('')).toBe(0)
  })

  test('counts 10,000 texts as tiktoken does', { timeout: 300_000 }, () => {
    const tiktoken = get_encoding(encoding)
    const documents = realDocuments()
    const slices: string[] = []
    const generated = documents.length > 0 ? 7000 : 10_000
    for (let index = 0; index < 10_000 - generated; index++) {
      const document = documents[index % documents.length]!
      const start = Math.floor(((index * 0.618034) % 1) * document.length)
      slices.push(document.slice(start, start + 20 + ((index * 37) % 900)))
    }
    const texts = [...fc.sample(anyText(60), { numRuns: generated, seed }), ...slices]
    console.log(
      `${id}: ${generated} generated texts (ASHLAR_SEED=${seed}), ${slices.length} slices of ${documents.length} documents`,
    )
    const wrong = texts.filter((text) => counter(text) !== tiktoken.encode(text, [], []).length)
    tiktoken.free()
    expect(texts.length).toBe(10_000)
    expect(wrong).toEqual([])
  })

  test('has no token that its own bytes would not merge to', () => {
    // What `countUpTo` says of the first part of a pre-token rests on this.
    const vocabulary = byteVocabulary(tokens)
    const { merge } = bytePairMerge(vocabulary, vocabulary.longest)
    const all = tokens.map((token) => Buffer.from(token as string))
    expect(all.filter((bytes) => merge(bytes, 0, bytes.length) !== 1)).toEqual([])
  })

  test('counts every special token as the text it is', () => {
    expect(counter('<|endoftext|>')).toBeGreaterThan(3)
    expect(counter('a<|endoftext|>b<|fim_prefix|>')).toBeGreaterThan(8)
  })

  test('counts a lone surrogate as U+FFFD, and U+FEFF as no space', () => {
    expect(counter('a\ud800b')).toBe(counter('a\ufffdb'))
    expect(counter('\ud83d')).toBe(counter('\ufffd'))
    expect(counter('\udc4d\ud83d')).toBe(counter('\ufffd\ufffd'))
  })

  test('merges long pre-tokens as defined', { timeout: 120_000 }, () => {
    const ranks = ranksOf(tokens)
    const letters = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 200, maxLength: 2500 }),
      fc.string({ unit: fc.constantFrom('a', 'ab', 'ing', 'tion', 'he'), minLength: 100, maxLength: 500 }),
      fc.string({ unit: fc.constantFrom('z', 'é', '中', '文', 'ー', 'あ', '가'), minLength: 180, maxLength: 900 }),
      fc.string({
        unit: fc.integer({ min: 0x61, max: 0x7a }).map((unit) => String.fromCharCode(unit)),
        minLength: 200,
        maxLength: 2500,
      }),
      fc
        .tuple(fc.constantFrom('a', '-', ' ', '\n', '=', '中', '\u0301', '👍'), fc.integer({ min: 150, max: 3000 }))
        .map(([sign, times]) => sign.repeat(times)),
    )
    fc.assert(
      fc.property(letters, (text) => {
        expect(counter(text)).toBe(slowCount(Buffer.from(text), ranks))
      }),
      { numRuns: 60 },
    )
  })

  test('takes time in proportion to text without a break', { timeout: 60_000 }, () => {
    const base64 = Buffer.from(Uint8Array.from({ length: 750_000 }, (_, at) => Math.imul(at + 1, 2654435761) >>> 24)).toString(
      'base64',
    )
    const texts = ['a'.repeat(1e6), base64, '中文字符'.repeat(250_000), ' '.repeat(1e6), '\u0301'.repeat(1e6), '7'.repeat(1e6)]
    for (const text of texts) {
      // Under a second on a quiet machine; a quadratic merge would take hours.
      expect(fastest(() => expect(counter(text)).toBeGreaterThan(5000), 1)).toBeLessThan(8)
    }
  })

  test('knows whether a text is within a limit, as counting it all would', () => {
    fc.assert(
      fc.property(anyText(60), fc.integer({ min: -2, max: 3 }), (text, off) => {
        const limit = Math.max(0, counter(text) + off)
        expect(isWithin(text, limit, counter)).toBe(counter(text) <= limit)
      }),
    )
    expect(isWithin('word '.repeat(200_000), 100, counter)).toBe(false)
  })
})
