import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { enrichedText } from '../../src/enrich/enriched-text.ts'
import { enrichmentRoom } from '../../src/enrich/enrichment-room.ts'
import { wordCount } from './word-count.ts'

const chunk = { text: 'The wall stands.' }
const enrichment = { context: 'On walls.', questions: ['Does it stand?', 'Why?'], keywords: ['wall', 'stability'] }

describe('enrichedText', () => {
  test('structure and context before, questions and keywords after, the text verbatim between them', () => {
    const joined = enrichedText(chunk, enrichment, { structure: 'Handbook > Walls', prefix: '[Context] ' })
    expect(joined.text).toBe(
      'Handbook > Walls\n\n[Context] On walls.\n\nThe wall stands.\n\nDoes it stand?\nWhy?\n\nwall; stability',
    )
    expect(joined.text.slice(joined.start, joined.end)).toBe(chunk.text)
    expect(joined.omitted).toEqual([])
  })

  test('only the kinds that are asked for and there', () => {
    expect(enrichedText(chunk, enrichment, { kinds: ['keywords'] }).text).toBe('The wall stands.\n\nwall; stability')
    expect(enrichedText(chunk, {}).text).toBe('The wall stands.')
  })

  test('what does not fit goes, least important first, and is named', () => {
    const fit = (limit: number): unknown => {
      const { text, omitted } = enrichedText(chunk, enrichment, { limit, counter: wordCount })
      return [text.replaceAll(/\s+/g, ' '), omitted]
    }
    expect(fit(11)).toEqual(['On walls. The wall stands. Does it stand? Why? wall; stability', []])
    expect(fit(10)).toEqual(['On walls. The wall stands. Does it stand? Why? wall', ['keywords']])
    expect(fit(8)).toEqual(['On walls. The wall stands. Does it stand?', ['questions', 'keywords']])
    expect(fit(3)).toEqual(['The wall stands.', ['context', 'questions', 'keywords']])
    expect(() => fit(2)).toThrow(expect.objectContaining({ code: 'TEXT_TOO_LONG' }))
  })

  test('takes the structural context of a tree', () => {
    const structure = { path: ['Handbook', 'Walls'], caption: 'Table 1: heights', header: '| wall | height |' }
    expect(enrichedText(chunk, {}, { structure }).text).toBe(
      'Handbook > Walls\n\nTable 1: heights\n\n| wall | height |\n\nThe wall stands.',
    )
  })

  test('room can be left for it before the cut', () => {
    expect(enrichmentRoom()).toBe(90)
    expect(enrichmentRoom({ kinds: ['context', 'questions', 'keywords'], questions: 5, keywords: 4 })).toBe(270)
  })

  test('never exceeds the limit, and always holds the text', () => {
    const texts = fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 5 })
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        texts,
        texts,
        fc.string(),
        fc.nat(120),
        (text, context, questions, keywords, structure, room) => {
          const limit = text.length + room
          const joined = enrichedText({ text }, { context, questions, keywords }, { limit, structure })
          expect(joined.text.length).toBeLessThanOrEqual(limit)
          expect(joined.text.slice(joined.start, joined.end)).toBe(text)
        },
      ),
    )
  })
})
