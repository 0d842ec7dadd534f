import fc from 'fast-check'

import type { Reranked, Reranker } from '../model/reranker.ts'
import {
  awkwardTexts,
  checkAbort,
  checkSerialisable,
  checkUsage,
  type ModelContractOptions,
  must,
  once,
  resultOrRefusal,
} from './model-contract.ts'
import { textArbitrary } from './text-arbitrary.ts'

/** What {@link rerankerContract} needs to know. */
export interface RerankerContractOptions extends ModelContractOptions {
  /** Makes the reranker, once for all tests. */
  readonly reranker: () => Reranker | Promise<Reranker>
  /** Most that a score may differ when the same pair is judged again, alone or among others. @default 0.001 */
  readonly tolerance?: number
  /** Generator of texts in place of the built-in one. */
  readonly texts?: fc.Arbitrary<string>
}

const query = 'What holds an arch together?'
const candidates: readonly string[] = [
  'The keystone at the top holds the arch together.',
  'Bread is baked at dawn.',
  'An arch needs centring until its keystone is set.',
  'The ferry leaves at noon on Sundays.',
]

/**
 * Registers what every reranker promises as tests: one score a text and in order, on the scale its identity names, the same
 * score for the same pair whatever else is judged with it.
 */
export function rerankerContract(options: RerankerContractOptions): void {
  const { name, test, runs = 25, seed = 20261115, timeout = 120_000, tolerance = 1e-3 } = options
  const reranker = once(options.reranker)
  const texts = options.texts ?? textArbitrary()
  const law = (promise: string, body: (reranker: Reranker) => Promise<void>): void => {
    test(`${name}: ${promise}`, async () => body(await reranker()), timeout)
  }

  law('gives one score a text, in order, whatever else is in the batch', async (model) => {
    const batch = candidates.slice(0, model.maxBatch)
    const { scores } = await rerankChecked(model, query, batch)
    for (const [index, text] of batch.entries()) {
      const alone = await rerankChecked(model, query, [text])
      checkSame(alone.scores[0], scores[index], tolerance, `text ${index} alone and in a batch`)
    }
    const reversed = (await rerankChecked(model, query, batch.toReversed())).scores.toReversed()
    for (const [index, score] of scores.entries())
      checkSame(score, reversed[index], tolerance, `text ${index} in a batch turned round`)
  })

  law('scores what answers a query above what does not', async (model) => {
    const score = async (text: string): Promise<number> => (await rerankChecked(model, query, [text])).scores[0] as number
    must(
      (await score(candidates[0] as string)) > (await score(candidates[1] as string)),
      'a text beside the question scores above its answer',
    )
  })

  law('does not mix up calls that run at once', async (model) => {
    const alone: number[] = []
    for (const text of candidates) alone.push(...(await rerankChecked(model, query, [text])).scores)
    const together = await Promise.all(candidates.map((text) => rerankChecked(model, query, [text])))
    for (const [index, { scores }] of together.entries())
      checkSame(scores[0], alone[index], tolerance, `text ${index} among calls at once`)
  })

  law('does nothing for no texts', async (model) => {
    const { scores, usage } = await model.rerank(query, [])
    must(scores.length === 0, `gave ${scores.length} scores for no texts`)
    checkUsage(usage)
  })

  law('stops when it is told to, with the reason it was given', (model) =>
    checkAbort((signal) => model.rerank(query, candidates.slice(0, model.maxBatch), { signal })),
  )

  law('has an identity that is data and does not change', async (model) => {
    const before = JSON.stringify(model.identity)
    checkSerialisable(model.identity)
    await rerankChecked(model, query, candidates.slice(0, 1))
    must(JSON.stringify(model.identity) === before, 'the identity changed with a call')
    must(Number.isInteger(model.maxBatch) && model.maxBatch > 0, `maxBatch is ${model.maxBatch}`)
  })

  law('takes a batch over its maximum in full or refuses it', async (model) => {
    if (model.maxBatch > 256) return
    const batch = Array.from({ length: model.maxBatch + 1 }, (_, index) => `stone ${index}`)
    const reranked = await resultOrRefusal(model.rerank(query, batch), 'a batch over the maximum')
    must(
      reranked === undefined || reranked.scores.length === batch.length,
      `gave ${reranked?.scores.length} scores for ${batch.length} texts`,
    )
  })

  law('survives awkward texts or refuses them with an AshlarError', async (model) => {
    for (const text of awkwardTexts) {
      await rerankOrRefuse(model, query, [text])
      await rerankOrRefuse(model, text, candidates.slice(0, 1))
    }
  })

  law(`keeps all this on ${runs} generated batches`, async (model) => {
    const batches = fc.array(texts, { minLength: 1, maxLength: Math.min(4, model.maxBatch) })
    await fc.assert(
      fc.asyncProperty(texts, batches, async (asked, batch) => rerankOrRefuse(model, asked, batch)),
      { numRuns: runs, seed },
    )
  })
}

async function rerankChecked(model: Reranker, asked: string, texts: readonly string[]): Promise<Reranked> {
  const reranked = await model.rerank(asked, texts)
  checkReranked(model, texts, reranked)
  return reranked
}

async function rerankOrRefuse(model: Reranker, asked: string, texts: readonly string[]): Promise<void> {
  const reranked = await resultOrRefusal(
    model.rerank(asked, texts),
    JSON.stringify([asked.slice(0, 60), ...texts.map((text) => text.slice(0, 60))]),
  )
  if (reranked !== undefined) checkReranked(model, texts, reranked)
}

function checkReranked(model: Reranker, texts: readonly string[], { scores, usage }: Reranked): void {
  must(scores.length === texts.length, `gave ${scores.length} scores for ${texts.length} texts`)
  for (const [index, score] of scores.entries()) {
    must(Number.isFinite(score), `score ${index} is ${score}`)
    must(
      model.identity.scale !== 'probability' || (score >= 0 && score <= 1),
      `score ${index} is ${score}, the identity says probability`,
    )
  }
  checkUsage(usage)
}

function checkSame(left: number | undefined, right: number | undefined, tolerance: number, what: string): void {
  const apart = Math.abs((left ?? Number.NaN) - (right ?? Number.NaN))
  must(apart <= tolerance, `${what}: scores differ by ${apart}, at most ${tolerance} was promised`)
}
