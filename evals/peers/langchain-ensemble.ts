import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory'
import { BM25Retriever } from '@langchain/community/retrievers/bm25'
import { Document } from '@langchain/core/documents'
import { cutRecursively, type FoundDocument, LangChainEmbeddings } from './langchain.ts'
import { type CutSettings, describeCut, type Peer, withoutPunctuation } from './peer.ts'

/** How the two retrievers are set. */
export interface EnsembleSettings extends CutSettings {
  /** The weight of BM25; the vectors have the rest. */
  readonly words: number
  /**
   * Whether texts are handed over in lower case and questions without punctuation: its BM25 lowers the case of questions alone and parts
   * them at blanks alone. The model reads no case, so that vectors stay as they are. @default false
   */
  readonly plain?: boolean
}

/** LangChain.js, hybrid: BM25 and the vector store in memory, fused by reciprocal ranks. */
export function peer(settings: EnsembleSettings): Peer {
  const { words, plain = false } = settings
  return {
    name: 'LangChain.js, ensemble of BM25 and vector store',
    settings: `${describeCut(settings)}, weights ${words} and ${1 - words}${plain ? ', texts in lower case, questions without punctuation' : ''}`,
    async open(documents, embed) {
      const { chunks: cut, counts } = await cutRecursively(documents, settings)
      const embeddings = new LangChainEmbeddings(embed)
      const store = new MemoryVectorStore(embeddings)
      const chunks = cut.map((chunk) =>
        plain ? new Document({ ...chunk, pageContent: chunk.pageContent.toLowerCase() }) : chunk,
      )
      await store.addVectors(await embeddings.embedDocuments(cut.map(({ pageContent }) => pageContent)), chunks)
      return {
        chunks: counts,
        async search(question, limit) {
          const retriever = new EnsembleRetriever({
            retrievers: [BM25Retriever.fromDocuments(chunks, { k: limit, includeScore: false }), store.asRetriever({ k: limit })],
            weights: [words, 1 - words],
          })
          const hits = (await retriever.invoke(plain ? withoutPunctuation(question) : question)) as FoundDocument[]
          return hits.slice(0, limit).map(({ metadata }) => metadata.found)
        },
        async close() {},
      }
    },
  }
}
