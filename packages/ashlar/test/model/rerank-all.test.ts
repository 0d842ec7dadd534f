import { expect, test } from 'vitest'
import { openCaller } from '../../src/model/caller.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { rerankAll } from '../../src/model/rerank-all.ts'
import type { Reranker } from '../../src/model/reranker.ts'
import { noUsage } from '../../src/model/usage.ts'
import { collect } from './collect.ts'
import { fakeClock } from './fake-clock.ts'

/** Scores a text by how many of its letters the query has; the first answers of a run are wrong in the given ways. */
function letters(...wrong: ((scores: number[]) => void)[]): Reranker & { readonly calls: (readonly string[])[] } {
  const calls: (readonly string[])[] = []
  return {
    identity: { model: 'test/letters', options: {}, scale: 'logit', maxTokens: undefined },
    maxBatch: 3,
    calls,
    async rerank(query, texts) {
      calls.push(texts)
      const scores = texts.map((text) => [...text].filter((letter) => query.includes(letter)).length)
      wrong.shift()?.(scores)
      return { scores, usage: { ...noUsage, inputTokens: 1 } }
    },
  }
}

const items = ['stone', 'mortar', { id: 'c', text: 'ashlar' }, 'stone', 'wall', 'no']

test('scores come in the order of the texts, equal pairs judged once, and for nothing the second time', async () => {
  const cache = memoryCache()
  const reranker = letters()
  const outcomes = await collect(rerankAll(reranker, 'stone wall', items, { cache }))
  expect(outcomes.map(({ score }) => score)).toEqual([5, 3, 4, 5, 4, 2])
  expect(outcomes[2]).toEqual({ index: 2, id: 'c', score: 4, cached: false })
  expect(reranker.calls).toEqual([
    ['stone', 'mortar', 'ashlar'],
    ['wall', 'no'],
  ])
  expect(
    (await collect(rerankAll(reranker, 'stone wall', items, { cache }))).every((outcome) => !outcome.error && outcome.cached),
  ).toBe(true)
  expect(reranker.calls.length).toBe(2)
  await collect(rerankAll(reranker, 'another query', items, { cache }))
  expect(reranker.calls.length).toBe(4)
})

test('wrong counts and scores that are no numbers are asked for again', async () => {
  const clock = fakeClock()
  const caller = openCaller({ concurrency: 1 }, { clock, random: () => 0 })
  const reranker = letters(
    (scores) => void scores.pop(),
    (scores) => void scores.fill(Number.NaN),
  )
  const outcomes = await clock.drive(collect(rerankAll(reranker, 'stone wall', items, { caller })))
  expect(outcomes.map(({ score }) => score)).toEqual([5, 3, 4, 5, 4, 2])
  expect(reranker.calls.length).toBe(4)
})
