import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { readCorpora, readLanguages } from '../../../../bench/inputs/evaluation-folder.ts'
import { markdown } from '../../src/chunk/markdown.ts'
import type { Embedder } from '../../src/model/embedder.ts'
import { staticEmbedder } from '../../src/model/static-embedder.ts'
import { noUsage } from '../../src/model/usage.ts'
import { chunkerContract } from '../../src/testing/chunker-contract.ts'
import { characters } from '../../src/text/characters.ts'
import { words } from '../../src/text/word-counter.ts'
import { chunkSemantic } from '../../src/vector/chunk-semantic.ts'
import { modelFolder } from '../text/shared-data.ts'

/** Directions without sense or scale: any of 7, 0 and nearly 0 among them, decided by the text. */
const senseless: Embedder = {
  identity: {
    model: 'test/senseless',
    options: {},
    dimensions: 3,
    pooling: 'provider',
    normalized: false,
    queryPrefix: '',
    documentPrefix: '',
    maxTokens: 7,
  },
  maxBatch: 3,
  counter: characters,
  givesTokens: false,
  embed: async (texts) => ({ vectors: texts.map(direction), usage: noUsage }),
}

function direction(text: string): Float32Array {
  if (text.trim() === '' || text.length > 7) throw new Error(`This must not be embedded: ${JSON.stringify(text)}`)
  let hash = 17
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  const kinds = [
    [0, 0, 0],
    [1e-20, 0, 0],
    [1e18, 1, 0],
    [-1e18, 0, 1],
    [1, 1, 1],
    [-1, 0.5, 0],
    [0, 0, 1e-3],
  ]
  return Float32Array.from(kinds[hash % kinds.length] as number[])
}

describe('an embedder without sense', () => {
  chunkerContract({
    name: 'relative',
    test,
    counters: [characters, words],
    resynchronises: false,
    chunk: (text, settings) => chunkSemantic(text, { embedder: senseless, ...settings }),
  })
  chunkerContract({
    name: 'cosine, markdown',
    test,
    format: 'markdown',
    resynchronises: false,
    chunk: (text, settings) =>
      chunkSemantic(text, { embedder: senseless, format: markdown, similarity: 'cosine', maxSentences: 4, ...settings }),
  })
})

const home = modelFolder('potion-base-8M')

describe.skipIf(home === undefined)('static vectors', () => {
  const embedder = home === undefined ? senseless : openPotion(home)
  const cut = (text: string): string => text.slice(0, 30_000)
  const documents = [...readCorpora(), ...readLanguages()].map(({ name, text }) => ({ name, text: cut(text) }))
  chunkerContract({
    name: 'relative',
    test,
    runs: 150,
    counters: [characters, words],
    documents,
    chunk: (text, settings) => chunkSemantic(text, { embedder, ...settings }),
  })
  chunkerContract({
    name: 'relative, markdown',
    test,
    runs: 150,
    format: 'markdown',
    documents: documents.filter(({ name }) => name.endsWith('.md')),
    chunk: (text, settings) => chunkSemantic(text, { embedder, format: markdown, ...settings }),
  })
  chunkerContract({
    name: 'cosine',
    test,
    runs: 150,
    chunk: (text, settings) => chunkSemantic(text, { embedder, similarity: 'cosine', threshold: 0.3, ...settings }),
  })
})

function openPotion(folder: string): Embedder {
  const tokenizer = readFileSync(join(folder, 'tokenizer.json'), 'utf8')
  return staticEmbedder({ tokenizer, weights: readFileSync(join(folder, 'model.safetensors')) })
}
