import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, test } from 'vitest'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import { count } from '../../src/text/count.ts'
import { tokenizerCounter, wordPieceEncoder } from '../../src/text/tokenizer-counter.ts'
import { smallTokenizer } from './small-tokenizer.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** Unigram, as in XLM-R and T5. */
const unigram = {
  added_tokens: [
    { id: 0, content: '<unk>', special: true },
    { id: 1, content: '<s>', special: true },
    { id: 2, content: '</s>', special: true },
  ],
  normalizer: null,
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {},
  },
  model: {
    type: 'Unigram',
    unk_id: 0,
    vocab: [
      ['<unk>', 0],
      ['<s>', 0],
      ['</s>', 0],
      ['▁', -2],
      ...letters.map((letter) => [letter, -5]),
      ['▁the', -3],
      ['ing', -3],
      ['aaaa', -4],
    ],
  },
}

/** Byte-pair merging with a list of merges, as in RoBERTa and Llama; some keys that files may lack are left out. */
const bytePair = {
  truncation: { max_length: 4 },
  pre_tokenizer: { type: 'WhitespaceSplit' },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries([...letters, 'th', 'the', 'in', 'ing'].map((piece, id) => [piece, id])),
    merges: ['t h', 'th e', 'i n', 'in g'],
  },
}

/** What an unusable file is answered with. */
function refusal(json: unknown, options = {}): string {
  try {
    tokenizerCounter(json, options)
  } catch (error) {
    if (isAshlarError(error) && error.code === 'UNSUPPORTED_TOKENIZER') return error.message
    throw error
  }
  return 'accepted'
}

describe('a counter from a tokenizer.json', () => {
  test('takes the file as text as well', () => {
    expect(tokenizerCounter(JSON.stringify(smallTokenizer))('a cat')).toBe(4)
  })

  test('is named by kind, size and content of the vocabulary', () => {
    const { id } = tokenizerCounter(smallTokenizer)
    expect(id).toMatch(/^wordpiece-42-[0-9a-f]{8}$/)
    expect(tokenizerCounter({ ...smallTokenizer, truncation: null }).id).toBe(id)
    expect(tokenizerCounter({ ...smallTokenizer, normalizer: { ...smallTokenizer.normalizer, lowercase: false } }).id).not.toBe(
      id,
    )
    expect(tokenizerCounter(smallTokenizer, { id: 'mine' }).id).toBe('mine')
  })

  test.each([
    ['Unigram', unigram, 'the aaaa', 3, 5],
    ['BPE', bytePair, 'the thing', 3, 3],
  ])('counts %s with an engine', (_, json, text, bare, full) => {
    expect(tokenizerCounter(json, { engine: Tokenizer })(text)).toBe(full)
    expect(tokenizerCounter(json, { engine: Tokenizer, specialTokens: false })(text)).toBe(bare)
  })

  test('samples what an engine would be slow on, and says so', () => {
    const counter = tokenizerCounter(unigram, { engine: Tokenizer })
    const counted = count(`the ${'a'.repeat(400_000)} the`, counter)
    expect(counted.accuracy).toBe('estimated')
    expect(counted.fallback?.reason).toMatch(/samples/)
    expect(counted.tokens).toBeGreaterThan(100_000)
    expect(counted.tokens).toBeLessThan(101_000)
    expect(count('the aaaa', counter)).toEqual({ tokens: 5, method: counter.id, accuracy: 'exact' })
  })

  test('says what to do with a file that cannot be used', () => {
    expect(refusal('{')).toMatch(/not JSON.*tokenizer\.json/s)
    expect(refusal(null)).toMatch(/no object/)
    expect(refusal({ version: '1.0' })).toMatch(/no model with a vocabulary/)
    expect(refusal({ ...smallTokenizer, added_tokens: [{ id: 'x' }] })).toMatch(/added tokens/)
    expect(refusal({ ...smallTokenizer, model: { ...smallTokenizer.model, vocab: { a: 'b' } } })).toMatch(/id b for “a”/)
    expect(refusal({ ...smallTokenizer, added_tokens: [], model: { ...smallTokenizer.model, unk_token: 'none' } })).toMatch(
      /unknown token/,
    )
    expect(refusal({ ...smallTokenizer, post_processor: { type: 'Novel' } })).toMatch(/Novel.*specialTokens/s)
    expect(refusal(unigram)).toMatch(/Unigram.*@huggingface\/tokenizers/s)
    expect(refusal({ ...bytePair, normalizer: { type: 'Novel' } }, { engine: Tokenizer })).toMatch(/engine refuses/)
    expect(() => wordPieceEncoder(unigram)).toThrowError(/Unigram/)
  })

  test('leaves to an engine what WordPiece does not cover here', () => {
    const spaced = { ...smallTokenizer, pre_tokenizer: { type: 'WhitespaceSplit' } }
    expect(refusal(spaced)).toMatch(/engine/)
    expect(tokenizerCounter(spaced, { engine: Tokenizer })('a cat')).toBe(4)
    const normalized = { ...smallTokenizer, added_tokens: [{ id: 9, content: 'Cats', normalized: true, special: false }] }
    expect(refusal(normalized)).toMatch(/engine/)
  })
})
