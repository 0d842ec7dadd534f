import { Document } from '@langchain/core/documents'
import { Embeddings } from '@langchain/core/embeddings'
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters'
import type { EvalDocument, Found } from '../eval-set.ts'
import { cutDocuments } from './cut-documents.ts'
import type { ChunkCounts, CutSettings, Embed } from './peer.ts'

/** The peers' embedder as LangChain wants one. */
export class LangChainEmbeddings extends Embeddings {
  readonly #embed: Embed

  constructor(embed: Embed) {
    super({})
    this.#embed = embed
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    return (await this.#embed(documents, 'document')).map((vector) => Array.from(vector))
  }

  async embedQuery(document: string): Promise<number[]> {
    return Array.from((await this.#embed([document], 'query'))[0]!)
  }
}

/** What a chunk carries through a store and a retriever. */
export type FoundDocument = Document<{ found: Found }>

/** Cuts with LangChain's recursive splitter. It gives line numbers only, so that chunks are looked up in their document. */
export async function cutRecursively(
  documents: readonly EvalDocument[],
  settings: CutSettings,
): Promise<{ readonly chunks: FoundDocument[]; readonly counts: ChunkCounts }> {
  const splitter = new RecursiveCharacterTextSplitter({ chunkSize: settings.size, chunkOverlap: settings.overlap })
  const { chunks, counts } = await cutDocuments(documents, settings, async ({ text }) =>
    (await splitter.createDocuments([text])).map(({ pageContent }) => ({ text: pageContent })),
  )
  return { chunks: chunks.map(({ text, found }) => new Document({ pageContent: text, metadata: { found } })), counts }
}
