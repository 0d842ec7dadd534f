import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { citePlace, type LoadedDocument, placeOf } from 'ashlar/ingest'
import { loaderPool } from 'ashlar/node'
import { type Bench, figure } from '../harness/bench.ts'
import { commonLength } from './common-length.ts'

/** What a file was made from, and where its markers stand, as the script that made it wrote down. */
interface Expected {
  readonly source: string
  readonly places: Readonly<Record<string, string>>
  readonly title?: string
  readonly language?: string
  readonly encoding?: string
}

interface Outcome {
  readonly name: string
  readonly loader: string
  readonly characters: number
  readonly recovered: number
  /** Characters of the loaded text that the source does not have, marks of markdown aside. */
  readonly added: number
  readonly places: number
  readonly wrong: readonly string[]
  readonly milliseconds: number
}

const files = new URL('./files/', import.meta.url)
const expectations = new URL('./expected/', import.meta.url)

/** Files made by the programs that people use, read back: how much of their text comes out, and whether citations open at the right place. */
export const loaders: Bench = {
  summary:
    'files of LibreOffice, pandoc, Chromium, Jupyter and others: text recovered, citations at the right page, cell, paragraph or line',
  async run({ quick, progress }) {
    const all = readdirSync(fileURLToPath(files)).toSorted()
    const names = quick ? all.filter((_, index) => index % 4 === 0) : all
    const outcomes: Outcome[] = []
    await using pool = loaderPool()
    for (const [index, name] of names.entries()) {
      progress.step('files read', index, names.length)
      const started = performance.now()
      const [document] = await pool.load({ name, bytes: new Uint8Array(readFileSync(new URL(name, files))) })
      if (document === undefined) throw new Error(`${name} gave no document`)
      outcomes.push(judge(name, document, performance.now() - started))
    }
    return result(outcomes)
  },
}

function judge(name: string, document: LoadedDocument, milliseconds: number): Outcome {
  const expected = JSON.parse(readFileSync(new URL(`${name}.json`, expectations), 'utf8')) as Expected
  const source = folded(expected.source)
  const loaded = folded(readable(document))
  const common = commonLength(source, loaded)
  const wrong = Object.entries(expected.places).flatMap(([marker, place]) => {
    const at = document.text.indexOf(marker)
    const found = at < 0 ? 'nowhere' : citePlace(placeOf(document.positions, document.text, at))
    return found === place ? [] : [`${marker}: ${found} instead of ${place}`]
  })
  const said = (['title', 'language', 'encoding'] as const).flatMap((what) => {
    const found = what === 'language' ? document.language?.code : document[what]
    return expected[what] === undefined || found === expected[what] ? [] : [`${what} ${found} instead of ${expected[what]}`]
  })
  return {
    name,
    loader: document.loader,
    characters: source.length,
    recovered: common,
    added:
      loaded.replace(/[|#\-*`\\_>\d.[\]^:]/g, '').length - folded(expected.source).replace(/[|#\-*`\\_>\d.[\]^:]/g, '').length,
    places: Object.keys(expected.places).length,
    wrong: [...wrong, ...said],
    milliseconds,
  }
}

/** White space does not count, on either side: files fold and break lines as they like. */
function folded(text: string): string {
  return text.replace(/\s+/gu, '')
}

/** The text that a reader sees, for formats that keep their source. */
function readable({ text, format }: LoadedDocument): string {
  if (format !== 'html') return text
  const visible = text.replace(/<(style|script|title)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<[^>]*>/gi, ' ')
  return visible.replace(
    /&(amp|lt|gt|quot|nbsp|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' })[name as string] ?? "'",
  )
}

function result(outcomes: readonly Outcome[]): Awaited<ReturnType<Bench['run']>> {
  const kinds = [...new Set(outcomes.map(({ loader }) => loader))].toSorted()
  const sum = (of: readonly Outcome[], value: (outcome: Outcome) => number): number =>
    of.reduce((total, each) => total + value(each), 0)
  const share = (of: readonly Outcome[]): number =>
    (sum(of, ({ recovered }) => recovered) / sum(of, ({ characters }) => characters)) * 100
  const worst = outcomes.toSorted((one, other) => share([one]) - share([other]))[0] as Outcome
  const wrong = outcomes.flatMap(({ name, wrong }) => wrong.map((what) => `${name}: ${what}`))
  return {
    figures: [
      figure('files', outcomes.length, 'files', outcomes.length < 40 ? null : '>= 60'),
      figure('loaders', kinds.length, 'loaders', '= 10'),
      figure('text recovered, all files', share(outcomes), '%', '>= 99'),
      figure(`text recovered, worst file (${worst.name})`, share([worst]), '%', '>= 99'),
      figure(
        'places checked',
        sum(outcomes, ({ places }) => places),
        'places',
      ),
      figure('citations, titles, languages and encodings that are wrong', wrong.length, 'of them', '= 0'),
      ...kinds.map((kind) => figure(`text recovered, ${kind}`, share(outcomes.filter(({ loader }) => loader === kind)), '%')),
    ],
    table: {
      columns: ['loader', 'files', 'characters', 'recovered %', 'worst file %', 'added %', 'places', 'wrong', 'ms a file'],
      rows: kinds.map((kind) => {
        const own = outcomes.filter(({ loader }) => loader === kind)
        return [
          kind,
          own.length,
          sum(own, ({ characters }) => characters),
          share(own).toFixed(2),
          Math.min(...own.map((each) => share([each]))).toFixed(2),
          (
            (Math.max(
              0,
              sum(own, ({ added }) => added),
            ) /
              sum(own, ({ characters }) => characters)) *
            100
          ).toFixed(2),
          sum(own, ({ places }) => places),
          sum(own, ({ wrong }) => wrong.length),
          (sum(own, ({ milliseconds }) => milliseconds) / own.length).toFixed(0),
        ]
      }),
    },
    notes: [
      'Recovered: length of the longest common subsequence of the text that the file was made from and the text that was loaded, in characters without white space, as a share of the former. Added: characters that only the loaded text has, without marks of markdown and digits, net.',
      'Places come from other programs than ours: pdftotext for pages, the XML of the document for paragraphs, the writer of the sheet for cells, the lines of the file. Where bench/loaders/make-files.py wrote down title, language or encoding, those are checked too.',
      ...wrong.slice(0, 40),
      ...outcomes
        .filter((outcome) => share([outcome]) < 99)
        .map((outcome) => `${outcome.name}: ${share([outcome]).toFixed(2)} % recovered`),
    ],
  }
}
