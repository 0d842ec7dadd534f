import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory'
import { cutRecursively, type FoundDocument, LangChainEmbeddings } from './langchain.ts'
import { type CutSettings, describeCut, type Peer } from './peer.ts'

/** LangChain.js as its tutorial begins: the recursive splitter and the vector store in memory. */
export function peer(settings: CutSettings): Peer {
  return {
    name: 'LangChain.js, recursive splitter and vector store',
    settings: describeCut(settings),
    async open(documents, embed) {
      const { chunks, counts } = await cutRecursively(documents, settings)
      const store = await MemoryVectorStore.fromDocuments(chunks, new LangChainEmbeddings(embed))
      return {
        chunks: counts,
        async search(question, limit) {
          const hits = (await store.similaritySearch(question, limit)) as FoundDocument[]
          return hits.map(({ metadata }) => metadata.found)
        },
        async close() {},
      }
    },
  }
}
