import { describe, expect, test } from 'vitest'
import { buildTree } from '../../src/tree/build-tree.ts'
import { type EmbedLateOptions, embedLate } from '../../src/vector/embed-late.ts'
import { floatCodec } from '../../src/vector/float-codec.ts'
import { lateQuery, pieceWeight, type TokenQuery } from '../../src/vector/late-query.ts'
import { levelLength } from '../../src/vector/level-length.ts'
import { type MaxSimCandidate, maxSim } from '../../src/vector/max-sim.ts'
import { signCodec } from '../../src/vector/sign-codec.ts'
import { englishStopWords } from '../../src/vector/stop-words.ts'
import { readTokenBlob } from '../../src/vector/token-blob.ts'
import type { TokenRun } from '../../src/vector/token-codec.ts'
import { unitRow } from '../../src/vector/vector-length.ts'
import { contextEmbedder } from './context-embedder.ts'

const names = [
  'quarry',
  'mason',
  'chisel',
  'mortar',
  'lintel',
  'gable',
  'slate',
  'batten',
  'ridge',
  'keystone',
  'plinth',
  'buttress',
]
const text = Array.from(
  { length: 40 },
  (_, at) => `The ${names[at % 12]} of house ${at} stands by the ${names[(at * 7 + 3) % 12]}.`,
).join(' ')
const tree = buildTree(text, { child: 80 })
const embedder = contextEmbedder({ dimensions: 384 })

async function runsOf(options: Partial<EmbedLateOptions>): Promise<TokenRun[]> {
  const runs: TokenRun[] = []
  const codec = options.codec ?? signCodec
  for await (const { blob } of embedLate(tree, { embedder, codec, ...options })) runs.push(...readTokenBlob(blob, codec).children)
  return runs
}

function candidatesOf(runs: readonly TokenRun[]): MaxSimCandidate[] {
  return runs.map((child, at) => ({
    child,
    before: runs.slice(Math.max(0, at - 2), at).toReversed(),
    after: runs.slice(at + 1, at + 3),
  }))
}

/** As the definition says, one cosine at a time. */
function naive(query: TokenQuery, runs: readonly TokenRun[], at: number, reach: number): number {
  const { dimensions, rows, weights } = query
  const near = runs.slice(Math.max(0, at - reach), at + reach + 1)
  let sum = 0
  for (const [piece, weight] of weights.entries()) {
    const vector = unitRow(rows, piece * dimensions, dimensions)
    let best = 0
    for (const { bytes, from, count } of near) {
      for (let token = 0; token < count; token++) {
        const row = new Float32Array(bytes.slice(from + token * 4 * dimensions, from + (token + 1) * 4 * dimensions).buffer)
        best = Math.max(
          best,
          row.reduce((total, value, i) => total + value * vector[i]!, 0),
        )
      }
    }
    sum += weight * best
  }
  return sum / weights.reduce((a, b) => a + b, 0)
}

const weightOf = (id: number): number => 1 + (id % 7)

describe('maxSim', () => {
  test('is what its definition says, with no, one and two neighbours', async () => {
    const runs = await runsOf({ codec: floatCodec })
    const query = await lateQuery('Which mason dressed the keystone of the gable?', { embedder, weightOf })
    const scores = maxSim(query, candidatesOf(runs), { codec: floatCodec })
    for (const [at, row] of scores.entries()) {
      expect(row).toHaveLength(3)
      for (const reach of [0, 1, 2]) expect(row[reach]).toBeCloseTo(naive(query, runs, at, reach), 5)
      expect(row[1]).toBeGreaterThanOrEqual(row[0]!)
      expect(row[2]).toBeGreaterThanOrEqual(row[1]!)
    }
  })

  test('from sign bits it is near that, and ranks the same child first', async () => {
    const query = await lateQuery('the mason of house 13 by the quarry', { embedder, weightOf })
    const exact = maxSim(query, candidatesOf(await runsOf({ codec: floatCodec })), { codec: floatCodec })
    const compact = maxSim(query, candidatesOf(await runsOf({})), { codec: signCodec })
    for (const [at, row] of compact.entries())
      for (const [reach, score] of row.entries()) expect(Math.abs(score - exact[at]![reach]!)).toBeLessThan(0.1)
    const first = (scores: readonly (readonly number[])[]): number =>
      scores.findIndex(([score]) => score === Math.max(...scores.map(([s]) => s!)))
    expect(first(compact)).toBe(first(exact))
  })

  test('a candidate scores the same alone as among others, and without neighbours as with none', async () => {
    const runs = await runsOf({})
    const query = await lateQuery('slate on the ridge', { embedder, weightOf })
    const together = maxSim(query, candidatesOf(runs), { codec: signCodec })
    for (const [at, candidate] of candidatesOf(runs).entries()) {
      expect(maxSim(query, [candidate], { codec: signCodec })[0]).toEqual(together[at])
      const [bare] = maxSim(query, [{ child: candidate.child }], { codec: signCodec })
      expect(bare).toEqual([together[at]![0], together[at]![0], together[at]![0]])
      expect(maxSim(query, [candidate], { codec: signCodec, reach: 0 })).toEqual([[together[at]![0]]])
    }
  })

  test('nothing to compare gives 0, never something that is not a number', async () => {
    const empty: TokenRun = { bytes: new Uint8Array(0), from: 0, count: 0, dimensions: 384 }
    const query = await lateQuery('slate', { embedder })
    expect(maxSim(query, [{ child: empty }], { codec: signCodec })).toEqual([[0, 0, 0]])
    const [run] = await runsOf({})
    for (const nothing of ['', '?!', ' ']) {
      const asked = await lateQuery(nothing, { embedder })
      expect(asked.weights).toHaveLength(0)
      expect(maxSim(asked, [{ child: run! }], { codec: signCodec })).toEqual([[0, 0, 0]])
    }
    expect(maxSim(query, [], { codec: signCodec })).toEqual([])
  })
})

test('token states of another model are refused', async () => {
  const [run] = await runsOf({})
  const query = await lateQuery('slate', { embedder: contextEmbedder({ dimensions: 64 }) })
  expect(() => maxSim(query, [{ child: run! }], { codec: signCodec })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  )
})

describe('lateQuery', () => {
  test('leaves out punctuation and stop words, unless there is nothing else', async () => {
    const asked = await lateQuery('What is the ridge of it?', { embedder, stopWords: englishStopWords })
    expect(asked.ids).toHaveLength(1)
    const vague = await lateQuery('What is it?', { embedder })
    expect(vague.ids).toHaveLength(3)
  })

  test('keeps the heaviest pieces of a long query, in the order of the text', async () => {
    const long = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')
    const all = await lateQuery(long, { embedder, weightOf, most: 1000 })
    const capped = await lateQuery(long, { embedder, weightOf })
    expect(all.ids).toHaveLength(100)
    expect(capped.ids).toHaveLength(64)
    const places = [...capped.ids].map((id) => all.ids.indexOf(id))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const dropped = [...all.ids].filter((id) => !capped.ids.includes(id))
    expect(Math.max(...dropped.map(weightOf))).toBeLessThanOrEqual(Math.min(...[...capped.ids].map(weightOf)))
  })

  test('has a vector that children can be compared with', async () => {
    const mean = contextEmbedder()
    const { vectors } = await mean.embed(['slate ridge'], { as: 'query' })
    expect((await lateQuery('slate ridge', { embedder: mean })).vector).toEqual(unitRow(vectors[0]!, 0, 64))
    const cls = contextEmbedder({ pooling: 'cls' })
    const { vector } = await lateQuery('slate ridge', { embedder: cls })
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    const remote = { ...contextEmbedder({ dimensions: 16 }), givesTokens: false }
    const paired = await lateQuery('slate ridge', { embedder: remote, tokensFrom: mean })
    expect(paired.vector).toHaveLength(16)
    expect(paired.dimensions).toBe(64)
    expect(paired.usage.inputTokens).toBe(2)
  })
})

describe('weights and lengths', () => {
  test('a piece that few children have weighs more, and never less than nothing', () => {
    expect(pieceWeight(0, 0)).toBeCloseTo(Math.log(1 + 1000.5 / 0.5), 10)
    expect(pieceWeight(1, 500)).toBeGreaterThan(pieceWeight(2, 500))
    expect(pieceWeight(1e6, 1e6)).toBeGreaterThan(0)
  })

  test('the advantage of length is taken off', () => {
    expect(levelLength(0.5, 200, 0)).toBe(0.5)
    expect(levelLength(0.5, 600, 1)).toBe(0.5)
    expect(levelLength(0.5, 1000, 2)).toBe(0.5)
    expect(levelLength(0.5, 200 * Math.E, 0)).toBeCloseTo(0.47, 10)
    expect(levelLength(0.5, 0, 0)).toBeGreaterThan(0.5)
    expect(Number.isFinite(levelLength(0.5, 0, 0))).toBe(true)
  })
})
