import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteCache } from 'ashlar/cache'
import { localEmbedder } from 'ashlar/local'
import { averaged, type Embedder, embedAll, type ModelCache } from 'ashlar/models'
import { staticEmbedder } from 'ashlar/static'
import { modelFolder } from '../inputs/model-folder.ts'

/** A model and the cache of its answers: what a first run embeds, later ones look up. */
export interface BenchModel {
  readonly name: string
  readonly embedder: Embedder
  readonly cache: ModelCache
}

/** The three embedders that need no network, by the names that tables use. */
export interface BenchModels extends AsyncDisposable {
  readonly miniLm: BenchModel
  readonly bge: BenchModel
  readonly potion: BenchModel
}

export async function openModels(): Promise<BenchModels> {
  const folder = fileURLToPath(new URL('../../.cache', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const cache = await sqliteCache(join(folder, 'semantic.sqlite'))
  const miniLm = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
  const bge = await localEmbedder(modelFolder('bge-small-en-v1.5'))
  return {
    miniLm: { name: 'all-MiniLM-L6-v2', embedder: miniLm, cache },
    bge: { name: 'bge-small-en-v1.5', embedder: bge, cache },
    potion: { name: 'potion-base-8M', embedder: openStatic(), cache },
    async [Symbol.asyncDispose]() {
      await miniLm[Symbol.asyncDispose]()
      await bge[Symbol.asyncDispose]()
      await cache[Symbol.asyncDispose]()
    },
  }
}

function openStatic(): Embedder {
  const folder = modelFolder('potion-base-8M')
  const tokenizer = readFileSync(join(folder, 'tokenizer.json'), 'utf8')
  return staticEmbedder({ tokenizer, weights: readFileSync(join(folder, 'model.safetensors')), name: 'potion-base-8M' })
}

/** A vector of length 1 for each text; texts over the model's limit are averaged over windows. */
export async function vectorsOf(
  { embedder, cache }: BenchModel,
  texts: readonly string[],
  as: 'document' | 'query',
  step: (done: number) => void = () => {},
): Promise<Float32Array[]> {
  const whole = embedder.identity.maxTokens === undefined ? embedder : averaged(embedder)
  const vectors: Float32Array[] = []
  for await (const outcome of embedAll(whole, texts, { as, cache })) {
    if (outcome.error !== undefined) throw outcome.error
    vectors.push(outcome.vector)
    step(vectors.length)
  }
  return vectors
}
