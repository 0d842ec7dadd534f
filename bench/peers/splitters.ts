import { loadPeer } from './load.ts'

/** A piece as a peer gives it; positions are there only when the peer claims to know them. */
export interface PeerChunk {
  readonly text: string
  readonly start?: number
  readonly end?: number
}

export interface PeerOptions {
  readonly size: number
  readonly overlap: number
}

/** A published splitter behind one signature, with the settings its own documentation shows. */
export interface PeerSplitter {
  readonly id: string
  readonly package: string
  /** What `size` and `overlap` count. */
  readonly unit: 'characters' | 'code points' | 'bytes' | 'cl100k tokens' | 'none'
  /** True when the peer has no overlap setting; it is then run without. */
  readonly noOverlap?: boolean
  /** What about the setting up a reader must know. */
  readonly note?: string
  /** Loads the package and returns the splitting function; the loading is not part of what is measured. */
  readonly open: () => Promise<(text: string, options: PeerOptions) => PeerChunk[] | Promise<PeerChunk[]>>
}

interface LangChain {
  RecursiveCharacterTextSplitter: LangChainClass
  CharacterTextSplitter: LangChainClass
  MarkdownTextSplitter: LangChainClass
}
type LangChainClass = new (options: {
  chunkSize: number
  chunkOverlap: number
  lengthFunction?: (text: string) => number
}) => { splitText(text: string): Promise<string[]> }

interface MastraChunk {
  readonly text: string
  readonly metadata: { readonly startIndex?: number }
}
interface Mastra {
  MDocument: { fromText(text: string): { chunk(options: Record<string, unknown>): Promise<MastraChunk[]> } }
}

interface ChonkieChunk {
  readonly text: string
  readonly startIndex: number
  readonly endIndex: number
}
interface ChonkieClass {
  create(options: Record<string, unknown>): Promise<{ chunk(text: string): ChonkieChunk[] | Promise<ChonkieChunk[]> }>
}
interface Chonkie {
  RecursiveChunker: ChonkieClass
  SentenceChunker: ChonkieClass
  TokenChunker: ChonkieClass
  FastChunker: ChonkieClass
}

interface LlamaNode {
  readonly text: string
  readonly startCharIdx?: number
  readonly endCharIdx?: number
}
interface LlamaParsers {
  SentenceSplitter: new (options: Record<string, unknown>) => { getNodesFromDocuments(documents: unknown[]): LlamaNode[] }
  MarkdownNodeParser: new () => { getNodesFromDocuments(documents: unknown[]): LlamaNode[] }
}
interface LlamaSchema {
  Document: new (options: { text: string }) => unknown
}

interface GptTokenizer {
  encode(text: string, options?: { disallowedSpecial?: Set<string> }): number[]
  decode(tokens: readonly number[]): string
  countTokens(text: string, options?: { disallowedSpecial?: Set<string> }): number
}

function langChain(id: string, name: keyof LangChain): PeerSplitter {
  return {
    id,
    package: '@langchain/textsplitters',
    unit: 'characters',
    async open() {
      const splitters = await loadPeer<LangChain>('@langchain/textsplitters')
      return async (text, { size, overlap }) => {
        const splitter = new splitters[name]({ chunkSize: size, chunkOverlap: overlap })
        return (await splitter.splitText(text)).map((piece) => ({ text: piece }))
      }
    },
  }
}

function mastra(
  id: string,
  strategy: string,
  settings: Record<string, unknown>,
  unit: PeerSplitter['unit'] = 'characters',
): PeerSplitter {
  return {
    id,
    package: '@mastra/rag',
    unit,
    async open() {
      const { MDocument } = await loadPeer<Mastra>('@mastra/rag')
      return async (text, { size, overlap }) => {
        const chunks = await MDocument.fromText(text).chunk({ strategy, maxSize: size, overlap, ...settings })
        return chunks.map(({ text, metadata: { startIndex } }) =>
          startIndex === undefined ? { text } : { text, start: startIndex, end: startIndex + text.length },
        )
      }
    },
  }
}

function chonkie(
  id: string,
  name: keyof Chonkie,
  unit: PeerSplitter['unit'],
  extra: { readonly noOverlap?: boolean; readonly note?: string; readonly tokenizer?: () => Promise<unknown> } = {},
): PeerSplitter {
  return {
    id,
    package: '@chonkiejs/core',
    unit,
    ...(extra.noOverlap === undefined ? {} : { noOverlap: extra.noOverlap }),
    ...(extra.note === undefined ? {} : { note: extra.note }),
    async open() {
      const chunkers = await loadPeer<Chonkie>('@chonkiejs/core')
      const tokenizer = await extra.tokenizer?.()
      return async (text, { size, overlap }) => {
        const chunker = await chunkers[name].create({
          chunkSize: size,
          ...(extra.noOverlap ? {} : { chunkOverlap: overlap }),
          ...(tokenizer === undefined ? {} : { tokenizer }),
        })
        return (await chunker.chunk(text)).map(({ text, startIndex, endIndex }) => ({ text, start: startIndex, end: endIndex }))
      }
    },
  }
}

/** cl100k through gpt-tokenizer, which takes text that looks like a special token as text. */
export async function openCl100k(): Promise<{
  encode: (text: string) => number[]
  decode: (tokens: readonly number[]) => string
  countTokens: (text: string) => number
}> {
  const { encode, decode, countTokens } = await loadPeer<GptTokenizer>('gpt-tokenizer-4/encoding/cl100k_base')
  const options = { disallowedSpecial: new Set<string>() }
  return {
    encode: (text) => encode(text, options),
    decode: (tokens) => decode(tokens),
    countTokens: (text) => countTokens(text, options),
  }
}

const llamaSentence: PeerSplitter = {
  id: 'LlamaIndex SentenceSplitter',
  package: '@llamaindex/core',
  unit: 'cl100k tokens',
  async open() {
    const { SentenceSplitter } = await loadPeer<LlamaParsers>('@llamaindex/core/node-parser')
    const { Document } = await loadPeer<LlamaSchema>('@llamaindex/core/schema')
    // It warns on the console about every small chunk size; the text of a warning is not a result.
    const logger = { log: ignore, error: ignore, warn: ignore }
    return (text, { size, overlap }) => {
      const splitter = new SentenceSplitter({ chunkSize: size, chunkOverlap: overlap, logger })
      return splitter.getNodesFromDocuments([new Document({ text })]).map(toPeerChunk)
    }
  },
}

const llamaMarkdown: PeerSplitter = {
  id: 'LlamaIndex MarkdownNodeParser',
  package: '@llamaindex/core',
  unit: 'none',
  noOverlap: true,
  note: 'has no size setting',
  async open() {
    const { MarkdownNodeParser } = await loadPeer<LlamaParsers>('@llamaindex/core/node-parser')
    const { Document } = await loadPeer<LlamaSchema>('@llamaindex/core/schema')
    return (text) => new MarkdownNodeParser().getNodesFromDocuments([new Document({ text })]).map(toPeerChunk)
  },
}

function toPeerChunk({ text, startCharIdx, endCharIdx }: LlamaNode): PeerChunk {
  return startCharIdx === undefined || endCharIdx === undefined ? { text } : { text, start: startCharIdx, end: endCharIdx }
}

function ignore(): void {}

/** Every peer splitter that the benches and the laws run, by id. */
export const peerSplitters: readonly PeerSplitter[] = [
  langChain('LangChain recursive', 'RecursiveCharacterTextSplitter'),
  langChain('LangChain character', 'CharacterTextSplitter'),
  langChain('LangChain markdown', 'MarkdownTextSplitter'),
  mastra('Mastra recursive', 'recursive', { addStartIndex: true }),
  mastra('Mastra sentence', 'sentence', { addStartIndex: true }),
  mastra('Mastra markdown', 'markdown', { addStartIndex: true }),
  mastra('Mastra token', 'token', { addStartIndex: true, encodingName: 'cl100k_base' }, 'cl100k tokens'),
  chonkie('chonkie recursive', 'RecursiveChunker', 'characters', { noOverlap: true }),
  chonkie('chonkie sentence', 'SentenceChunker', 'characters'),
  chonkie('chonkie token', 'TokenChunker', 'code points', { note: 'with its own character tokenizer' }),
  chonkie('chonkie token, cl100k', 'TokenChunker', 'cl100k tokens', {
    note: 'with gpt-tokenizer handed in, since its own downloads a model',
    tokenizer: openCl100k,
  }),
  chonkie('chonkie fast', 'FastChunker', 'bytes', { noOverlap: true }),
  llamaSentence,
  llamaMarkdown,
]

/** The splitter called `id`. */
export function findPeer(id: string): PeerSplitter {
  const found = peerSplitters.find((peer) => peer.id === id)
  if (found === undefined) throw new RangeError(`No peer is called ${id}`)
  return found
}
