import { tmpdir } from 'node:os'
import { LocalFilesystem, Workspace } from '@mastra/core/workspace'
import { LibSQLVector } from '@mastra/libsql'
import { MDocument } from '@mastra/rag'
import type { Found } from '../eval-set.ts'
import { cutDocuments, type PeerInput } from './cut-documents.ts'
import type { Embed } from './peer.ts'
import { type CutSettings, describeCut, type OpenPeer, type Peer } from './peer.ts'

/** How Mastra is asked. */
export interface MastraSettings extends CutSettings {
  /** `vector` is the query of its RAG; `hybrid` is the search of its workspaces, with BM25 beside the vectors. */
  readonly search: 'vector' | 'hybrid'
  /** The weight of vectors in a hybrid search. @default 0.5 */
  readonly vectorWeight?: number
}

const indexName = 'chunks'

/** Mastra: chunks of `MDocument` in LibSQL. Its rerankers are language models or services, so that none is used. */
export function peer(settings: MastraSettings): Peer {
  const { search, vectorWeight = 0.5 } = settings
  return {
    name: 'Mastra, MDocument and LibSQL',
    settings: `recursive strategy, ${describeCut(settings)}, ${search === 'vector' ? 'vector query' : `workspace search, vectors ${vectorWeight}`}`,
    async open(documents, embed) {
      const { chunks, counts } = await cutDocuments(documents, settings, (input) => chunk(input, settings))
      const places = chunks.map(({ found }) => found)
      const texts = chunks.map(({ text }) => text)
      const store = new LibSQLVector({ id: 'peer', url: 'file::memory:' })
      const opened =
        search === 'vector' ? await openVector(store, texts, embed) : await openWorkspace(store, texts, embed, vectorWeight)
      return {
        chunks: counts,
        async search(question, limit) {
          return (await opened(question, limit)).map((at): Found => places[at]!)
        },
        async close() {
          await store.close()
        },
      } satisfies OpenPeer
    },
  }
}

async function chunk(
  { text, format }: PeerInput,
  { size, overlap }: MastraSettings,
): Promise<{ text: string; start?: number }[]> {
  const document = format === 'markdown' ? MDocument.fromMarkdown(text) : MDocument.fromText(text)
  const chunks = await document.chunk({ strategy: 'recursive', maxSize: size, overlap })
  return chunks.map(({ text }) => ({ text }))
}

/** Numbers of the chunks found, the best first. */
type Ask = (question: string, limit: number) => Promise<number[]>

async function openVector(store: LibSQLVector, texts: readonly string[], embed: Embed): Promise<Ask> {
  const vectors = await embed(texts, 'document')
  await store.createIndex({ indexName, dimension: vectors[0]!.length })
  for (let at = 0; at < texts.length; at += 1000) {
    const part = vectors.slice(at, at + 1000)
    await store.upsert({
      indexName,
      vectors: part.map((vector) => Array.from(vector)),
      metadata: part.map((_, index) => ({ text: texts[at + index]!, chunk: at + index })),
    })
  }
  return async (question, limit) => {
    const [asked] = await embed([question], 'query')
    const hits = await store.query({ indexName, queryVector: Array.from(asked!), topK: limit })
    return hits.map(({ metadata }) => Number(metadata!['chunk']))
  }
}

async function openWorkspace(store: LibSQLVector, texts: readonly string[], embed: Embed, vectorWeight: number): Promise<Ask> {
  const workspace = new Workspace({
    // It wants one although nothing is read from or written to it: what is indexed is handed over.
    filesystem: new LocalFilesystem({ basePath: tmpdir() }),
    bm25: true,
    vectorStore: store,
    searchIndexName: indexName,
    embedder: async (text: string) => Array.from((await embed([text], 'document'))[0]!),
  })
  for (const [at, text] of texts.entries()) await workspace.index(`${at}`, text)
  return async (question, limit) => {
    const hits = await workspace.search(question, { topK: limit, mode: 'hybrid', vectorWeight })
    return hits.map(({ id }) => Number(id))
  }
}
