/**
 * Compares the markdown scan with a full parse (mdast-util-from-markdown with tables, formulas, front matter and
 * footnotes): every block's kind, depth, first sign and last line, and the time both take.
 *
 * Part of `npm run bench -- markdown`; alone: `node bench/markdown/blocks.ts`.
 */
import { readFileSync } from 'node:fs'
import { scanMarkdown } from '../../packages/ashlar/src/chunk/markdown-scan.ts'
import { commonmarkExamples } from '../../packages/ashlar/test/chunk/commonmark-examples.ts'
import { type Difference, firstDifference, parseMdast, scannedBlocks } from '../../packages/ashlar/test/chunk/mdast-blocks.ts'
import { type BenchResult, figure, type Table } from '../harness/bench.ts'
import { formatTable, formatVerdicts } from '../harness/format-table.ts'
import { interleave } from '../harness/interleave.ts'
import { readReadmes } from '../inputs/markdown-documents.ts'

interface NamedDifference extends Difference {
  readonly name: string
}

const silent = { step: () => {}, end: () => {} }

/** Counts the blocks that differ and are not on the list of accepted differences, and times the scan beside the parse. */
export async function run({ quick }: { readonly quick: boolean }): Promise<BenchResult & { readonly text: string }> {
  const accepted = readAccepted()
  const examples = commonmarkExamples
  const readmes = readReadmes()
  const compared = [...examples, ...(quick ? readmes.filter((_, index) => index % 10 === 0) : readmes)]
  const different = compared.flatMap(({ name, text }): NamedDifference[] => {
    const difference = firstDifference(text)
    return difference === undefined ? [] : [{ name, ...difference }]
  })
  const unexplained = different.filter(({ name }) => !accepted.has(name))
  const { scan, parse, length } = await time(readmes, quick)
  const blocks = compared.reduce((sum, { text }) => sum + scannedBlocks(text).length, 0)
  const figures = [
    figure('CommonMark examples compared', examples.length, ''),
    // The quick run compares every tenth, so that it stays short; how many there are is no different.
    figure('READMEs found under node_modules', readmes.length, '', '>= 300'),
    figure('blocks compared', blocks, ''),
    figure('accepted block differences', different.length - unexplained.length, ''),
    figure('unexplained block differences', unexplained.length, '', '= 0'),
    figure('block scan: speed', length / 1000 / scan, 'MB/s'),
    figure('mdast parse with extensions: speed', length / 1000 / parse, 'MB/s'),
    figure('block scan, times as fast as that parse', parse / scan, 'x', '>= 40'),
  ]
  const table: Table[] = [
    {
      title: 'Blocks beside those of a full mdast parse',
      columns: ['what', 'texts', 'different', 'accepted'],
      rows: [
        ['CommonMark 0.31 examples', ...count(examples, different, accepted)],
        ['READMEs', ...count(compared.slice(examples.length), different, accepted)],
      ],
    },
    ...(unexplained.length === 0 ? [] : [listDifferences(unexplained)]),
  ]
  const notes = [
    `Each block's kind, depth, first sign and last line is compared; accepted differences and their reasons: bench/markdown/accepted-differences.json. Speeds on ${(length / 1e6).toFixed(1)} MB of READMEs.`,
  ]
  return { figures, table, notes, text: [...table.map(formatTable), ...notes, formatVerdicts(figures)].join('\n\n') }
}

/** The names of the texts whose difference is on the list. */
function readAccepted(): ReadonlySet<string> {
  const file = new URL('./accepted-differences.json', import.meta.url)
  const listed = JSON.parse(readFileSync(file, 'utf8')) as { readonly markdown: string }[]
  const texts = new Set(listed.map(({ markdown }) => markdown))
  return new Set(commonmarkExamples.flatMap(({ name, text }) => (texts.has(text) ? [name] : [])))
}

async function time(
  readmes: readonly { readonly text: string }[],
  quick: boolean,
): Promise<{ scan: number; parse: number; length: number }> {
  const texts: string[] = []
  let length = 0
  for (const { text } of readmes) {
    if (length > (quick ? 150_000 : 1_000_000)) break
    texts.push(text)
    length += text.length
  }
  const timings = await interleave(
    [
      {
        name: 'scan',
        run() {
          let sum = 0
          for (const text of texts) {
            const next = scanMarkdown(text)
            for (let blocks = next(); blocks !== undefined; blocks = next()) sum += blocks.length
          }
          return sum
        },
      },
      { name: 'parse', run: () => texts.reduce((sum, text) => sum + parseMdast(text).children.length, 0) },
    ],
    { rounds: quick ? 5 : 9, progress: silent },
  )
  const [scan, parse] = timings.map(({ cpu }) => cpu) as [number, number]
  return { scan, parse, length }
}

function count(
  texts: readonly { readonly name: string }[],
  different: readonly NamedDifference[],
  accepted: ReadonlySet<string>,
): [number, number, number] {
  const names = new Set(texts.map(({ name }) => name))
  const found = different.filter(({ name }) => names.has(name))
  return [texts.length, found.length, found.filter(({ name }) => accepted.has(name)).length]
}

function listDifferences(differences: readonly NamedDifference[]): Table {
  const describe = (block: Difference['scan']): string =>
    block === undefined ? 'nothing' : `${block.kind}, depth ${block.depth}, lines ${block.firstLine}-${block.lastLine}`
  return {
    title: 'Unexplained differences (the first of each text)',
    columns: ['text', 'scan', 'parse'],
    rows: differences.slice(0, 20).map(({ name, scan, mdast }) => [name, describe(scan), describe(mdast)]),
  }
}

if (import.meta.main) {
  const { text, figures } = await run({ quick: process.argv.includes('--quick') })
  console.log(text)
  if (figures.some(({ ok }) => !ok)) process.exitCode = 1
}
