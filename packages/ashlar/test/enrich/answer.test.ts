import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../src/enrich/answer.ts'
import type { EnrichmentKind } from '../../src/enrich/enrichment.ts'

const counts = { questions: 3, keywords: 5 }
const all: readonly EnrichmentKind[] = ['context', 'questions', 'keywords']
const read = (text: string, kinds: readonly EnrichmentKind[] = all): unknown =>
  readAnswer(text, { kinds, labelled: true, counts })
const expected = { context: 'About walls.', questions: ['How high?', 'How old?'], keywords: ['wall', 'stone'] }

describe('readAnswer', () => {
  test.each([
    ['as asked', 'context: About walls.\nquestion: How high?\nquestion: How old?\nkeywords: wall; stone'],
    [
      'upper case and blank lines',
      '\nCONTEXT: About walls.\n\nQUESTION: How high?\n\nQUESTION: How old?\n\nKEYWORDS: wall; stone\n',
    ],
    ['in markdown', '**Context:** About walls.\n\n**Questions:**\n1. How high?\n2. How old?\n\n**Keywords:** wall, stone'],
    ['numbered labels', 'Context: About walls.\nQuestion 1: How high?\nQuestion 2: How old?\nKeyword: wall\nKeyword: stone'],
    [
      'a word before it',
      'Here are the lines:\ncontext: About walls.\nquestion: How high?\nquestion: How old?\nkeywords: wall; stone',
    ],
    ['the first label left out', 'About walls.\nquestion: How high?\nquestion: How old?\nkeywords: wall; stone'],
    [
      'bullets and quotes',
      '- context: "About walls."\n- question: "How high?"\n- question: How old?\n- keywords: `wall`; "stone".',
    ],
    ['in a fence', '```\ncontext: About walls.\nquestion: How high?\nquestion: How old?\nkeywords: wall; stone\n```'],
    [
      'repeats',
      'context: About walls.\nquestion: How high?\nquestion: how high?\nquestion: How old?\nkeywords: wall; Wall; stone; stone',
    ],
    ['carriage returns', 'context: About walls.\r\nquestion: How high?\r\nquestion: How old?\r\nkeywords: wall; stone\r\n'],
    ['full-width signs', 'context：About walls.\nquestion：How high?\nquestion：How old?\nkeywords：wall、stone'],
  ])('%s', (_, answer) => {
    expect(read(answer)).toEqual(expected)
  })

  test('names keep their commas, hyphens, underscores and case', () => {
    expect(read('keywords: Springfield, IL; __init__; C#; -Xmx; 3.5 mm', ['keywords'])).toEqual({
      keywords: ['Springfield, IL', '__init__', 'C#', '-Xmx', '3.5 mm'],
    })
  })

  test('a quote at the start of a sentence is part of it', () => {
    expect(read('context: "Walls" is the second chapter.', ['context'])).toEqual({ context: '"Walls" is the second chapter.' })
  })

  test('no more than was asked for', () => {
    expect(read('question: a?\nquestion: b?\nquestion: c?\nquestion: d?', ['questions'])).toEqual({
      questions: ['a?', 'b?', 'c?'],
    })
    expect(read('keywords: a1; b1; c1; d1; e1; f1', ['keywords'])).toEqual({ keywords: ['a1', 'b1', 'c1', 'd1', 'e1'] })
  })

  test('one kind needs no label', () => {
    expect(read('About walls,\nand stones.', ['context'])).toEqual({ context: 'About walls, and stones.' })
    expect(read('1. How high?\n2. How old?', ['questions'])).toEqual({ questions: ['How high?', 'How old?'] })
    const plain = { kinds: ['context'] as const, labelled: false, counts }
    expect(readAnswer('Keywords: this sentence is a context.', { ...plain })).toEqual({ context: 'this sentence is a context.' })
    expect(readAnswer('  Sitúa el muro.  ', plain)).toEqual({ context: 'Sitúa el muro.' })
  })

  test.each([
    ['nothing', '', all, ['context', 'questions', 'keywords']],
    ['white space', ' \n ', all, ['context', 'questions', 'keywords']],
    ['labels alone', 'context:\nquestion:\nkeywords: ;;', all, ['context', 'questions', 'keywords']],
    ['a kind missing', 'context: About walls.\nkeywords: wall', all, ['questions']],
    ['signs only', 'context: …\n', ['context'], ['context']],
  ] as const)('%s is an invalid response', (_, answer, kinds, missing) => {
    expect(() => read(answer, kinds)).toThrow(
      expect.objectContaining({ code: 'INVALID_RESPONSE', details: expect.objectContaining({ missing }) }),
    )
  })

  test('takes time in proportion to the answer, whatever it is', () => {
    for (const sign of ['*', ' ', '"', '-', '`', '#', '1.', '\n', 'context:', ';'])
      try {
        read(sign.repeat(200_000))
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_RESPONSE' })
      }
  })
})
