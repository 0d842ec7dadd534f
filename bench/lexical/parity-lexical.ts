import type { Store } from 'ashlar/stores'
import { type Bench, type Figure, figure } from '../harness/bench.ts'
import type { Progress } from '../harness/progress.ts'
import { readChromaQuestions } from '../inputs/chroma-questions.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import { readParagraphQuestions } from '../inputs/paragraph-questions.ts'
import { readSciFact, readSciFactClaims } from '../inputs/scifact.ts'
import { type StoreKind, storeKinds } from './open-stores.ts'
import { allLimits, bestChildren, bestDocuments, putTexts, usualLimits, type WordHit } from './rank-documents.ts'

/** Paragraph R@1 of the best of four plain analysers in each language of XQuAD, chosen by someone who knows the language. */
const floors: Readonly<Record<string, number>> = {
  ar: 0.897,
  de: 0.915,
  el: 0.887,
  en: 0.919,
  es: 0.907,
  hi: 0.915,
  ro: 0.918,
  ru: 0.897,
  th: 0.935,
  tr: 0.89,
  vi: 0.919,
  zh: 0.932,
}

const top = 20

/** One analyser in twelve languages, and the same lexical ranking from every store. */
export const parityLexical: Bench = {
  summary: 'one analyser in twelve languages, and the same lexical ranking from every store',
  async run({ quick, progress }) {
    const languages = quick ? ['ar', 'en', 'th', 'tr'] : Object.keys(floors)
    const found: { readonly language: string; readonly share: number }[] = []
    const kinds = await storeKinds()
    try {
      for (const language of languages) {
        progress.step(`XQuAD ${language}`, found.length, languages.length)
        found.push({ language, share: await findParagraphs(kinds[0]!, language, quick ? 200 : Number.POSITIVE_INFINITY) })
      }
      const figures: Figure[] = found.map(({ language, share }) =>
        figure(
          `XQuAD ${language}: paragraph R@1`,
          share,
          '',
          quick ? null : `>= ${Number((floors[language]! - 0.01).toFixed(3))}`,
        ),
      )
      const mean = found.reduce((sum, { share }) => sum + share, 0) / found.length
      figures.push(figure('XQuAD: mean paragraph R@1', mean, '', quick ? null : '>= 0.91'))
      const parity = await compareStores(kinds, quick, progress)
      return {
        figures: [...figures, ...parity.figures],
        table: [
          {
            title: 'Paragraph R@1, one analyser that is not told the language',
            columns: ['language', 'R@1', 'best floor', 'difference'],
            rows: found.map(({ language, share }) => [
              language,
              share.toFixed(3),
              floors[language]!.toFixed(3),
              (share - floors[language]!).toFixed(3),
            ]),
          },
          { title: 'The same ranking from every store', columns: parity.columns, rows: parity.rows },
        ],
        notes: [
          'Text is ranked by the sum of BM25 of child, parent, section and document; a document counts as its best child.',
          'The weight of grams was set on the questions of every other XQuAD article, on half of the training claims of SciFact and on half of the questions of Chroma; nothing was set on the test claims of SciFact.',
          'Exhaustive: every document that holds a term nominates all of its children. Usual: 100 children, 100 parents, 20 sections, 20 documents.',
        ],
      }
    } finally {
      for (const kind of kinds) await kind.end()
    }
  },
}

async function findParagraphs(kind: StoreKind, language: string, most: number): Promise<number> {
  const set = readParagraphQuestions(language)
  if (set === null) return Number.NaN
  const store = await kind.open(`xquad ${language}`)
  await putTexts(
    store,
    set.paragraphs.map((text, id) => ({ id: String(id), text })),
  )
  const questions = set.questions.slice(0, most)
  let right = 0
  for (const { text, paragraph } of questions) if ((await bestDocuments(store, text, 1))[0] === String(paragraph)) right++
  await store.close()
  return right / questions.length
}

interface Parity {
  readonly figures: readonly Figure[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** Asks every store the same, and compares with what the first one says when every child may be nominated. */
async function compareStores(kinds: readonly StoreKind[], quick: boolean, progress: Progress): Promise<Parity> {
  const sciFact = readSciFact(quick ? 1500 : 6000, quick ? 100 : 300)
  if (sciFact === null) return { figures: [], columns: ['store'], rows: [] }
  const sets = [
    {
      name: 'Chroma',
      texts: readCorpora().map(({ name, text }) => ({ id: name, text })),
      queries: readChromaQuestions().map(({ text }) => text),
    },
    {
      name: 'SciFact',
      texts: sciFact.documents,
      // Claims and titles: 2,000 with the questions of Chroma.
      queries: [...readSciFactClaims(), ...sciFact.documents.map(({ text }) => text.slice(0, 100))].slice(0, 1528),
    },
  ].map((set) => (quick ? { ...set, queries: set.queries.slice(0, 60) } : set))
  const reference = new Map<string, readonly WordHit[]>()
  const figures: Figure[] = []
  const rows: (string | number)[][] = []
  for (const kind of kinds) {
    let asked = 0
    let different = 0
    let overlap = 0
    let time = 0
    for (const { name, texts, queries } of sets) {
      const store = await kind.open(name)
      await putTexts(store, texts)
      for (const [at, query] of queries.entries()) {
        progress.step(`${kind.name} ${name}`, at, queries.length)
        const all = await bestChildren(store, query, allLimits, top)
        const known = reference.get(`${name} ${query}`) ?? all
        reference.set(`${name} ${query}`, known)
        if (!isSame(all, known)) different++
        const start = performance.now()
        const usual = await bestChildren(store, query, usualLimits, top)
        time += performance.now() - start
        const ids = new Set(usual.map(({ id }) => id))
        overlap += known.length === 0 ? 1 : known.filter(({ id }) => ids.has(id)).length / known.length
        asked++
      }
      if (name === 'SciFact') {
        const gain = await judgeSciFact(store, sciFact.queries, progress)
        figures.push(figure(`${kind.name}: SciFact nDCG@10 from words alone`, gain, '', quick ? null : '>= 0.66'))
        rows.push([kind.name, asked, different, (overlap / asked).toFixed(4), gain.toFixed(4), (time / asked).toFixed(1)])
      }
      await store.close()
    }
    figures.push(
      figure(`${kind.name}: queries asked`, asked, ''),
      figure(
        `${kind.name}: exhaustive top ${top} that differ from memory's in ids, order or scores (1e-6)`,
        different,
        '',
        '= 0',
      ),
      figure(`${kind.name}: share of the exhaustive top ${top} at usual nomination`, overlap / asked, '', '>= 0.99'),
      figure(`${kind.name}: a query at usual nomination, its 20 records included`, time / asked, 'ms'),
    )
  }
  return { figures, columns: ['store', 'queries', 'different', 'overlap', 'SciFact nDCG@10', 'ms a query'], rows }
}

function isSame(found: readonly WordHit[], known: readonly WordHit[]): boolean {
  return (
    found.length === known.length &&
    found.every(({ id, score }, at) => id === known[at]!.id && Math.abs(score - known[at]!.score) <= 1e-6)
  )
}

async function judgeSciFact(
  store: Store,
  queries: readonly { readonly text: string; readonly relevant: ReadonlySet<string> }[],
  progress: Progress,
): Promise<number> {
  let sum = 0
  for (const [at, { text, relevant }] of queries.entries()) {
    progress.step('SciFact test claims', at, queries.length)
    const found = await bestDocuments(store, text, 10)
    const gain = found.reduce((total, id, rank) => total + (relevant.has(id) ? 1 / Math.log2(rank + 2) : 0), 0)
    const most = Array.from({ length: Math.min(10, relevant.size) }, (_, rank) => 1 / Math.log2(rank + 2))
    sum += gain / most.reduce((total, one) => total + one, 0)
  }
  return sum / queries.length
}
