import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sentences as findSentences } from 'ashlar'
import { isTerminator, sentenceEndAt } from '../../packages/ashlar/src/text/sentence.ts'
import { type Bench, type Figure, figure, type Table } from '../harness/bench.ts'
import { interleave } from '../harness/interleave.ts'
import { englishText } from '../inputs/english-text.ts'
import { loadPeer, peerVersion } from '../peers/load.ts'

interface Case {
  readonly id: string
  readonly language: string
  readonly phenomenon: string
  readonly text: string
  /** Without the white space between them. */
  readonly sentences: readonly string[]
}

/** The three files, and what they were when they were written; see README.md of this folder. */
const files = [
  {
    name: 'frozen',
    path: 'cases.json',
    hash: 'e98238c310631bae1ae7a8c2ce5b7d29b5d776203589ba7b24219d59063bb4f2',
  },
  {
    name: 'held out',
    path: 'held-out.json',
    hash: '420e5c76a4f51a2a66c558e4e0203a1ff7c583c1bfb88da8645f48b91d1cc9b5',
  },
  {
    name: 'held out, second',
    path: 'held-out-2.json',
    hash: '7f9991c98e52ef7283837b76b43ccf18d137a073944bd8aa169daeb39f7484fc',
  },
] as const

interface Segmenter {
  readonly name: string
  readonly split: (text: string, language: string) => readonly string[]
}

interface Sentencex {
  initSync(options: { readonly module: Uint8Array }): unknown
  segment(language: string, text: string): string[]
}

/** Exact matches on cases that were frozen before the rules were written, beside the runtime's segmenter and sentencex. */
export const sentences: Bench = {
  summary: 'sentence ends against frozen cases in many languages, beside Intl.Segmenter and sentencex',
  async run({ quick, progress }) {
    const segmenters = await openSegmenters()
    const figures: Figure[] = []
    const tables: Table[] = []
    for (const { name, path, hash } of files) {
      progress.step(`${name} cases`)
      const cases = readCases(path, hash)
      const results = segmenters.map((segmenter) => ({ segmenter, exact: cases.filter((one) => isExact(segmenter, one)) }))
      for (const { segmenter, exact } of results) {
        const bar = name === 'frozen' && segmenter.name === 'Ashlar' ? '>= 95' : null
        figures.push(figure(`${name}, exact: ${segmenter.name}`, (100 * exact.length) / cases.length, '%', bar))
      }
      if (name === 'frozen') {
        figures.push(
          figure('frozen cases', cases.length, 'cases', '>= 300'),
          figure('languages', new Set(cases.map(({ language }) => language)).size, 'languages', '>= 14'),
          ...perLanguage(cases, results[0]!.exact),
        )
        tables.push(toTable(cases, results))
        tables.push(listMisses(cases, results[0]!.exact))
      }
    }
    const speed = await measureSpeed(segmenters, quick, progress)
    return {
      figures: [...figures, ...speed.figures],
      table: tables,
      notes: [
        `Exact: all sentences of a case, no more and no fewer. Each segmenter is told the language, Ashlar is not. Intl.Segmenter of ICU ${process.versions['icu']}; sentencex-wasm ${await peerVersion('sentencex-wasm')}.`,
        'Held-out cases were written after the rules and run once before anything was changed; bench/sentences/README.md has those first figures.',
        speed.note,
      ],
      chart: {
        title: 'Sentences: exact matches on the frozen cases',
        axis: 'share of cases that come out exactly, in % (longer is better)',
        bars: figures
          .filter(({ name }) => name.startsWith('frozen, exact'))
          .map(({ name, value }) => ({ label: name.slice('frozen, exact: '.length), value, ours: name.endsWith('Ashlar') })),
        limit: { value: 95, label: '95 %' },
      },
    }
  },
}

async function openSegmenters(): Promise<Segmenter[]> {
  const name = 'sentencex-wasm'
  const sentencex = await loadPeer<Sentencex>(name)
  sentencex.initSync({ module: readFileSync(new URL(`../peers/node_modules/${name}/sentencex_wasm_bg.wasm`, import.meta.url)) })
  const known = new Map<string, Intl.Segmenter>()
  return [
    { name: 'Ashlar', split: (text) => [...findSentences(text)].map(({ start, end }) => text.slice(start, end)) },
    {
      name: 'Intl.Segmenter',
      split(text, language) {
        const segmenter = known.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
        known.set(language, segmenter)
        return [...segmenter.segment(text)].map(({ segment }) => segment)
      },
    },
    { name: 'sentencex', split: (text, language) => sentencex.segment(language, text) },
  ]
}

function readCases(path: string, hash: string): readonly Case[] {
  const bytes = readFileSync(new URL(path, import.meta.url))
  if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new Error(`${path} is frozen, but has changed`)
  return JSON.parse(bytes.toString('utf8')) as Case[]
}

/** White space between sentences is nobody's business, and pieces that hold nothing else are not sentences. */
function isExact(segmenter: Segmenter, { text, language, sentences }: Case): boolean {
  const found = segmenter
    .split(text, language)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
  return found.length === sentences.length && found.every((sentence, index) => sentence === sentences[index])
}

function perLanguage(cases: readonly Case[], exact: readonly Case[]): Figure[] {
  return languagesOf(cases).map((language) => {
    const all = cases.filter((one) => one.language === language).length
    return figure(`frozen, exact, ${language}`, (100 * exact.filter((one) => one.language === language).length) / all, '%')
  })
}

function languagesOf(cases: readonly Case[]): string[] {
  return [...new Set(cases.map(({ language }) => language))]
}

function toTable(
  cases: readonly Case[],
  results: readonly { readonly segmenter: Segmenter; readonly exact: readonly Case[] }[],
): Table {
  const row = (label: string, of: readonly Case[]): (string | number)[] => [
    label,
    of.length,
    ...results.map(({ exact }) => of.filter((one) => exact.includes(one)).length),
  ]
  return {
    title: 'Cases that come out exactly',
    columns: ['language', 'cases', ...results.map(({ segmenter }) => segmenter.name)],
    rows: [
      row('all', cases),
      ...languagesOf(cases).map((language) =>
        row(
          language,
          cases.filter((one) => one.language === language),
        ),
      ),
    ],
  }
}

function listMisses(cases: readonly Case[], exact: readonly Case[]): Table {
  return {
    title: 'What Ashlar misses',
    columns: ['case', 'phenomenon', 'text'],
    rows: cases.filter((one) => !exact.includes(one)).map(({ id, phenomenon, text }) => [id, phenomenon, JSON.stringify(text)]),
  }
}

async function measureSpeed(
  segmenters: readonly Segmenter[],
  quick: boolean,
  progress: Parameters<Bench['run']>[0]['progress'],
): Promise<{ readonly figures: Figure[]; readonly note: string }> {
  const { text, source } = englishText(quick ? 1_000_000 : 5_000_000)
  const marks: number[] = []
  for (let at = 0; at < text.length; at++) if (isTerminator(text.charCodeAt(at))) marks.push(at)
  const timings = await interleave(
    [
      {
        name: 'one pass of charCodeAt',
        run() {
          let sum = 0
          for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
          return sum
        },
      },
      {
        name: 'isTerminator',
        run() {
          let count = 0
          for (let at = 0; at < text.length; at++) if (isTerminator(text.charCodeAt(at))) count++
          return count
        },
      },
      {
        name: 'sentenceEndAt',
        run() {
          let ends = 0
          for (const at of marks) if (sentenceEndAt(text, at) !== -1) ends++
          return ends
        },
      },
      ...segmenters.map(({ name, split }) => ({ name, run: () => split(text, 'en').length })),
    ],
    { rounds: quick ? 3 : 7, progress },
  )
  const cpu = (name: string): number => timings.find((timing) => timing.name === name)!.cpu
  const perUnit = (name: string, units: number): number => (cpu(name) * 1e6) / units
  return {
    figures: [
      figure('one pass of charCodeAt', perUnit('one pass of charCodeAt', text.length), 'ns per code unit'),
      figure('isTerminator', perUnit('isTerminator', text.length), 'ns per code unit'),
      figure('sentenceEndAt', perUnit('sentenceEndAt', marks.length), 'ns per mark'),
      figure(
        'sentenceEndAt against reading one code unit',
        perUnit('sentenceEndAt', marks.length) / perUnit('one pass of charCodeAt', text.length),
        'x',
        '<= 200',
      ),
      ...segmenters.map(({ name }) => figure(`all sentences: ${name}`, text.length / 1000 / cpu(name), 'MB/s')),
    ],
    note: `Speed on ${(text.length / 1e6).toFixed(1)} MB, ${source}, ${marks.length} marks; CPU time, median of ${timings[0]!.rounds.length} interleaved rounds.`,
  }
}
