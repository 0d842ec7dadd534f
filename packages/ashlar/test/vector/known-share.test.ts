import { describe, expect, test } from 'vitest'
import { knownShare } from '../../src/vector/known-share.ts'

/** Pieces of a text as a model would give them: each with the number of its spelling, or with 0 for an unknown one. */
function pieces(text: string, parts: readonly (string | { readonly unknown: string })[]): Parameters<typeof knownShare>[1] {
  const spellings = [...new Set(parts.map((part) => (typeof part === 'string' ? part.toLowerCase() : '')))]
  let at = 0
  const found = parts.map((part) => {
    const spelled = typeof part === 'string' ? part : part.unknown
    const start = text.indexOf(spelled, at)
    at = start + spelled.length
    return { start, end: at, id: typeof part === 'string' ? 1 + spellings.indexOf(part.toLowerCase()) : 0 }
  })
  return {
    starts: Uint32Array.from(found, ({ start }) => start),
    ends: Uint32Array.from(found, ({ end }) => end),
    ids: Uint32Array.from(found, ({ id }) => id),
  }
}

describe('knownShare', () => {
  test('words in one piece are known, short ones too; case and marks make no other word', () => {
    const text = 'Is the roof of the Roof a café or a Cafe?'
    const parts = ['Is', 'the', 'roof', 'of', 'the', 'Roof', 'a', 'café', 'or', 'a', 'Cafe']
    const of = pieces(text, parts)
    expect(knownShare(text, of)).toBe(1)
  })

  test('what is spelled out letter by letter is not', () => {
    expect(knownShare('где крыша', pieces('где крыша', [...'где', ...'крыша']))).toBe(0)
    expect(knownShare('slating yo', pieces('slating yo', ['slat', 'ing', 'y', 'o']))).toBeCloseTo(7 / 9, 12)
  })

  test('different words that are all the same piece are unknown to the model', () => {
    const text = 'หลังคา กระเบื้อง'
    expect(knownShare(text, pieces(text, [{ unknown: 'หลังคา' }, { unknown: 'กระเบื้อง' }]))).toBe(0)
    const clause = 'หลังคาของบ้านหลังนี้มุงด้วยกระเบื้อง'
    expect(knownShare(clause, pieces(clause, [{ unknown: clause }]))).toBe(0)
  })

  test('two characters of a script without spaces are a word', () => {
    expect(knownShare('屋顶石板', pieces('屋顶石板', ['屋顶', '石板']))).toBe(1)
    expect(knownShare('屋顶石板', pieces('屋顶石板', [...'屋顶石板']))).toBe(0)
  })

  test('numbers, signs and single letters tell nothing', () => {
    expect(knownShare('1984?', pieces('1984?', ['1984']))).toBe(1)
    expect(knownShare('C # 7', pieces('C # 7', ['C', '7']))).toBe(1)
    expect(knownShare('', pieces('', []))).toBe(1)
  })
})
