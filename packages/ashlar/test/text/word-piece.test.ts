import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenizerCounter, wordPieceEncoder } from '../../src/text/tokenizer-counter.ts'
import { fastest } from '../fastest.ts'
import { anyText } from './any-text.ts'
import { modelTokenizer, realDocuments } from './shared-data.ts'
import { smallTokenizer } from './small-tokenizer.ts'

const seed = Number(process.env['ASHLAR_SEED'])

const models = ['all-MiniLM-L6-v2', 'potion-base-8M'].flatMap((name) => {
  const json = modelTokenizer(name)
  return json === undefined ? [] : [[name, json] as const]
})

describe.each([...models, ['a small vocabulary', smallTokenizer] as const])('WordPiece of %s', (name, json) => {
  const engine = new Tokenizer({ ...json, truncation: null, padding: null }, {})
  const encode = wordPieceEncoder(json)

  test('gives the ids of @huggingface/tokenizers on 2,000 texts', { timeout: 120_000 }, () => {
    const documents = realDocuments()
    const slices = documents.length === 0 ? 0 : 500
    const texts = fc.sample(anyText(50), { numRuns: 2000 - slices, seed })
    for (let index = 0; index < slices; index++) {
      const document = documents[index % documents.length]!
      const start = Math.floor(((index * 0.618034) % 1) * document.length)
      texts.push(document.slice(start, start + 20 + ((index * 37) % 900)))
    }
    console.log(`${name}: ASHLAR_SEED=${seed}, ${slices} slices of ${documents.length} documents`)
    const counter = tokenizerCounter(json)
    const bare = tokenizerCounter(json, { specialTokens: false })
    for (const text of texts) {
      const { ids } = engine.encode(text)
      expect([2, ...encode(text).ids, 3], text).toHaveLength(ids.length)
      expect(encode(text).ids, text).toEqual(ids.slice(1, -1))
      expect(counter(text)).toBe(ids.length)
      expect(bare(text)).toBe(ids.length - 2)
    }
  })

  test('says where each token comes from', () => {
    fc.assert(
      fc.property(anyText(40), (text) => {
        const { ids, starts, ends } = encode(text)
        expect(starts).toHaveLength(ids.length)
        expect(ends).toHaveLength(ids.length)
        ids.forEach((_, index) => {
          expect(starts[index]!).toBeLessThan(ends[index]!)
          expect(ends[index]!).toBeLessThanOrEqual(text.length)
          // Tokens follow each other, unless one character became several.
          if (index > 0) expect(starts[index]! >= ends[index - 1]! || starts[index] === starts[index - 1]).toBe(true)
        })
      }),
    )
  })
})

describe('WordPiece', () => {
  test('ignores the truncation and padding in the file', () => {
    const json = modelTokenizer('all-MiniLM-L6-v2')
    if (json !== undefined) {
      expect(json['truncation']).toMatchObject({ max_length: 128 })
      expect(tokenizerCounter(json)('word '.repeat(1000))).toBe(1002)
      expect(tokenizerCounter(json)('word')).toBe(3)
    }
    expect(tokenizerCounter(smallTokenizer)('cat '.repeat(100))).toBe(102)
  })

  test('offsets name the characters of the original text', () => {
    const encode = wordPieceEncoder(smallTokenizer)
    const text = 'The CÁTS, \u0000to[SEP]kens'
    const { starts, ends } = encode(text)
    expect(starts.map((start, index) => text.slice(start, ends[index]))).toEqual(['The', 'CÁT', 'S', ',', 'to', '[SEP]', 'kens'])
  })

  test('lower-cases a final sigma as a whole text would', () => {
    const encode = wordPieceEncoder(smallTokenizer)
    expect(encode('AΣ').ids).toEqual(encode('aς').ids)
    expect(encode('AΣ.B').ids).not.toEqual(encode('AΣ. B').ids)
  })

  test('takes time in proportion to text of any kind', { timeout: 60_000 }, () => {
    const counter = tokenizerCounter(modelTokenizer('all-MiniLM-L6-v2') ?? smallTokenizer)
    for (const text of ['a', '.', '。', '中', '각', 'Σ', '.Σ', '[', '[CLS]', '\u0301', '\u0001', ' ', 'ab ']) {
      const long = text.repeat(Math.floor(400_000 / text.length))
      const seconds = fastest(() => {
        counter(long)
        const measure = counter.measure!(long)
        for (let start = 0; start < long.length; ) start = Math.max(start + 1, measure.reach(start, 200))
      }, 1)
      expect(seconds, text).toBeLessThan(10)
    }
  })
})
