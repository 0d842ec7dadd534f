import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLanguages } from '../../../../bench/inputs/evaluation-folder.ts'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import { identityKey } from '../../src/model/identity-key.ts'
import { staticEmbedder } from '../../src/model/static-embedder.ts'
import { fastest } from '../fastest.ts'
import { anyText } from '../text/any-text.ts'
import { modelFolder, realDocuments, similarityPairs } from '../text/shared-data.ts'
import { smallTokenizer } from '../text/small-tokenizer.ts'
import { safetensorsFile, tensor } from './safetensors-file.ts'

const dimensions = 6
const size = Object.keys((smallTokenizer.model as { vocab: object }).vocab).length
/** Numbers that all types can hold. */
const matrix = Array.from({ length: size * dimensions }, (_, index) => ((index * 37) % 201) - 100)

function row(id: number): number[] {
  return matrix.slice(id * dimensions, (id + 1) * dimensions)
}

/** The same by other means: ids from @huggingface/tokenizers, unknown ones left out, the mean of their rows, to length 1. */
function reference(engine: Tokenizer, unknownId: number, rowOf: (id: number) => readonly number[]) {
  return (text: string): number[] => {
    const { ids: all }: { ids: number[] } = engine.encode(text, { add_special_tokens: false })
    const ids = all.filter((id) => id !== unknownId)
    const sum = ids
      .map(rowOf)
      .reduce((total, one) => (total.length === 0 ? [...one] : total.map((value, at) => value + one[at]!)), [])
    const mean = sum.map((value) => value / ids.length)
    const length = Math.hypot(...mean)
    return mean.map((value) => (length === 0 ? 0 : value / length))
  }
}

function expectSame(vector: Float32Array, wanted: readonly number[], text: string): void {
  const full = wanted.length === 0 ? new Array(vector.length).fill(0) : wanted
  const apart = full.reduce((most: number, value: number, at: number) => Math.max(most, Math.abs(value - vector[at]!)), 0)
  expect(apart, text).toBeLessThan(1e-6)
}

async function vectorsOf(embedder: Embedder, texts: readonly string[]): Promise<readonly Float32Array[]> {
  return (await embedder.embed(texts, { as: 'document' })).vectors
}

function small(
  tensors = { embeddings: tensor('F32', [size, dimensions], matrix) } as Parameters<typeof safetensorsFile>[0],
): Embedder {
  return staticEmbedder({ tokenizer: smallTokenizer, weights: safetensorsFile(tensors) })
}

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return isAshlarError(error) ? `${error.code} ${error.message}` : String(error)
  }
  return 'nothing thrown'
}

describe('a static embedder of a small vocabulary', () => {
  const engine = new Tokenizer({ ...smallTokenizer, truncation: null, padding: null }, {})

  test('gives the mean of the rows of known tokens, to length 1, for any text', async () => {
    const embedder = small()
    const wanted = reference(engine, 1, row)
    const texts = fc.sample(anyText(50), { numRuns: 500, seed: Number(process.env['ASHLAR_SEED']) })
    const vectors = await vectorsOf(embedder, texts)
    texts.forEach((text, index) => {
      expectSame(vectors[index]!, wanted(text), text)
    })
  })

  test('reads every type of number, wherever in a buffer the file lies', async () => {
    const text = 'the cats, a token: [UNK] é 中'
    const [wanted] = await vectorsOf(small(), [text])
    for (const type of ['F32', 'F16', 'I8'])
      for (const offset of [0, 1, 2, 4, 7]) {
        const weights = safetensorsFile({ embeddings: tensor(type, [size, dimensions], matrix) }, offset)
        for (const given of [weights, offset === 0 ? weights.buffer : weights])
          expect(await vectorsOf(staticEmbedder({ tokenizer: smallTokenizer, weights: given }), [text])).toEqual([wanted])
      }
  })

  test('follows the mapping of tokens to rows and the factors of tokens, in any of their types', async () => {
    const rows = 5
    const mapping = Array.from({ length: size }, (_, id) => (id * 3) % rows)
    const factors = Array.from({ length: size }, (_, id) => 0.5 + (id % 7) / 4)
    const embeddings = tensor('I8', [rows, dimensions], matrix.slice(0, rows * dimensions))
    const wanted = reference(engine, 1, (id) => row(mapping[id]!).map((value) => value * factors[id]!))
    for (const type of ['I32', 'I64'])
      for (const kind of ['F64', 'F32', 'F16']) {
        const embedder = small({ embeddings, mapping: tensor(type, [size], mapping), weights: tensor(kind, [size], factors) })
        for (const text of ['the cats', 'token, b! 1 2', 'é'])
          expectSame((await vectorsOf(embedder, [text]))[0]!, wanted(text), text)
      }
    const named = small({ 'embedding.weight': tensor('F32', [size, dimensions], matrix) })
    expect(await vectorsOf(named, ['the cat'])).toEqual(await vectorsOf(small(), ['the cat']))
  })

  test('gives zeros where it knows nothing, and never NaN', async () => {
    const embedder = small()
    const { vectors, tokens, usage } = await embedder.embed(['', ' \n', '☃', 'the ☃'], { as: 'query', tokens: true })
    for (const vector of vectors.slice(0, 3)) expect([...vector]).toEqual(new Array(dimensions).fill(0))
    expect(Math.hypot(...vectors[3]!)).toBeCloseTo(1, 6)
    expect(tokens?.map(({ ids }) => ids.length)).toEqual([0, 0, 0, 1])
    // What is read counts, known or not.
    expect(usage).toEqual({ inputTokens: 3, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 })
    const opposite = safetensorsFile({
      embeddings: tensor(
        'F32',
        [size, 1],
        matrix.slice(0, size).map((_, id) => (id % 2 === 0 ? 1 : -1)),
      ),
    })
    const [even] = await vectorsOf(staticEmbedder({ tokenizer: smallTokenizer, weights: opposite }), ['a b'])
    expect([...even!]).toEqual([0])
  })

  test('leaves the length as it is where the model’s configuration says so', async () => {
    const weights = safetensorsFile({ embeddings: tensor('F32', [size, dimensions], matrix) })
    const embedder = staticEmbedder({ tokenizer: smallTokenizer, weights, config: { normalize: false } })
    expect(embedder.identity.normalized).toBe(false)
    const ids = engine.encode('a cat', { add_special_tokens: false }).ids
    const [vector] = await vectorsOf(embedder, ['a cat'])
    expect([...vector!]).toEqual(row(ids[0]!).map((value, at) => Math.fround((value + row(ids[1]!)[at]!) / 2)))
  })

  test('gives each token’s place and state, unknown ones left out', async () => {
    const embedder = small()
    const text = 'The ☃ CATS, é'
    const { tokens } = await embedder.embed([text], { as: 'document', tokens: true })
    const { starts, ends, ids, states } = tokens![0]!
    expect([...ids].map((_, at) => text.slice(starts[at], ends[at]))).toEqual(['The', 'CAT', 'S', ',', 'é'])
    expect([...states]).toEqual([...ids].flatMap((id) => row(id)))
    expect((await embedder.embed([text], { as: 'document' })).tokens).toBeUndefined()
  })

  test('says what it is', () => {
    const embedder = small()
    expect(embedder.identity).toMatchObject({
      ...{ model: 'static/model2vec', dimensions, pooling: 'mean', normalized: true, queryPrefix: '', documentPrefix: '' },
      ...{ maxTokens: undefined, options: { weights: 'float32' } },
    })
    expect(embedder.givesTokens).toBe(true)
    expect(embedder.counter?.('the cats')).toBe(3)
    const others = [
      small({ embeddings: tensor('F16', [size, dimensions], matrix) }),
      small({ embeddings: tensor('F32', [size, dimensions], matrix.with(100, 1)) }),
      small({ embeddings: tensor('F32', [size, dimensions], matrix.with(-1, 1)) }),
      staticEmbedder({
        tokenizer: { ...smallTokenizer, normalizer: { ...smallTokenizer.normalizer, lowercase: false } },
        weights: safetensorsFile({ embeddings: tensor('F32', [size, dimensions], matrix) }),
      }),
    ]
    expect(new Set([embedder, ...others].map(({ identity }) => identityKey(identity)))).toHaveLength(5)
    expect(identityKey(small().identity)).toBe(identityKey(embedder.identity))
  })

  test('refuses what does not belong together', () => {
    const nothing = safetensorsFile({ other: tensor('F32', [1], [1]) })
    const tooFew = safetensorsFile({ embeddings: tensor('F32', [size - 1, 1], matrix.slice(1, size)) })
    const flat = safetensorsFile({ embeddings: tensor('F32', [size], matrix.slice(0, size)) })
    const make = (weights: Uint8Array) => refusal(() => staticEmbedder({ tokenizer: smallTokenizer, weights }))
    expect(make(nothing)).toMatch(/^INVALID_MODEL .*no matrix “embeddings”/)
    expect(make(flat)).toMatch(/^INVALID_MODEL .*no matrix “embeddings”/)
    expect(make(tooFew)).toMatch(new RegExp(`^INVALID_MODEL .*${size} tokens and the weights are for ${size - 1}`))
    expect(make(new Uint8Array(3))).toMatch(/^INVALID_MODEL/)
    const embeddings = tensor('F32', [2, dimensions], matrix.slice(0, 2 * dimensions))
    const astray = tensor('I32', [size], new Array(size).fill(0).with(3, 2))
    const negative = tensor('I64', [size], new Array(size).fill(0).with(3, -1))
    expect(refusal(() => small({ embeddings, mapping: astray }))).toMatch(/^INVALID_MODEL .*token 3/)
    expect(refusal(() => small({ embeddings, mapping: negative }))).toMatch(/^INVALID_MODEL .*token 3/)
    expect(refusal(() => small({ embeddings, weights: tensor('F32', [1], [1]) }))).toMatch(/^INVALID_MODEL .*factors/)
    const unigram = { model: { type: 'Unigram', vocab: [] } }
    expect(refusal(() => staticEmbedder({ tokenizer: unigram, weights: nothing }))).toMatch(/^INVALID_MODEL/)
    const whole = safetensorsFile({ embeddings: tensor('F32', [size, dimensions], matrix) })
    expect(refusal(() => staticEmbedder({ tokenizer: unigram, weights: whole }))).toMatch(/^UNSUPPORTED_TOKENIZER .*word pieces/)
  })

  test('refuses a vector that is no number when it is needed, and goes on', async () => {
    const id = (smallTokenizer.model as unknown as { vocab: Record<string, number> }).vocab['cat']!
    const embedder = small({ embeddings: tensor('F32', [size, dimensions], matrix.with(id * dimensions, Number.NaN)) })
    await expect(vectorsOf(embedder, ['the the cat'])).rejects.toMatchObject({ code: 'INVALID_MODEL', details: { token: id } })
    expect(await vectorsOf(embedder, ['the a'])).toEqual(await vectorsOf(small(), ['the a']))
  })

  test('stops when told to, before and between texts', async () => {
    const embedder = small()
    const reason = new Error('enough')
    await expect(embedder.embed(['a'], { as: 'document', signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 1)
    const texts = new Array(20_000).fill('the cat '.repeat(200))
    await expect(embedder.embed(texts, { as: 'document', signal: controller.signal })).rejects.toBe(reason)
  })
})

const home = modelFolder('potion-base-8M')

describe.skipIf(home === undefined)('potion-base-8M', () => {
  const tokenizer = home === undefined ? {} : JSON.parse(readFileSync(join(home, 'tokenizer.json'), 'utf8'))
  const weights = home === undefined ? new Uint8Array() : readFileSync(join(home, 'model.safetensors'))
  const load = () => staticEmbedder({ tokenizer, weights, name: 'potion-base-8M' })

  test('gives what the rows of its file give for ids of @huggingface/tokenizers, in many languages', async () => {
    const embedder = load()
    const engine = new Tokenizer({ ...tokenizer, truncation: null, padding: null }, {})
    const { buffer, byteOffset, byteLength } = weights
    const view = new DataView(buffer, byteOffset, byteLength)
    const data = 8 + Number(view.getBigUint64(0, true))
    const half = (at: number): number => {
      const bits = view.getUint16(at, true)
      const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
      return (bits & 0x8000 ? -1 : 1) * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
    }
    const wanted = reference(engine, 1, (id) => Array.from({ length: 256 }, (_, at) => half(data + (id * 256 + at) * 2)))
    const languages = readLanguages().flatMap(({ text }) => [text.slice(0, 900), text.slice(5000, 5100)])
    const documents = realDocuments().map((text) => text.slice(-700))
    const sentences = similarityPairs()
      .slice(0, 100)
      .map(({ s1 }) => s1)
    const texts = [...languages, ...documents, ...sentences, 'Zwölf Boxkämpfer. 石は一つずつ。 Ça va? [SEP] \u{1F44D}']
    const vectors = await vectorsOf(embedder, texts)
    texts.forEach((text, index) => {
      expectSame(vectors[index]!, wanted(text), text)
    })
    console.log(`compared ${texts.length} vectors, ${languages.length} of them of ${languages.length / 2} languages`)
  })

  test('is identified by name, type and content', () => {
    expect(load().identity).toEqual({
      ...{
        model: 'static/potion-base-8M',
        dimensions: 256,
        pooling: 'mean',
        normalized: true,
        queryPrefix: '',
        documentPrefix: '',
      },
      options: { weights: 'float16', fingerprint: 'wordpiece-29528-00ad9570-987b3510389779ab' },
      maxTokens: undefined,
    })
  })

  test('gives the same vector alone, in a batch, as a query, as a document and a second time', async () => {
    const texts = ['A stone wall.', 'Ein Satz ☃ mehr.', 'A stone wall.']
    const embedder = load()
    const batch = await vectorsOf(embedder, texts)
    expect(batch[0]).toEqual(batch[2])
    expect((await embedder.embed([texts[1]!], { as: 'query' })).vectors[0]).toEqual(batch[1])
    expect(await vectorsOf(load(), texts)).toEqual(batch)
  })

  test('token states have the vector as their mean', async () => {
    const text = 'Norway grants forty-nine weeks; España, dieciséis. '.repeat(3)
    const { vectors, tokens } = await load().embed([text], { as: 'document', tokens: true })
    const { ids, states } = tokens![0]!
    const sum = Array.from({ length: 256 }, (_, at) =>
      [...ids].reduce((total, __, index) => total + states[index * 256 + at]!, 0),
    )
    const length = Math.hypot(...sum)
    expectSame(
      vectors[0]!,
      sum.map((value) => value / length),
      text,
    )
  })

  test('takes time in proportion to length, also without a space in it', { timeout: 120_000 }, async () => {
    const embedder = load()
    for (const unit of ['a', '石', '[SEP', 'e\u0301']) {
      const texts = [0x2_0000, 0x10_0000].map((length) => unit.repeat(length / unit.length))
      // The work is done before the promise is given.
      const [short, long] = texts.map((text) => fastest(() => void embedder.embed([text], { as: 'document' })))
      expect(long! / short!, unit).toBeLessThan(8 * 4)
    }
  })
})
