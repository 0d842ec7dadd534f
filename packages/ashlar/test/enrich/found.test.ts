import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { enrichedText } from '../../src/enrich/enriched-text.ts'
import type { Enrichment, EnrichmentKind } from '../../src/enrich/enrichment.ts'
import { staticEmbedder } from '../../src/model/static-embedder.ts'
import { modelFolder, modelTokenizer } from '../text/shared-data.ts'
import { bm25 } from './small-bm25.ts'
import { smallSource } from './small-source.ts'
import { enrichUnsaid, unsaidCases, unsaidWords } from './unsaid-cases.ts'

const home = modelFolder('potion-base-8M')

describe('enrichment is found', () => {
  const source = smallSource(unsaidCases.map(({ text }, i) => `# ${i}\n\n${text}`).join('\n\n'), { size: 100 })
  let enrichments: readonly Enrichment[] = []

  beforeAll(async () => {
    enrichments = await enrichUnsaid([source])
  })

  /** Texts as they would be indexed with one kind. */
  const indexed = (kind: EnrichmentKind): string[] =>
    source.children.map((child, at) => enrichedText(child, enrichments[at] as Enrichment, { kinds: [kind] }).text)

  test('one chunk and one enrichment for each case', () => {
    expect(source.children).toHaveLength(unsaidCases.length)
    expect(enrichments).toHaveLength(unsaidCases.length)
  })

  test.each(['context', 'questions', 'keywords'] as const)('by BM25, through words that stand only in %s', (kind) => {
    for (const [at, query] of unsaidWords[kind].entries()) {
      expect(
        bm25(
          source.children.map(({ text }) => text),
          query,
        ),
        query,
      ).toEqual(unsaidCases.map(() => 0))
      const scores = bm25(indexed(kind), query)
      expect(scores.indexOf(Math.max(...scores)), query).toBe(at)
      expect(scores[at]).toBeGreaterThan(0)
    }
  })

  test.skipIf(home === undefined).each(['context', 'questions', 'keywords'] as const)(
    'by vector, through words that stand only in %s',
    async (kind) => {
      const weights = readFileSync(join(home as string, 'model.safetensors'))
      const embedder = staticEmbedder({ tokenizer: modelTokenizer('potion-base-8M'), weights, name: 'potion-base-8M' })
      const bare = await embedder.embed(
        source.children.map(({ text }) => text),
        { as: 'document' },
      )
      const enriched = await embedder.embed(indexed(kind), { as: 'document' })
      const queries = await embedder.embed(unsaidWords[kind], { as: 'query' })
      for (const [at, query] of queries.vectors.entries()) {
        const scores = enriched.vectors.map((vector) => dot(vector, query))
        expect(scores.indexOf(Math.max(...scores)), unsaidWords[kind][at]).toBe(at)
        expect(scores[at]).toBeGreaterThan(dot(bare.vectors[at] as Float32Array, query) + 0.1)
      }
    },
  )
})

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0)
}
