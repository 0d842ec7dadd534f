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
    const candidates: Candidate[] = [
      { name: 'Ashlar', ids: ashlarIds },
      { name: 'Ashlar, nearest', ids: (document) => ashlarIds(document, 'nearest') },
      { name: 'LangChain recursive', ids: await peerIds('LangChain recursive') },
      { name: 'LangChain markdown', ids: await peerIds('LangChain markdown') },
      { name: 'chonkie sentence', ids: await peerIds('chonkie sentence') },
    ]
    // Quadratic: a thousand edits would take it hours, so it is asked about the five words only.
    const slow: Candidate = { name: 'chonkie token', ids: await peerIds('chonkie token') }
    const five = await exchangeInThreeForms([...candidates, slow], options)
    const random = await editFifty(candidates, options)
    return {
      figures: [...five.figures, ...random.figures],
      table: [five.table, random.table],
      notes: [
        "Ashlar with its default options. Peers at the same size and overlap (1,000 and 200 characters); a peer's id is the hash of the chunk's text.",
      ],
      chart: {
        title: `Chunks to embed again after an edit: mean of ${options.quick ? 200 : '1,000'} random edits`,
        axis: 'new chunk ids (shorter is better)',
        bars: random.table.rows.filter(([, format]) => format === 'all').map(toBar),
        limit: { value: 3, label: 'bar: 3' },
      },
    }
  },
}

interface Candidate {
  readonly name: string
  readonly ids: Ids
}

interface Part {
  readonly figures: readonly Figure[]
  readonly table: Table
}

/** Five words at three places of a document in each format. */
async function exchangeInThreeForms(candidates: readonly Candidate[], { progress }: BenchOptions): Promise<Part> {
  progress.step('five words in one document')
  const forms = await readThreeForms()
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
  const names = forms.map(({ name, text }) => `${name} (${(text.length / 1000).toFixed(0)} kB)`)
  const title = `Five words changed, new ids: ${names.join(', ')}`
  return {
    figures,
    table: { title, columns: ['format', 'splitter', 'chunks', ...shares.map((share) => `at ${share * 100} %`)], rows },
  }
}

/** The same random edits for every candidate, each against the unedited document. */
async function editFifty(candidates: readonly Candidate[], { quick, progress }: BenchOptions): Promise<Part> {
  const documents = await readFifty()
  const total = quick ? 200 : 1000
  const random = openRandom(seed)
  const edited = Array.from({ length: total }, (_, i) => editAtRandom(random, documents[i % documents.length]!))
  const rows: (string | number)[][] = []
  const figures: Figure[] = []
  for (const { name, ids } of candidates) {
    const before: (readonly string[])[] = []
    for (const document of documents) before.push(await ids(document))
    const changes: { readonly format: string; readonly changed: number }[] = []
    for (const [i, text] of edited.entries()) {
      progress.step(`random edits: ${name}`, i, total)
      const document = documents[i % documents.length]!
      changes.push({
        format: document.format,
        changed: countNew(before[i % documents.length]!, await ids({ ...document, text })),
      })
    }
    for (const format of name === 'Ashlar' ? ['all', 'plain', 'markdown', 'html'] : ['all']) {
      const values = changes.filter((change) => format === 'all' || change.format === format).map(({ changed }) => changed)
      rows.push([name, format, values.length, mean(values), ...[0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))])
      const bars = name === 'Ashlar' && format === 'all'
      const label = `${name}, random edits${format === 'all' ? '' : `, ${format}`}: ids changed`
      figures.push(
        figure(`${label}, mean`, mean(values), 'ids', bars ? '<= 3' : null),
        figure(`${label}, 95th percentile`, percentile(values, 0.95), 'ids', bars ? '<= 6' : null),
      )
    }
  }
  const title = `${total} random edits over ${documents.length} documents, seed ${seed}: new ids`
  return { figures, table: { title, columns: ['splitter', 'format', 'edits', 'mean', 'median', '95 %', '99 %', 'most'], rows } }
}

function toBar(row: readonly (string | number)[]): ChartBar {
  const [name, value, ninetyFive] = [String(row[0]), Number(row[3]), row[5]]
  return { label: name, value, note: `${value.toFixed(1)}  (95 %: ${ninetyFive})`, ours: name.startsWith('Ashlar') }
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
