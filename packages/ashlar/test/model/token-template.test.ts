import { describe, expect, test } from 'vitest'
import { tokenTemplate } from '../../src/model/token-template.ts'

describe('tokenTemplate', () => {
  test("puts BERT's tokens around one text and two", () => {
    const template = tokenTemplate({ type: 'BertProcessing', cls: ['[CLS]', 101], sep: ['[SEP]', 102] })
    expect(template.one([7, 8])).toEqual({ ids: [101, 7, 8, 102], segments: [0, 0, 0, 0], first: 1 })
    expect(template.two([7], [8, 9])).toEqual({ ids: [101, 7, 102, 8, 9, 102], segments: [0, 0, 0, 1, 1, 1], first: 1 })
  })

  test("puts RoBERTa's tokens around, also behind a byte-level step", () => {
    const roberta = { type: 'RobertaProcessing', cls: ['<s>', 0], sep: ['</s>', 2] }
    const template = tokenTemplate({ type: 'Sequence', processors: [{ type: 'ByteLevel' }, roberta] })
    expect(template.one([7])).toEqual({ ids: [0, 7, 2], segments: [0, 0, 0], first: 1 })
    expect(template.two([7], [8]).ids).toEqual([0, 7, 2, 2, 8, 2])
  })

  test('follows a template, to the segment', () => {
    const template = tokenTemplate({
      type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '<eos>', type_id: 0 } }],
      pair: [
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '<eos>', type_id: 0 } },
        { Sequence: { id: 'B', type_id: 1 } },
      ],
      special_tokens: { '<eos>': { id: '<eos>', ids: [5, 6], tokens: ['<eos>', '<eos>'] } },
    })
    expect(template.one([1])).toEqual({ ids: [1, 5, 6], segments: [0, 0, 0], first: 0 })
    expect(template.two([1], [2])).toEqual({ ids: [1, 5, 6, 2], segments: [0, 0, 0, 1], first: 0 })
  })

  test('adds nothing where there is nothing to add', () => {
    for (const none of [undefined, null, { type: 'ByteLevel' }]) {
      expect(tokenTemplate(none).one([1, 2]).ids).toEqual([1, 2])
      expect(tokenTemplate(none).two([1], [2]).ids).toEqual([1, 2])
    }
  })

  test('refuses what it does not know or cannot read', () => {
    for (const strange of [
      { type: 'Invented' },
      { type: 'BertProcessing' },
      { type: 'TemplateProcessing', single: [], special_tokens: {} },
      { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '[X]' } }], pair: [] },
    ]) {
      expect(() => tokenTemplate(strange)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_TOKENIZER' }))
    }
  })
})
