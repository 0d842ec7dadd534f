import { chunkMarkdown } from 'ashlar'
import { type Bench, figure } from './harness/bench.ts'
import { interleave } from './harness/interleave.ts'
import { readReadmes } from './inputs/markdown-documents.ts'
import { run as compareBlocks } from './markdown/blocks.ts'
import { loadPeer } from './peers/load.ts'
import { findPeer } from './peers/splitters.ts'

const size = 400
const overlap = 80

interface MdastParser {
  fromMarkdown(text: string): { readonly children: readonly unknown[] }
}

/** Speed on real READMEs beside a splitter that knows separators only and beside a full parse; then what is found, beside the parse. */
export const markdown: Bench = {
  summary: "chunkMarkdown beside LangChain's markdown splitter and a full mdast parse",
  async run({ quick, progress }) {
    progress.step('reading READMEs')
    const documents: string[] = []
    let length = 0
    for (const { text } of readReadmes(500)) {
      if (length > (quick ? 150_000 : 1_500_000)) break
      documents.push(text)
      length += text.length
    }
    const splitMarkdown = await findPeer('LangChain markdown').open()
    const { fromMarkdown } = await loadPeer<MdastParser>('mdast-util-from-markdown')
    const timings = await interleave(
      [
        {
          name: 'Ashlar',
          run() {
            let sum = 0
            for (const text of documents) for (const chunk of chunkMarkdown(text, { size, overlap })) sum += chunk.text.length
            return sum
          },
        },
        {
          name: 'LangChain markdown',
          async run() {
            let sum = 0
            for (const text of documents)
              for (const chunk of await splitMarkdown(text, { size, overlap })) sum += chunk.text.length
            return sum
          },
        },
        {
          name: 'full mdast parse',
          run() {
            let sum = 0
            for (const text of documents) sum += fromMarkdown(text).children.length
            return sum
          },
        },
      ],
      { rounds: quick ? 5 : 9, progress },
    )
    const [ours, langChain, mdast] = timings.map(({ cpu }) => cpu) as [number, number, number]
    progress.step('comparing blocks')
    const blocks = await compareBlocks({ quick })
    return {
      figures: [
        figure("times as fast as LangChain's markdown splitter", langChain / ours, 'x', '>= 1'),
        figure('times as fast as a full mdast parse', mdast / ours, 'x', '>= 40'),
        ...timings.map(({ name, cpu }) => figure(`${name}: CPU time`, cpu, 'ms')),
        ...blocks.figures,
      ],
      table: [
        {
          title: `Speed on ${documents.length} READMEs, ${(length / 1e6).toFixed(1)} MB, ${size} characters with overlap ${overlap}`,
          columns: ['what', 'CPU ms', 'MB/s', 'x Ashlar'],
          rows: timings.map(({ name, cpu }) => [name, cpu, length / 1000 / cpu, cpu / ours]),
        },
        ...(Array.isArray(blocks.table) ? blocks.table : [blocks.table]),
      ],
      ...(blocks.notes === undefined ? {} : { notes: blocks.notes }),
      chart: {
        title: 'Cutting markdown, 400 characters, overlap 80',
        axis: 'MB of text per second of CPU time (longer is better)',
        bars: timings.map(({ name, cpu }) => {
          const speed = length / 1000 / cpu
          return { label: name, value: speed, note: `${speed.toPrecision(2)} MB/s`, ours: name === 'Ashlar' }
        }),
      },
    }
  },
}
