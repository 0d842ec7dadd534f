import { chunkText } from 'ashlar'
import { o200k } from 'ashlar/tokens'
import { type Bench, type Figure, figure } from './harness/bench.ts'
import { type Candidate, interleave } from './harness/interleave.ts'
import { mixedText } from './inputs/mixed-text.ts'
import { loadPeer } from './peers/load.ts'
import { findPeer } from './peers/splitters.ts'

const limit = 256

interface Encoding {
  encode(text: string, options: { disallowedSpecial: Set<string> }): number[]
  decode(tokens: readonly number[]): string
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number
  clearMergeCache(): void
}
interface LangChain {
  RecursiveCharacterTextSplitter: new (options: {
    chunkSize: number
    chunkOverlap: number
    lengthFunction: (text: string) => number
  }) => { splitText(text: string): Promise<string[]> }
}
interface Mastra {
  MDocument: { fromText(text: string): { chunk(options: Record<string, unknown>): Promise<{ readonly text: string }[]> } }
}

/** Text that looks like a special token is text. */
const plainText = { disallowedSpecial: new Set<string>() }

/** Cutting to a token limit, against the price of encoding the text once. */
export const tokens: Bench = {
  summary: 'cutting to 256 o200k tokens beside one encoding pass of gpt-tokenizer',
  async run({ quick, progress }) {
    progress.step('making the text')
    const { text, source } = mixedText(quick ? 500_000 : 5_000_000)
    const small = text.slice(0, quick ? 30_000 : 300_000)
    const encoding = await loadPeer<Encoding>('gpt-tokenizer-4/encoding/o200k_base')
    const cut = (part: string): Iterable<{ readonly text: string }> =>
      chunkText(part, { size: limit, overlap: 0, counter: o200k })
    const timings = await interleave(
      [
        { name: 'Ashlar, 256 o200k tokens', run: () => sumLengths(cut(text)) },
        { name: 'gpt-tokenizer, one encoding pass', run: () => encoding.encode(text, plainText).length },
        {
          name: 'gpt-tokenizer, one encoding pass, cache emptied first',
          run() {
            encoding.clearMergeCache()
            return encoding.encode(text, plainText).length
          },
        },
      ],
      { rounds: quick ? 3 : 7, progress },
    )
    const peers = await interleave(
      [{ name: 'Ashlar on the small part', run: () => sumLengths(cut(small)) }, ...(await openPeers(small, encoding))],
      {
        rounds: quick ? 1 : 3,
        progress,
        warmUp: false,
      },
    )
    progress.step('counting every chunk')
    const counts = Array.from(cut(text), (chunk) => encoding.countTokens(chunk.text, plainText))
    const over = counts.filter((count) => count > limit).length
    const mean = counts.reduce((a, b) => a + b, 0) / counts.length
    const [ours, pass, cold] = [timings[0]!.cpu, timings[1]!.cpu, timings[2]!.cpu]
    const rows = [
      ...timings.map(({ name, cpu }) => ({ name, cpu, length: text.length })),
      ...peers.map(({ name, cpu }) => ({ name: `${name} *`, cpu, length: small.length })),
    ].map((row) => ({ ...row, speed: row.length / 1000 / row.cpu }))
    const figures: Figure[] = [
      figure('CPU time against one encoding pass', ours / pass, 'x', '<= 2'),
      figure('CPU time against one encoding pass with its cache emptied first', ours / cold, 'x'),
      figure('chunks over the limit', over, 'chunks', '= 0'),
      figure('chunks', counts.length, 'chunks'),
      figure('tokens in a chunk, mean', mean, 'tokens'),
      ...rows.map(({ name, speed }) => figure(`${name}: speed`, speed, 'MB/s')),
    ]
    return {
      figures,
      table: {
        columns: ['what', 'MB', 'CPU ms', 'MB/s'],
        rows: rows.map(({ name, length, cpu, speed }) => [name, length / 1e6, cpu, speed]),
      },
      notes: [
        `Text: ${(text.length / 1e6).toFixed(1)} MB (10^6 UTF-16 units), ${source}. Limit ${limit} tokens, overlap 0. Every chunk was counted again with gpt-tokenizer.`,
        'gpt-tokenizer keeps the merges of a text it has seen, so its later passes over the same text are faster than a first one; the bar is held against those.',
        `* on the first ${small.length / 1000} kB. LlamaIndex counts cl100k, which is all it knows; chonkie was handed gpt-tokenizer.`,
      ],
      chart: {
        title: 'Cutting to 256 tokens',
        axis: 'MB of text per second of CPU time (longer is better)',
        bars: rows.map(({ name, speed }) => ({
          label: name,
          value: speed,
          note: `${speed.toPrecision(2)} MB/s`,
          ours: name.startsWith('Ashlar'),
        })),
      },
    }
  },
}

async function openPeers(text: string, encoding: Encoding): Promise<Candidate[]> {
  const { RecursiveCharacterTextSplitter } = await loadPeer<LangChain>('@langchain/textsplitters')
  const { MDocument } = await loadPeer<Mastra>('@mastra/rag')
  const llamaIndex = await findPeer('LlamaIndex SentenceSplitter').open()
  const chonkie = await findPeer('chonkie token, cl100k').open()
  return [
    {
      name: 'LangChain recursive, gpt-tokenizer as its counter',
      async run() {
        const lengthFunction = (part: string): number => encoding.countTokens(part, plainText)
        const splitter = new RecursiveCharacterTextSplitter({ chunkSize: limit, chunkOverlap: 0, lengthFunction })
        return (await splitter.splitText(text)).reduce((sum, piece) => sum + piece.length, 0)
      },
    },
    {
      name: 'Mastra token',
      async run() {
        const chunks = await MDocument.fromText(text).chunk({
          strategy: 'token',
          maxSize: limit,
          overlap: 0,
          encodingName: 'o200k_base',
        })
        return sumLengths(chunks)
      },
    },
    { name: 'LlamaIndex sentence', run: async () => sumLengths(await llamaIndex(text, { size: limit, overlap: 0 })) },
    { name: 'chonkie token', run: async () => sumLengths(await chonkie(text, { size: limit, overlap: 0 })) },
  ]
}

function sumLengths(chunks: Iterable<{ readonly text: string }>): number {
  let sum = 0
  for (const chunk of chunks) sum += chunk.text.length
  return sum
}
