import { describe, expect, test } from 'vitest'
import { documentOfPieces, rankDocuments, rankPieces } from '../../../../evals/set-pieces.ts'

const document = { id: 'talk', format: 'plain' as const, ...documentOfPieces(['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(40)]) }
const rank = rankPieces([document])

function found(start: number, end: number): { document: string; start: number; end: number } {
  return { document: 'talk', start, end }
}

describe('pieces that found stretches bring', () => {
  test('stand one after the other without a gap', () => {
    expect(document.pieces).toEqual([
      { start: 0, end: 10 },
      { start: 10, end: 20 },
      { start: 20, end: 60 },
    ])
  })

  test('are those of which a stretch has half, or which have half of the stretch', () => {
    expect(rank([found(5, 12)])).toEqual(['talk#0'])
    expect(rank([found(6, 20)])).toEqual(['talk#1'])
    expect(rank([found(30, 36)])).toEqual(['talk#2'])
    expect(rank([found(0, 60)])).toEqual(['talk#0', 'talk#1', 'talk#2'])
  })

  test('come in the order of the stretches, each once', () => {
    expect(rank([found(25, 35), found(0, 10), found(40, 50), found(0, 20)])).toEqual(['talk#2', 'talk#0', 'talk#1'])
  })

  test('a stretch of another document brings none', () => {
    expect(rank([{ document: 'elsewhere', start: 0, end: 10 }])).toEqual([])
  })

  test('documents come in the order of their first stretch', () => {
    const spans = ['b', 'a', 'b', 'c'].map((name) => ({ document: name, start: 0, end: 1 }))
    expect(rankDocuments(spans)).toEqual(['b', 'a', 'c'])
  })
})
