import type { Embedder } from '../../src/model/embedder.ts'
import { staticEmbedder } from '../../src/model/static-embedder.ts'
import { smallTokenizer } from '../text/small-tokenizer.ts'
import { safetensorsFile, tensor } from './safetensors-file.ts'

const dimensions = 6
const size = Object.keys((smallTokenizer.model as { vocab: object }).vocab).length
const matrix = Array.from({ length: size * dimensions }, (_, index) => ((index * 37) % 201) - 100)

/** A static embedder of a few words and dimensions. */
export function smallStaticModel(): Embedder {
  return staticEmbedder({
    tokenizer: smallTokenizer,
    weights: safetensorsFile({ embeddings: tensor('F32', [size, dimensions], matrix) }),
  })
}
