import { RecursiveChunker, SemanticChunker, SentenceChunker } from '@chonkiejs/core'
import { cutDocuments } from './cut-documents.ts'
import type { Embed } from './peer.ts'
import { type CutSettings, describeCut, type Peer } from './peer.ts'

/** Which chunker of the package, and its size; only the chunker by sentences knows an overlap. */
export interface ChonkieSettings extends CutSettings {
  readonly chunker: 'recursive' | 'sentence' | 'semantic'
}

/** The chunkers of chonkie for JavaScript, which has no search of its own, before a plain search by cosine. */
export function peer(settings: ChonkieSettings): Peer {
  return {
    name: 'chonkie, chunkers and cosine',
    settings: `${settings.chunker} chunker, ${describeCut(settings)}`,
    async open(documents, embed) {
      const chunker = await openChunker(settings, embed)
      const { chunks, counts } = await cutDocuments(documents, settings, async ({ text }) =>
        (await chunker.chunk(text)).map(({ text, startIndex }) => ({ text, start: startIndex })),
      )
      const vectors = await embed(
        chunks.map(({ text }) => text),
        'document',
      )
      return {
        chunks: counts,
        async search(question, limit) {
          const [asked] = await embed([question], 'query')
          const scored = vectors.map((vector, at) => ({ at, score: dot(vector, asked!) }))
          scored.sort((a, b) => b.score - a.score)
          return scored.slice(0, limit).map(({ at }) => chunks[at]!.found)
        },
        async close() {},
      }
    },
  }
}

function openChunker(
  { chunker, size, overlap }: ChonkieSettings,
  embed: Embed,
): Promise<RecursiveChunker | SentenceChunker | SemanticChunker> {
  if (chunker === 'recursive') return RecursiveChunker.create({ chunkSize: size })
  if (chunker === 'sentence') return SentenceChunker.create({ chunkSize: size, chunkOverlap: overlap })
  const embeddings = async (texts: string[]): Promise<number[][]> =>
    (await embed(texts, 'document')).map((vector) => Array.from(vector))
  return SemanticChunker.create({ embeddings, chunkSize: size })
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
