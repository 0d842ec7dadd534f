import { ParentDocumentRetriever } from '@langchain/classic/retrievers/parent_document'
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory'
import { Document } from '@langchain/core/documents'
import { InMemoryStore } from '@langchain/core/stores'
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters'
import type { Found } from '../eval-set.ts'
import { ChunkPlacer, inputsOf, type PeerInput } from './cut-documents.ts'
import { LangChainEmbeddings } from './langchain.ts'
import { type CutSettings, describeCut, type Peer } from './peer.ts'

/** How parents and children are set: `size` and `overlap` are of the children. */
export interface ParentSettings extends CutSettings {
  /** Most characters of a parent; undefined where each text that is handed over is a parent itself. */
  readonly parent?: number
}

/** Children asked for each parent, as in the example of its documentation (20 for 5). */
const childrenAParent = 4

type Parent = Document<{ readonly input: number; readonly loc: { readonly lines: { readonly from: number } } }>

/** LangChain.js with children that are searched and parents that are given. */
export function peer(settings: ParentSettings): Peer {
  const { parent, size, overlap } = settings
  return {
    name: 'LangChain.js, parent document retriever',
    settings: `${parent === undefined ? 'parents whole' : `parents of at most ${parent} characters`}; children ${describeCut(settings)}`,
    async open(documents, embed) {
      const inputs = inputsOf(documents, settings).filter(({ text }) => text.trim() !== '')
      const parentSplitter =
        parent === undefined ? undefined : new RecursiveCharacterTextSplitter({ chunkSize: parent, chunkOverlap: 0 })
      const parts = {
        vectorstore: new MemoryVectorStore(new LangChainEmbeddings(embed)),
        byteStore: new InMemoryStore<Uint8Array>(),
        ...(parentSplitter && { parentSplitter }),
        childSplitter: new RecursiveCharacterTextSplitter({ chunkSize: size, chunkOverlap: overlap }),
      }
      const filled = new ParentDocumentRetriever(parts)
      const placer = new ChunkPlacer()
      const places = new Map<string, Found>()
      for (const [at, input] of inputs.entries()) {
        const document = new Document({ pageContent: input.text, metadata: { input: at } })
        for (const [found, made] of await parentsOf(input, document)) if (found !== undefined) places.set(keyOf(made), found)
        await filled.addDocuments([document], { childDocChunkHeaderOptions: { chunkHeader: input.header } })
      }
      return {
        chunks: placer.counts,
        async search(question, limit) {
          const retriever = new ParentDocumentRetriever({ ...parts, childK: childrenAParent * limit, parentK: limit })
          const hits = (await retriever.invoke(question)) as Parent[]
          return hits.map((hit) => places.get(keyOf(hit))).filter((found) => found !== undefined)
        },
        async close() {},
      }

      /** The parents as the retriever makes them, with their places: it gives back text and line, and no offset. */
      async function parentsOf(input: PeerInput, document: Document): Promise<[Found | undefined, Parent][]> {
        const made = ((await parentSplitter?.splitDocuments([document])) ?? [document]) as Parent[]
        const found = placer.place(
          input,
          made.map(({ pageContent }) => ({ text: pageContent })),
        )
        return made.map((parent, at) => [found[at], parent])
      }
    },
  }
}

function keyOf({ pageContent, metadata }: Parent): string {
  return `${metadata.input}\n${metadata.loc?.lines.from ?? ''}\n${pageContent}`
}
