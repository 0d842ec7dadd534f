import { AutoModelForSequenceClassification, AutoTokenizer } from '@huggingface/transformers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localReranker } from '../../src/model/local-reranker.ts'
import type { Reranker } from '../../src/model/reranker.ts'
import { modelFolder } from '../text/shared-data.ts'

const cross = modelFolder('ms-marco-MiniLM-L-12-v2')
const miniLm = modelFolder('all-MiniLM-L6-v2')

const query = 'How many people live in Berlin?'
const passages = [
  'New York City is famous for the Metropolitan Museum of Art.',
  'Berlin had a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometres.',
  'Berlin is well known for its museums.',
]

describe.runIf(cross !== undefined)('localReranker with ms-marco-MiniLM-L-12-v2', () => {
  const folder = cross as string
  let reranker: Reranker & AsyncDisposable
  beforeAll(async () => {
    reranker = await localReranker(folder)
  })
  afterAll(() => reranker[Symbol.asyncDispose]())

  test('says what its scores depend on', () => {
    expect(reranker.identity).toEqual({
      model: 'local/ms-marco-MiniLM-L-12-v2',
      options: { dtype: 'q8', weights: expect.stringMatching(/^[0-9a-f]{16}$/) },
      scale: 'logit',
      maxTokens: 509,
    })
  })

  test('puts the answer first, what is off the subject last', async () => {
    const { scores } = await reranker.rerank(query, passages)
    const [other, answer, subject] = scores as [number, number, number]
    expect(answer).toBeGreaterThan(0)
    expect(answer).toBeGreaterThan(subject)
    expect(subject).toBeGreaterThan(other)
  })

  test('gives a text the same score in any company, the one transformers.js gives', async () => {
    const { scores, usage } = await reranker.rerank(query, passages)
    expect((await reranker.rerank(query, passages.toReversed())).scores.toReversed()).toEqual(scores)
    const model = await AutoModelForSequenceClassification.from_pretrained(folder, {
      dtype: 'q8',
      local_files_only: true,
      session_options: { intraOpNumThreads: 1 },
    })
    const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true })
    let tokens = 0
    for (const [at, passage] of passages.entries()) {
      const inputs = tokenizer(query, { text_pair: passage })
      tokens += inputs.input_ids.size
      const { logits } = await model(inputs)
      expect(scores[at]).toBeCloseTo(logits.data[0], 5)
    }
    await model.dispose()
    expect(usage.inputTokens).toBe(tokens)
    expect(await reranker.rerank(query, [])).toMatchObject({ scores: [], usage: { inputTokens: 0 } })
  })

  test('refuses a pair that is too long and names the text', async () => {
    const long = 'word '.repeat(502)
    expect((await reranker.rerank(query, [long])).usage.inputTokens).toBe(512)
    await expect(reranker.rerank(query, ['short', `${long}word`])).rejects.toMatchObject({
      code: 'TEXT_TOO_LONG',
      details: { index: 1, tokens: 510, limit: 509 },
    })
  })

  test('stops between texts when it is told to, and is closed when it was closed', async () => {
    const controller = new AbortController()
    const running = reranker.rerank(query, passages, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(running).rejects.toBe(controller.signal.reason)
    const closing = await localReranker(folder)
    await closing[Symbol.asyncDispose]()
    await expect(closing.rerank(query, passages)).rejects.toMatchObject({ code: 'INVALID_MODEL' })
  })

  test('refuses a model that does not score', async () => {
    await expect(localReranker('nowhere')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
    if (miniLm !== undefined) await expect(localReranker(miniLm)).rejects.toMatchObject({ code: 'INVALID_MODEL' })
  })
})
