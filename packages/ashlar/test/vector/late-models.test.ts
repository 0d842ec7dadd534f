import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/model/embedder.ts'
import { localEmbedder } from '../../src/model/local-embedder.ts'
import { staticEmbedder } from '../../src/model/static-embedder.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import type { Tree } from '../../src/tree/tree.ts'
import { type EmbeddedWindow, type EmbedLateOptions, embedLate } from '../../src/vector/embed-late.ts'
import { floatCodec } from '../../src/vector/float-codec.ts'
import { idCodec } from '../../src/vector/id-codec.ts'
import { lateIdentity } from '../../src/vector/late-options.ts'
import { lateQuery } from '../../src/vector/late-query.ts'
import { ownSpan } from '../../src/vector/late-windows.ts'
import { maxSim } from '../../src/vector/max-sim.ts'
import { signCodec } from '../../src/vector/sign-codec.ts'
import { readTokenBlob } from '../../src/vector/token-blob.ts'
import type { TokenCodec } from '../../src/vector/token-codec.ts'
import { unitMean } from '../../src/vector/unit-mean.ts'
import { modelFolder } from '../text/shared-data.ts'

const prose = `Ashlar is stone that was cut so true that its blocks fit without mortar. The masons of the abbey dressed each face by hand.

Lime is burnt in a kiln, slaked with water and left to rest for a year. Sand is washed, since salt would draw damp into the wall.

Die Dächer sind mit Schiefer gedeckt. 東京の屋根は瓦です。 Éclairs are sold at the gate 👩‍👩‍👧 for €3.50 on Sundays.

The bell was cast in 1683 from the bronze of two cannons, and it cracked on the first frost of the following winter.
`

const question = 'Which year was the bell made?'

async function all(tree: Tree, options: EmbedLateOptions): Promise<EmbeddedWindow[]> {
  const windows: EmbeddedWindow[] = []
  for await (const window of embedLate(tree, options)) windows.push(window)
  return windows
}

/** The best child of each codec, and the scores. */
async function scoresOf(tree: Tree, embedder: Embedder, codec: TokenCodec): Promise<number[]> {
  const runs = (await all(tree, { embedder, codec })).flatMap(({ blob }) => readTokenBlob(blob, codec).children)
  const query = await lateQuery(question, { embedder, codec })
  return maxSim(
    query,
    runs.map((child) => ({ child })),
    { codec, reach: 0 },
  ).map(([score]) => score!)
}

function bestOf(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores))
}

/** A child's vector is the mean of those states of its window that belong to it. */
async function expectMeans(tree: Tree, embedder: Embedder): Promise<void> {
  for (const { start, end, first, vectors } of await all(tree, { embedder })) {
    const { tokens } = await embedder.embed([tree.text.slice(start, end)], { as: 'document', tokens: true })
    const { starts, states } = tokens![0]!
    for (const [at, vector] of vectors.entries()) {
      const own = ownSpan(tree.children[first + at]!)
      const from = starts.findIndex((token) => token + start >= own.start)
      const to = starts.findIndex((token) => token + start >= own.end)
      expect(vector).toEqual(unitMean(states, from, to < 0 ? starts.length : to, vector.length))
    }
  }
}

const miniLm = modelFolder('all-MiniLM-L6-v2')
const potion = modelFolder('potion-base-8M')

describe.runIf(miniLm !== undefined)('late vectors and token states of all-MiniLM-L6-v2', () => {
  test('means of states, sign bits near floats, the right child first', async () => {
    await using embedder = await localEmbedder(miniLm as string)
    const tree = buildTree(prose, { child: 140 })
    await expectMeans(tree, embedder)
    const exact = await scoresOf(tree, embedder, floatCodec)
    const compact = await scoresOf(tree, embedder, signCodec)
    for (const [at, score] of compact.entries()) expect(Math.abs(score - exact[at]!)).toBeLessThan(0.08)
    expect(tree.children[bestOf(exact)]!.text).toContain('bell')
    expect(bestOf(compact)).toBe(bestOf(exact))
  })

  test('the same bytes whenever they are made', async () => {
    await using embedder = await localEmbedder(miniLm as string)
    const tree = buildTree(prose)
    const once = await all(tree, { embedder })
    const again = await all(tree, { embedder })
    expect(again).toEqual(once)
  })

  test('a child over its limit is named, or read in parts', async () => {
    await using embedder = await localEmbedder(miniLm as string)
    const long = buildTree('wall '.repeat(700), { child: 4000, parent: 4000, section: 4000 })
    await expect(all(long, { embedder })).rejects.toMatchObject({ code: 'TEXT_TOO_LONG', details: { index: 0, tokens: 700 } })
    const [window] = await all(long, { embedder, tooLong: 'split' })
    expect(readTokenBlob(window!.blob, signCodec).children[0]!.count).toBe(700)
  })
})

describe.runIf(potion !== undefined)('late vectors and token states of potion-base-8M', () => {
  const embedder = (): Embedder =>
    staticEmbedder({
      name: 'potion-base-8M',
      tokenizer: readFileSync(join(potion as string, 'tokenizer.json'), 'utf8'),
      weights: readFileSync(join(potion as string, 'model.safetensors')),
    })

  test('ids are kept, 2 bytes a token, and score as the states would', async () => {
    const model = embedder()
    expect(lateIdentity({ embedder: model }).tokenCodec).toBe('id-2-1/en-1')
    const tree = buildTree(prose, { child: 140 })
    await expectMeans(tree, model)
    const exact = await scoresOf(tree, model, floatCodec)
    const compact = await scoresOf(tree, model, idCodec(model.tokenTable!))
    for (const [at, score] of compact.entries()) expect(score).toBeCloseTo(exact[at]!, 4)
    const [window] = await all(tree, { embedder: model })
    const { children } = readTokenBlob(window!.blob, idCodec(model.tokenTable!))
    const tokens = children.reduce((sum, { count }) => sum + count, 0)
    expect(window!.blob).toHaveLength(16 + 4 * children.length + 2 * tokens)
  })

  test.runIf(miniLm !== undefined)('vectors of one model, token states of the other', async () => {
    await using local = await localEmbedder(miniLm as string)
    const tree = buildTree(prose, { child: 140 })
    const [window] = await all(tree, { embedder: embedder(), tokensFrom: local })
    expect(window!.vectors[0]).toHaveLength(256)
    expect(readTokenBlob(window!.blob, signCodec).dimensions).toBe(384)
    const query = await lateQuery(question, { embedder: embedder(), tokensFrom: local })
    expect(query.vector).toHaveLength(256)
    expect(query.dimensions).toBe(384)
  })
})
