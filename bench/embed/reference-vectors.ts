import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AutoTokenizer } from '@huggingface/transformers'
import type { Progress } from '../harness/progress.ts'
import { openBertReference } from './bert-reference.ts'
import { referenceFolder } from './reference-weights.ts'

/**
 * The vectors of all-MiniLM-L6-v2 by its unquantised weights: tokens by transformers.js, mean of the states, length 1.
 *
 * About a tenth of a second a sentence, so they are kept in the git-ignored `.cache`, under a hash of the sentences and of the
 * program that made them.
 */
export async function referenceVectors(texts: readonly string[], progress: Progress): Promise<Float32Array[]> {
  const folder = referenceFolder()
  const program = readFileSync(new URL('./bert-reference.ts', import.meta.url))
  const key = createHash('sha256').update(program).update(JSON.stringify(texts)).digest('hex').slice(0, 16)
  const cache = fileURLToPath(new URL('../../.cache/reference-vectors', import.meta.url))
  const file = join(cache, `${key}.f32`)
  const width = 384
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    return texts.map((_, at) => all.slice(at * width, (at + 1) * width))
  }
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true })
  const bert = openBertReference(join(folder, 'model.safetensors'))
  const vectors: Float32Array[] = []
  for (const text of texts) {
    progress.step('computing the reference', vectors.length, texts.length)
    const ids = tokenizer.encode(text)
    vectors.push(meanVector(bert.states(ids), ids.length, bert.width))
  }
  mkdirSync(cache, { recursive: true })
  writeFileSync(file, Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer))))
  return vectors
}

function meanVector(states: Float64Array, rows: number, width: number): Float32Array {
  const sum = new Float64Array(width)
  for (let at = 0; at < rows * width; at++) sum[at % width]! += states[at]!
  const length = Math.hypot(...sum)
  return Float32Array.from(sum, (value) => value / length)
}
