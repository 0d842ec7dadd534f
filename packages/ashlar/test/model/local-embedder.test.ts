import { execFileSync } from 'node:child_process'
import { cpSync, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AutoTokenizer, env, pipeline } from '@huggingface/transformers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder, TokenStates } from '../../src/model/embedder.ts'
import { identityKey } from '../../src/model/identity-key.ts'
import { localEmbedder } from '../../src/model/local-embedder.ts'
import { modelFolder, realDocuments } from '../text/shared-data.ts'
import { temporaryModel } from './temporary-model.ts'

const miniLm = modelFolder('all-MiniLM-L6-v2')
const bge = modelFolder('bge-small-en-v1.5')
const cross = modelFolder('ms-marco-MiniLM-L-12-v2')

const texts = [
  'A man is playing a guitar.',
  'Éclairs and crème brûlée, naïvely priced at €3.50!',
  '東京は日本の首都です。 Ωμέγα ΣΑΣ',
  'Emoji 👩‍👩‍👧 stay whole; a lone \ud800 surrogate does no harm.',
  '[MASK] looks like a special token, unaffablenesses do not.',
  '',
]

describe.runIf(miniLm !== undefined)('localEmbedder with all-MiniLM-L6-v2', () => {
  const folder = miniLm as string
  let embedder: Embedder & AsyncDisposable
  beforeAll(async () => {
    embedder = await localEmbedder(folder)
  })
  afterAll(() => embedder[Symbol.asyncDispose]())

  test('says what its vectors depend on', () => {
    expect(embedder.identity).toEqual({
      model: 'local/all-MiniLM-L6-v2',
      options: { dtype: 'q8', weights: expect.stringMatching(/^[0-9a-f]{16}$/) },
      dimensions: 384,
      pooling: 'mean',
      normalized: true,
      queryPrefix: '',
      documentPrefix: '',
      maxTokens: 510,
    })
    expect(embedder.givesTokens).toBe(true)
    expect(embedder.counter?.('A man is playing a guitar.')).toBe(7)
  })

  test('gives a text the same vector in any company, in any call and from any instance', async () => {
    const together = await embedder.embed(texts, { as: 'document' })
    const reversed = await embedder.embed(texts.toReversed(), { as: 'query', tokens: true })
    expect(reversed.vectors.toReversed()).toEqual(together.vectors)
    await using other = await localEmbedder(folder, { threads: 2 })
    for (const [at, text] of texts.entries()) {
      expect((await other.embed([text], { as: 'document' })).vectors[0]).toEqual(together.vectors[at])
    }
    expect(identityKey(other.identity)).toBe(identityKey(embedder.identity))
  })

  test('gives what the pipeline of transformers.js gives', async () => {
    const peer = await pipeline('feature-extraction', folder, { dtype: 'q8', local_files_only: true })
    // A lone surrogate is the one thing that the two read differently.
    const whole = texts.filter((text) => text.isWellFormed())
    const { vectors } = await embedder.embed(whole, { as: 'document' })
    for (const [at, text] of whole.entries()) {
      const theirs = (await peer(text, { pooling: 'mean', normalize: true })).data as Float32Array
      const worst = Math.max(...theirs.map((value, axis) => Math.abs(value - (vectors[at]?.[axis] as number))))
      expect(worst, text).toBeLessThan(1e-5)
    }
    await peer.dispose()
  })

  test('makes the tokens that transformers.js makes', async () => {
    const peer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true })
    const documents = realDocuments().map((text) => text.slice(0, 400).toWellFormed())
    const samples = [...texts.filter((text) => text.isWellFormed()), ...documents.filter((_, at) => at % 10 === 0).slice(0, 12)]
    const { tokens } = await embedder.embed(samples, { as: 'document', tokens: true })
    for (const [at, text] of samples.entries()) {
      expect([...(tokens?.[at]?.ids ?? [])], text).toEqual(peer.encode(text, { add_special_tokens: false }))
    }
  })

  test('says where in the text each token stands, with one state a token', async () => {
    const { vocab } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')).model as { vocab: Record<string, number> }
    const pieces = new Map(Object.entries(vocab).map(([piece, id]) => [id, piece.replace(/^##/, '')]))
    const { tokens, usage } = await embedder.embed(texts, { as: 'document', tokens: true })
    let total = 0
    for (const [at, text] of texts.entries()) {
      const { ids, starts, ends, states } = (tokens as readonly TokenStates[])[at] as TokenStates
      expect(states.length).toBe(ids.length * 384)
      for (const [token, id] of ids.entries()) {
        // A sigma at a word's end is another letter.
        const piece = (pieces.get(id) as string).replace('ς', 'σ')
        const slice = text.slice(starts[token], ends[token])
        const plain = slice.normalize('NFD').replace(/\p{Mn}/gu, '')
        const cased = piece.startsWith('[') ? plain : plain.toLowerCase()
        if (piece !== '[UNK]') expect(cased, `${slice} in ${text}`).toBe(piece)
        if (token > 0) expect(starts[token]).toBeGreaterThanOrEqual(ends[token - 1] as number)
      }
      total += ids.length + 2
    }
    expect(usage).toEqual({ inputTokens: total, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 })
  })

  test('gives vectors of length 1, or as they are', async () => {
    const length = (vector: Float32Array | undefined): number => Math.hypot(...(vector ?? []))
    for (const vector of (await embedder.embed(texts, { as: 'document' })).vectors) expect(length(vector)).toBeCloseTo(1, 6)
    await using raw = await localEmbedder(folder, { normalize: false })
    expect(length((await raw.embed(['A man.'], { as: 'document' })).vectors[0])).toBeGreaterThan(1.5)
    expect(raw.identity.normalized).toBe(false)
    expect(identityKey(raw.identity)).not.toBe(identityKey(embedder.identity))
  })

  test('puts what is alike closer together', async () => {
    const { vectors } = await embedder.embed(
      ['A man is playing a guitar.', 'Someone plays an instrument.', 'Shares fell on Monday.'],
      { as: 'document' },
    )
    const [a, b, c] = vectors as [Float32Array, Float32Array, Float32Array]
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.4)
  })

  test('refuses what is too long, names it, and truncates nothing', async () => {
    const limit = 'word '.repeat(510)
    expect((await embedder.embed([limit], { as: 'document' })).usage.inputTokens).toBe(512)
    await expect(embedder.embed(['short', `${limit}word`], { as: 'document' })).rejects.toMatchObject({
      code: 'TEXT_TOO_LONG',
      details: { index: 1, tokens: 511, limit: 510 },
    })
    await using shorter = await localEmbedder(folder, { maxTokens: 8 })
    await expect(shorter.embed(['one two three four five six seven eight nine'], { as: 'query' })).rejects.toMatchObject({
      details: { index: 0, tokens: 9, limit: 8 },
    })
    await expect(localEmbedder(folder, { maxTokens: 511 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  test('stops between texts when it is told to', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const running = embedder.embed(texts, { as: 'document', signal: controller.signal })
    controller.abort(reason)
    await expect(running).rejects.toBe(reason)
    await expect(embedder.embed([], { as: 'document', signal: controller.signal })).rejects.toBe(reason)
    await expect(localEmbedder(folder, { signal: controller.signal })).rejects.toBe(reason)
  })

  test('ends what is running before it closes, and refuses everything afterwards', async () => {
    const closing = await localEmbedder(folder)
    const running = closing.embed(texts, { as: 'document' })
    const refused = expect(running).rejects.toMatchObject({ code: 'INVALID_MODEL', message: expect.stringContaining('closed') })
    await closing[Symbol.asyncDispose]()
    await closing[Symbol.asyncDispose]()
    await refused
    await expect(closing.embed(['a'], { as: 'document' })).rejects.toMatchObject({ code: 'INVALID_MODEL' })
  })

  test('never reaches for the network, nor changes how transformers.js is set', async () => {
    const before = { ...env }
    const asked: string[] = []
    env.fetch = async (input) => {
      asked.push(String(input))
      throw new Error('no network in this test')
    }
    const during = { ...env }
    try {
      await (await localEmbedder(folder))[Symbol.asyncDispose]()
      // A name as on the hub is a folder like any other until a download is asked for.
      await expect(localEmbedder('Xenova/all-MiniLM-L6-v2')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
      using damaged = temporaryModel(folder, 'all-MiniLM-L6-v2', { 'config.json': null })
      await expect(localEmbedder(damaged.path)).rejects.toMatchObject({
        code: 'MODEL_NOT_FOUND',
        message: expect.stringContaining('config.json'),
        details: { file: 'config.json' },
      })
      await expect(localEmbedder(folder, { dtype: 'fp32' })).rejects.toMatchObject({
        code: 'MODEL_NOT_FOUND',
        message: expect.stringContaining('dtype is q8'),
        details: { file: 'onnx/model.onnx' },
      })
      expect({ ...env }).toEqual(during)
    } finally {
      env.fetch = before.fetch
    }
    expect(asked).toEqual([])
  })

  test('downloads when it is asked to, once', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      const file = join(folder, (request.url ?? '').replace('/someone/all-MiniLM-L6-v2/resolve/main/', ''))
      asked.push(request.url ?? '')
      if (!existsSync(file)) response.writeHead(404).end()
      else createReadStream(file).pipe(response)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { remoteHost } = env
    env.remoteHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const downloadFolder = mkdtempSync(join(tmpdir(), 'ashlar-download-'))
    try {
      const options = { download: true, downloadFolder }
      await using first = await localEmbedder('someone/all-MiniLM-L6-v2', options)
      expect(identityKey(first.identity)).toBe(identityKey(embedder.identity))
      const fetched = asked.length
      expect(fetched).toBeGreaterThan(2)
      await using second = await localEmbedder('someone/all-MiniLM-L6-v2', options)
      expect((await second.embed(texts, { as: 'query' })).vectors).toEqual((await embedder.embed(texts, { as: 'query' })).vectors)
      expect(asked.length).toBe(fetched)
      await expect(localEmbedder('someone/unknown', options)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
      await expect(localEmbedder('../all-MiniLM-L6-v2', options)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    } finally {
      env.remoteHost = remoteHost
      server.close()
      rmSync(downloadFolder, { recursive: true, force: true })
    }
  })

  test('asks how to pool where nobody knows, and reads what the folder says', async () => {
    using unknown = temporaryModel(folder, 'my-model')
    await expect(localEmbedder(unknown.path)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining("Pass pooling: 'mean', 'cls' or 'last'"),
    })
    await using told = await localEmbedder(unknown.path, { pooling: 'last', queryPrefix: 'Q: ' })
    expect(told.identity).toMatchObject({ model: 'local/my-model', pooling: 'last', queryPrefix: 'Q: ', documentPrefix: '' })
    using described = temporaryModel(folder, 'my-model', {
      '1_Pooling/config.json': { word_embedding_dimension: 384, pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
      'config_sentence_transformers.json': { prompts: { query: 'find: ', document: 'text: ' } },
      'sentence_bert_config.json': { max_seq_length: 128 },
    })
    await using read = await localEmbedder(described.path)
    expect(read.identity).toMatchObject({ pooling: 'cls', queryPrefix: 'find: ', documentPrefix: 'text: ', maxTokens: 126 })
    using strange = temporaryModel(folder, 'my-model', { '1_Pooling/config.json': { pooling_mode_max_tokens: true } })
    await expect(localEmbedder(strange.path)).rejects.toMatchObject({ code: 'INVALID_MODEL' })
  })

  test('takes other tokenizers from transformers.js, without token states', async () => {
    const tokenizer = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8'))
    using model = temporaryModel(folder, 'all-MiniLM-L6-v2', {
      // The same normalizer inside a sequence: not recognised as BERT's, so that the other path is taken.
      'tokenizer.json': { ...tokenizer, normalizer: { type: 'Sequence', normalizers: [tokenizer.normalizer] } },
    })
    await using other = await localEmbedder(model.path)
    expect(other.givesTokens).toBe(false)
    expect(other.counter?.(texts[0] as string)).toBe(7)
    const whole = texts.filter((text) => text.isWellFormed())
    expect((await other.embed(whole, { as: 'document' })).vectors).toEqual(
      (await embedder.embed(whole, { as: 'document' })).vectors,
    )
    await expect(other.embed(whole, { as: 'document', tokens: true })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  test('refuses a folder that is no embedding model, and files that are broken', async () => {
    await expect(localEmbedder(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
    await expect(localEmbedder(folder, { dtype: 'q9' as 'q8' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    using broken = temporaryModel(folder, 'all-MiniLM-L6-v2', { 'tokenizer.json': '{' })
    await expect(localEmbedder(broken.path)).rejects.toMatchObject({ code: 'INVALID_MODEL' })
    if (cross !== undefined)
      await expect(localEmbedder(cross, { pooling: 'mean' })).rejects.toMatchObject({ code: 'INVALID_MODEL' })
  })
})

describe.runIf(bge !== undefined)('localEmbedder with bge-small-en-v1.5', () => {
  test('puts the prefix before queries only, and keeps its tokens to itself', async () => {
    await using embedder = await localEmbedder(bge as string)
    const prefix = 'Represent this sentence for searching relevant passages: '
    expect(embedder.identity).toMatchObject({ pooling: 'cls', queryPrefix: prefix, documentPrefix: '', maxTokens: 510 })
    const query = await embedder.embed(['who plays the guitar'], { as: 'query', tokens: true })
    const spelled = await embedder.embed([`${prefix}who plays the guitar`], { as: 'document', tokens: true })
    expect(query.vectors).toEqual(spelled.vectors)
    const [own] = query.tokens ?? []
    const [all] = spelled.tokens ?? []
    expect([...(own?.starts ?? [])]).toEqual([0, 4, 10, 14])
    expect([...(own?.ends ?? [])]).toEqual([3, 9, 13, 20])
    expect(own?.ids).toEqual(all?.ids.slice(-4))
    expect(own?.states).toEqual(all?.states.slice(-4 * 384))
    const limit = 'word '.repeat(510)
    await embedder.embed([limit], { as: 'document' })
    await expect(embedder.embed([limit], { as: 'query' })).rejects.toMatchObject({ code: 'TEXT_TOO_LONG' })
  })
})

test('says which package is missing, and how to install it', () => {
  const away = mkdtempSync(join(tmpdir(), 'ashlar-alone-'))
  try {
    cpSync(fileURLToPath(new URL('../../src', import.meta.url)), join(away, 'src'), { recursive: true })
    const program = `import { localEmbedder } from './src/model/local-embedder.ts'
      await localEmbedder('anywhere').catch(({ code, message }) => console.log(JSON.stringify({ code, message })))`
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: away, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual({
      code: 'MISSING_PACKAGE',
      message: 'localEmbedder needs the package @huggingface/transformers: npm install @huggingface/transformers',
    })
  } finally {
    rmSync(away, { recursive: true, force: true })
  }
})

function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, axis) => sum + value * (right[axis] as number), 0)
}
