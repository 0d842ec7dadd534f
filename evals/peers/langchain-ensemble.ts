import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory'
import { BM25Retriever } from '@langchain/community/retrievers/bm25'
import { cutRecursively, type FoundDocument, LangChainEmbeddings } from './langchain.ts'
import { type CutSettings, describeCut, type Peer } from './peer.ts'

/** How the two retrievers are set. */
export interface EnsembleSettings extends CutSettings {
  /** The weight of BM25; the vectors have the rest. */
  readonly words: number
}

/** LangChain.js, hybrid: BM25 and the vector store in memory, fused by reciprocal ranks. */
export function peer(settings: EnsembleSettings): Peer {
  const { words } = settings
  return {
    name: 'LangChain.js, ensemble of BM25 and vector store',
    settings: `${describeCut(settings)}, weights ${words} and ${1 - words}`,
    async open(documents, embed) {
      const { chunks, counts } = await cutRecursively(documents, settings)
      const store = await MemoryVectorStore.fromDocuments(chunks, new LangChainEmbeddings(embed))
      return {
        chunks: counts,
        async search(question, limit) {
          const retriever = new EnsembleRetriever({
            retrievers: [BM25Retriever.fromDocuments(chunks, { k: limit, includeScore: false }), store.asRetriever({ k: limit })],
            weights: [words, 1 - words],
          })
          const hits = (await retriever.invoke(question)) as FoundDocument[]
          return hits.slice(0, limit).map(({ metadata }) => metadata.found)
        },
        async close() {},
      }
    },
  }
}
