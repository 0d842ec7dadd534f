import { afterAll, describe, test } from 'vitest'
import { averaged } from '../../src/model/averaged.ts'
import { localEmbedder } from '../../src/model/local-embedder.ts'
import { localReranker } from '../../src/model/local-reranker.ts'
import { embedderContract } from '../../src/testing/embedder-contract.ts'
import { rerankerContract } from '../../src/testing/reranker-contract.ts'
import { modelFolder } from '../text/shared-data.ts'

const opened = new AsyncDisposableStack()
afterAll(() => opened.disposeAsync())

/** One text a run: not a bit may differ. */
const exactly = { test, tolerance: 0, runs: 12 }

for (const name of ['all-MiniLM-L6-v2', 'bge-small-en-v1.5']) {
  const folder = modelFolder(name)
  describe.runIf(folder !== undefined)('local embedders keep the contract', () => {
    embedderContract({ ...exactly, name, embedder: async () => opened.use(await localEmbedder(folder as string)) })
  })
}

const miniLm = modelFolder('all-MiniLM-L6-v2')
describe.runIf(miniLm !== undefined)('an embedder that averages keeps the contract', () => {
  embedderContract({
    ...exactly,
    name: 'averaged',
    embedder: async () => averaged(opened.use(await localEmbedder(miniLm as string, { maxTokens: 24 }))),
  })
})

const cross = modelFolder('ms-marco-MiniLM-L-12-v2')
describe.runIf(cross !== undefined)('local rerankers keep the contract', () => {
  rerankerContract({
    ...exactly,
    name: 'ms-marco-MiniLM-L-12-v2',
    reranker: async () => opened.use(await localReranker(cross as string)),
  })
})
