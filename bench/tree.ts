import { chunk, type Format, identify, markdown, plain } from 'ashlar'
import { buildTree } from 'ashlar/tree'
import { type Bench, figure } from './harness/bench.ts'
import { interleave } from './harness/interleave.ts'
import { englishText } from './inputs/english-text.ts'
import { markdownText } from './inputs/structured-text.ts'

const child = 300

/** The whole tree, three levels with ids, against cutting its children alone. */
export const tree: Bench = {
  summary: 'building sections, parents and children with ids, against cutting the children alone',
  async run({ quick, progress }) {
    const size = quick ? 1_000_000 : 8_000_000
    const inputs: readonly { readonly name: string; readonly format: Format; readonly texts: readonly string[] }[] = [
      { name: 'plain', format: plain, texts: split(englishText(size).text) },
      { name: 'markdown', format: markdown, texts: split(markdownText(size)) },
    ]
    const rows: (string | number)[][] = []
    const figures = []
    for (const { name, format, texts } of inputs) {
      const timings = await interleave(
        [
          { name: 'the cut alone', run: () => sum(texts, (text) => count(chunk(text, { format, size: child, overlap: 0 }))) },
          {
            name: 'the cut with ids',
            run: () => sum(texts, (text) => count(identify(chunk(text, { format, size: child, overlap: 0 })))),
          },
          { name: 'the tree', run: () => sum(texts, (text) => buildTree(text, { format, child }).children.length) },
        ],
        { rounds: quick ? 3 : 7, progress },
      )
      const total = texts.reduce((length, text) => length + text.length, 0)
      const [cut, withIds, whole] = timings.map(({ cpu }) => cpu) as [number, number, number]
      figures.push(
        figure(`${name}: CPU time of the tree against the cut alone`, whole / cut, 'x', '<= 3'),
        figure(`${name}: CPU time of the cut with ids against the cut alone`, withIds / cut, 'x'),
        figure(`${name}: speed of the tree`, total / 1000 / whole, 'MB/s'),
      )
      for (const timing of timings) {
        rows.push([
          name,
          timing.name,
          timing.output,
          timing.cpu.toFixed(1),
          (total / 1000 / timing.cpu).toFixed(1),
          (timing.cpu / cut).toFixed(2),
        ])
      }
    }
    return {
      figures,
      table: { columns: ['text', 'what', 'children', 'CPU ms', 'MB/s', 'against the cut'], rows },
      notes: [
        `${(size / 1e6).toFixed(0)} MB of each text as documents of about 50 kB; children of ${child} characters, parents of 800, sections of 2,400. Median of interleaved rounds.`,
      ],
    }
  },
}

/** Documents of about 50 kB, ended at a blank line. */
function split(text: string): string[] {
  const texts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n\n', start + 50_000)
    texts.push(text.slice(start, end === -1 ? text.length : end))
    start = end === -1 ? text.length : end + 2
  }
  return texts
}

function sum(texts: readonly string[], run: (text: string) => number): number {
  return texts.reduce((total, text) => total + run(text), 0)
}

function count(chunks: Iterable<unknown>): number {
  let counted = 0
  for (const _ of chunks) counted++
  return counted
}
