import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from 'ashlar/models'
import { staticEmbedder } from 'ashlar/static'
import { modelFolder } from '../inputs/model-folder.ts'

/** The static model that the provider's vectors come from. Every call gives one of its own. */
export function openStaticModel(): Embedder {
  const folder = modelFolder('potion-base-8M')
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return staticEmbedder({
    tokenizer: json('tokenizer.json'),
    weights: readFileSync(join(folder, 'model.safetensors')),
    config: json('config.json') as Record<string, unknown>,
    name: 'potion-base-8M',
  })
}

/** Each text's vector, by the model itself and not through any provider. Who asks often hands in the model: opening it takes a while. */
export async function vectorsOf(texts: readonly string[], model: Embedder = openStaticModel()): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let start = 0; start < texts.length; start += model.maxBatch) {
    vectors.push(...(await model.embed(texts.slice(start, start + model.maxBatch), { as: 'document' })).vectors)
  }
  return vectors
}
