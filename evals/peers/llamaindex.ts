import { createRequire } from 'node:module'
import { BaseEmbedding } from '@llamaindex/core/embeddings'
import type { MessageContentDetail } from '@llamaindex/core/llms'
import { type BaseNode, Document, MetadataMode, TextNode } from '@llamaindex/core/schema'
import { SentenceSplitter, Settings, storageContextFromDefaults, VectorStoreIndex } from 'llamaindex'
import { cutDocuments } from './cut-documents.ts'
import { type CutSettings, describeCut, type Embed, type Peer, withoutPunctuation } from './peer.ts'

// Its module build calls the default export of a CommonJS package in a way that Node does not allow; the other build works.
const { Bm25Retriever } = createRequire(import.meta.url)(
  '@llamaindex/bm25-retriever',
) as typeof import('@llamaindex/bm25-retriever')

/** How LlamaIndex.TS is asked; sizes are tokens. It has no fusion of the two. */
export interface LlamaIndexSettings extends CutSettings {
  readonly retriever: 'vector' | 'bm25'
  /** Whether BM25 gets texts in lower case: it lowers the case of questions alone. @default false */
  readonly plain?: boolean
}

class LlamaIndexEmbedding extends BaseEmbedding {
  readonly #embed: Embed

  constructor(embed: Embed) {
    super()
    this.#embed = embed
    this.embedBatchSize = 64
    this.getTextEmbeddings = async (texts) => (await this.#embed(texts, 'document')).map((vector) => Array.from(vector))
  }

  override async getTextEmbedding(text: string): Promise<number[]> {
    return (await this.getTextEmbeddings([text]))[0]!
  }

  override async getQueryEmbedding(query: MessageContentDetail): Promise<number[] | null> {
    return query.type === 'text' ? Array.from((await this.#embed([query.text], 'query'))[0]!) : null
  }
}

/** LlamaIndex.TS: the splitter by sentences and an index of vectors in memory, or its BM25. Its makers have given it up. */
export function peer(settings: LlamaIndexSettings): Peer {
  const { size, overlap, retriever: kind, plain = false } = settings
  return {
    name: 'LlamaIndex.TS, sentence splitter and index',
    settings: `${describeCut(settings, 'tokens')}, ${kind === 'vector' ? 'vector index' : 'BM25 retriever'}${plain ? ', texts in lower case' : ''}`,
    async open(documents, embed) {
      const splitter = new SentenceSplitter({ chunkSize: size, chunkOverlap: overlap })
      // Its own offsets are those of the first place where the text occurs, so that places are looked for as for other peers.
      const { chunks, counts } = await cutDocuments(documents, settings, async ({ text }) =>
        splitter.getNodesFromDocuments([new Document({ text })]).map((node) => ({ text: node.getContent(MetadataMode.NONE) })),
      )
      Settings.embedModel = new LlamaIndexEmbedding(embed)
      const nodes = chunks.map(({ text }, at) => new TextNode({ text: plain ? text.toLowerCase() : text, id_: `${at}` }))
      const storageContext = await storageContextFromDefaults({})
      const retrieve = await open(nodes)
      return {
        chunks: counts,
        async search(question, limit) {
          const hits = await retrieve(question, limit)
          return hits.map(({ node }) => chunks[Number(node.id_)]!.found)
        },
        async close() {},
      }

      async function open(nodes: TextNode[]): Promise<(query: string, limit: number) => Promise<{ node: BaseNode }[]>> {
        if (kind === 'vector') {
          const index = await VectorStoreIndex.init({ nodes, storageContext })
          return (query, limit) => index.asRetriever({ similarityTopK: limit }).retrieve({ query })
        }
        await storageContext.docStore.addDocuments(nodes, true)
        // It takes each word of a question for a regular expression and throws at those that are none, like “C++”.
        return (query, limit) =>
          new Bm25Retriever({ docStore: storageContext.docStore, topK: limit }).retrieve({ query: withoutPunctuation(query) })
      }
    },
  }
}
