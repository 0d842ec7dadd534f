import { chunkText, identify } from 'ashlar'
import { chunkByFloor, readOnce } from './floor.ts'
import { type Bench, type ChartBar, type Figure, figure, type Table } from './harness/bench.ts'
import { type Candidate, interleave, type Timing } from './harness/interleave.ts'
import { englishText } from './inputs/english-text.ts'
import { loadPeer } from './peers/load.ts'
import { findPeer, type PeerChunk } from './peers/splitters.ts'

const size = 400
const overlap = 80

interface ChonkieChunk {
  init(): Promise<void>
  chunk(text: string, options: { readonly size: number }): Iterable<string>
}

interface MastraDocuments {
  MDocument: { fromText(text: string): { chunk(options: Record<string, unknown>): Promise<{ readonly text: string }[]> } }
}

/** Plain text at the settings of `numbers-to-beat`: Ashlar, the peers and the floor, all in one run. */
export const split: Bench = {
  summary: 'plain text, 400 characters with overlap 80',
  async run({ quick, progress }) {
    progress.step('making the text')
    const { text, source } = englishText(quick ? 2_000_000 : 15_000_000)
    const small = text.slice(0, quick ? 100_000 : 300_000)
    const { fast, slow } = await openCandidates(text, small)
    const timings = await interleave(fast, { rounds: quick ? 3 : 7, progress })
    // What is quadratic is run on a small part, once: its figure is a lower bound of what the whole text would take.
    const parts = await interleave(slow, { rounds: quick ? 1 : 3, progress, warmUp: false })
    const extrapolated = parts.map((timing) => ({ ...timing, cpu: (timing.cpu * text.length) / small.length }))
    const cpu = (name: string): number => timings.find((timing) => timing.name === name)!.cpu
    const floor = cpu('bounded-search floor')
    const ours = cpu('Ashlar')
    const figures: Figure[] = [
      figure('times as fast as LangChain recursive', cpu('LangChain recursive') / ours, 'x', '>= 15'),
      figure('times as fast as @chonkiejs/chunk', cpu('@chonkiejs/chunk, no overlap') / ours, 'x', '>= 1'),
      figure('CPU time against the bounded-search floor', ours / floor, 'x', '<= 2'),
      figure('CPU time with ids against the bounded-search floor', cpu('Ashlar with ids') / floor, 'x', '<= 4'),
      ...[...timings, ...extrapolated].map(({ name, cpu }) => figure(`${name}: CPU time`, cpu, 'ms')),
      ...[...timings, ...extrapolated].map(({ name, cpu }) => figure(`${name}: speed`, text.length / 1000 / cpu, 'MB/s')),
    ]
    return {
      figures,
      table: toTable(text.length, timings, extrapolated, floor),
      notes: [
        `Text: ${(text.length / 1e6).toFixed(1)} MB (10^6 UTF-16 units), ${source}. Limit ${size} characters, overlap ${overlap}. CPU time, median of ${timings[0]!.rounds.length} interleaved rounds.`,
        `* measured on ${small.length / 1000} kB and multiplied: a lower bound, since these grow faster than their input.`,
      ],
      chart: {
        title: 'Cutting plain text, 400 characters, overlap 80',
        axis: 'MB of text per second of CPU time (longer is better)',
        bars: [
          ...timings.filter(({ name }) => name !== 'one pass of charCodeAt').map((t) => toBar(text.length, t)),
          ...extrapolated.map((t) => toBar(text.length, t)),
        ],
      },
    }
  },
}

async function openCandidates(text: string, small: string): Promise<{ fast: Candidate[]; slow: Candidate[] }> {
  const chonkieChunk = await loadPeer<ChonkieChunk>('@chonkiejs/chunk')
  await chonkieChunk.init()
  const { MDocument } = await loadPeer<MastraDocuments>('@mastra/rag')
  const fast: Candidate[] = [
    { name: 'Ashlar', run: () => sumLengths(chunkText(text, { size, overlap })) },
    { name: 'Ashlar with ids', run: () => sumLengths(identify(chunkText(text, { size, overlap }), { document: 'bench' }), true) },
    { name: 'bounded-search floor', run: () => sumLengths(chunkByFloor(text, size, overlap)) },
    { name: 'one pass of charCodeAt', run: () => readOnce(text) },
    {
      name: '@chonkiejs/chunk, no overlap',
      run() {
        let sum = 0
        for (const piece of chonkieChunk.chunk(text, { size })) sum += piece.length
        return sum
      },
    },
    await openPeer('chonkie sentence', text),
    await openPeer('chonkie recursive', text, 'chonkie recursive, no overlap'),
    {
      name: 'Mastra recursive, no positions',
      async run() {
        const chunks = await MDocument.fromText(text).chunk({ strategy: 'recursive', maxSize: size, overlap })
        return sumLengths(chunks)
      },
    },
    await openPeer('LangChain recursive', text),
  ]
  const slow: Candidate[] = [
    await openPeer('Mastra recursive', small, 'Mastra recursive, with positions *'),
    await openPeer('LlamaIndex SentenceSplitter', small, 'LlamaIndex sentence, 100 tokens *', { size: 100, overlap: 20 }),
    await openPeer('chonkie token', small, 'chonkie token *'),
  ]
  return { fast, slow }
}

async function openPeer(id: string, text: string, name = id, options = { size, overlap }): Promise<Candidate> {
  const splitText = await findPeer(id).open()
  return { name, run: async () => sumLengths(await splitText(text, options)) }
}

/** Touches every chunk; with `ids` also every id. */
function sumLengths(chunks: Iterable<PeerChunk & { readonly id?: string }>, ids = false): number {
  let sum = 0
  for (const chunk of chunks) sum += chunk.text.length + (ids ? chunk.id!.length : 0)
  return sum
}

function toTable(length: number, timings: readonly Timing[], extrapolated: readonly Timing[], floor: number): Table {
  return {
    columns: ['splitter', 'CPU ms', 'MB/s', 'x floor'],
    rows: [...timings, ...extrapolated].map(({ name, cpu }) => [name, cpu, length / 1000 / cpu, cpu / floor]),
  }
}

function toBar(length: number, { name, cpu }: Timing): ChartBar {
  const speed = length / 1000 / cpu
  return {
    label: name,
    value: speed,
    note: `${speed >= 10 ? speed.toFixed(0) : speed.toFixed(2)} MB/s`,
    ours: name.startsWith('Ashlar'),
  }
}
