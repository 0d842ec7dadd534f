import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { staticEmbedder } from '../../src/model/static-embedder.ts'
import { embedderContract } from '../../src/testing/embedder-contract.ts'
import { textArbitrary } from '../../src/testing/text-arbitrary.ts'
import { wordPieceEncoder } from '../../src/text/tokenizer-counter.ts'
import { modelFolder } from '../text/shared-data.ts'

const home = modelFolder('potion-base-8M')

describe.skipIf(home === undefined)('the contract of embedders', () => {
  const tokenizer = home === undefined ? '' : readFileSync(join(home, 'tokenizer.json'), 'utf8')
  const encode = home === undefined ? undefined : wordPieceEncoder(tokenizer)
  const unknown = encode?.('☃').ids[0]
  embedderContract({
    name: 'potion-base-8M',
    test,
    runs: 200,
    tolerance: 0,
    poolingSimilarity: 0.999999,
    // The contract wants a vector for every text with words; this model has none for scripts outside its vocabulary.
    texts: textArbitrary().filter((text) => encode?.(text).ids.some((id) => id !== unknown) ?? true),
    embedder: () => staticEmbedder({ tokenizer, weights: readFileSync(join(home ?? '', 'model.safetensors')) }),
  })
})
