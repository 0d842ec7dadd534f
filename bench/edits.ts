import { createHash } from 'node:crypto'
import { chunkMarkdown, chunkText, identify } from 'ashlar'
import { chunkHtml } from 'ashlar/html'
import { type Bench, type BenchOptions, type ChartBar, type Figure, figure, type Table } from './harness/bench.ts'
import { percentile } from './harness/interleave.ts'
import { editAtRandom, exchangeFiveWords } from './inputs/edit.ts'
import { type EditedDocument, readFifty, readThreeForms } from './inputs/edited-documents.ts'
import { openRandom } from './inputs/random.ts'
import { findPeer } from './peers/splitters.ts'

type Ids = (document: EditedDocument) => readonly string[] | Promise<readonly string[]>

const chunkers = { plain: chunkText, markdown: chunkMarkdown, html: chunkHtml }
const shares = [0.08, 0.5, 0.92]
const seed = 2026

/** How many chunks have to be embedded again after an edit, counted by their ids. */
export const edits: Bench = {
  summary: 'how many chunk ids change when a document is edited',
  async run(options) {
    const five = await exchangeInThreeForms(options)
    const random = await editFifty(options)
    return {
      figures: [...five.figures, ...random.figures],
      table: [five.table, random.table],
      notes: [
        "Ashlar with its default options. Peers at the same size and overlap (1,000 and 200 characters); a peer's id is the hash of the chunk's text.",
      ],
      chart: {
        title: 'Chunks to embed again after five words changed (markdown, worst of three places)',
        axis: 'new chunk ids (shorter is better)',
        bars: five.table.rows.filter(([format]) => format === 'markdown').map(toBar),
        limit: { value: 3, label: 'bar: 3' },
      },
    }
  },
}

interface Part {
  readonly figures: readonly Figure[]
  readonly table: Table
}

/** Five words at three places of one document in three formats; peers beside. */
async function exchangeInThreeForms({ progress }: BenchOptions): Promise<Part> {
  progress.step('five words in one document')
  const forms = await readThreeForms()
  const candidates: { readonly name: string; readonly ids: Ids }[] = [
    { name: 'Ashlar', ids: ashlarIds },
    { name: 'Ashlar, nearest', ids: (document) => ashlarIds(document, 'nearest') },
    { name: 'LangChain recursive', ids: await peerIds('LangChain recursive') },
    { name: 'LangChain markdown', ids: await peerIds('LangChain markdown') },
    { name: 'chonkie sentence', ids: await peerIds('chonkie sentence') },
  ]
  const rows: (string | number)[][] = []
  const figures: Figure[] = []
  for (const form of forms) {
    for (const { name, ids } of candidates) {
      const before = await ids(form)
      const changes: number[] = []
      for (const share of shares) {
        const changed = countNew(before, await ids({ ...form, text: exchangeFiveWords(form.text, share) }))
        changes.push(changed)
        const bar = name === 'Ashlar' ? ('<= 3' as const) : null
        figures.push(figure(`${name}, ${form.format}: ids changed by five words at ${share * 100} %`, changed, 'ids', bar))
      }
      rows.push([form.format, name, before.length, ...changes])
    }
  }
  const { name, text } = forms[0]!
  const title = `Five words changed in ${name}, ${(text.length / 1000).toFixed(0)} kB: new ids`
  return {
    figures,
    table: { title, columns: ['format', 'splitter', 'chunks', ...shares.map((share) => `at ${share * 100} %`)], rows },
  }
}

/** Random edits, one after the other, each against the unedited document. */
async function editFifty({ quick, progress }: BenchOptions): Promise<Part> {
  const documents = await readFifty()
  const total = quick ? 200 : 1000
  const random = openRandom(seed)
  const ids = documents.map((document) => ashlarIds(document))
  const changes: { readonly format: string; readonly changed: number }[] = []
  for (let i = 0; i < total; i++) {
    const which = i % documents.length
    const document = documents[which]!
    progress.step(`random edits: ${document.format}`, i, total)
    const after = ashlarIds({ ...document, text: editAtRandom(random, document) })
    changes.push({ format: document.format, changed: countNew(ids[which]!, after) })
  }
  const groups = ['all', 'plain', 'markdown', 'html'].map((format) => ({
    format,
    values: changes.filter((change) => format === 'all' || change.format === format).map(({ changed }) => changed),
  }))
  const all = groups[0]!.values
  return {
    figures: [
      figure('random edits: ids changed, mean', mean(all), 'ids', '<= 3'),
      figure('random edits: ids changed, 95th percentile', percentile(all, 0.95), 'ids', '<= 6'),
      figure('random edits: ids changed, most', Math.max(...all), 'ids'),
      ...groups.slice(1).map(({ format, values }) => figure(`random edits, ${format}: ids changed, mean`, mean(values), 'ids')),
    ],
    table: {
      title: `${total} random edits over ${documents.length} documents, seed ${seed}: new ids`,
      columns: ['format', 'edits', 'mean', 'median', '95 %', '99 %', 'most'],
      rows: groups.map(({ format, values }) => [
        format,
        values.length,
        mean(values),
        percentile(values, 0.5),
        percentile(values, 0.95),
        percentile(values, 0.99),
        Math.max(...values),
      ]),
    },
  }
}

function toBar([, name, count, ...found]: readonly (string | number)[]): ChartBar {
  const worst = Math.max(...(found as number[]))
  return { label: String(name), value: worst, note: `${worst} of ${count}`, ours: String(name).startsWith('Ashlar') }
}

function ashlarIds({ format, text }: EditedDocument, choose: 'stable' | 'nearest' = 'stable'): string[] {
  return Array.from(identify(chunkers[format](text, { choose }), { document: 'edited' }), ({ id }) => id)
}

async function peerIds(id: string): Promise<Ids> {
  const splitText = await findPeer(id).open()
  return async ({ text }) => {
    const chunks = await splitText(text, { size: 1000, overlap: 200 })
    return chunks.map((chunk) => createHash('sha256').update(chunk.text).digest('hex'))
  }
}

function countNew(before: readonly string[], after: readonly string[]): number {
  const known = new Set(before)
  return after.filter((id) => !known.has(id)).length
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}
