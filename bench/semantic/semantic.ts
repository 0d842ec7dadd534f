import { chunkText, sentences } from 'ashlar'
import { chunkSemantic, type SemanticOptions } from 'ashlar/vectors'
import { type Bench, type BenchOptions, type Figure, figure, type Table } from '../harness/bench.ts'
import { readChromaQuestions } from '../inputs/chroma-questions.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import { readSciFact } from '../inputs/scifact.ts'
import { checkSemanticLaws } from './check-laws.ts'
import { countNewIds } from './edit-ids.ts'
import { embedLately, plantTrees } from './late-vectors.ts'
import { type BenchModel, type BenchModels, openModels } from './open-models.ts'
import { budgets, type Collection, cutPlainly, embedChunks, judgeChroma, judgeSciFact, meanLength } from './retrieval.ts'
import {
  type Dialogue,
  readDialogues,
  type SegmentationScore,
  scoreSegmentation,
  segment,
  segmentAtRandom,
  segmentNot,
} from './segmentation.ts'

interface Part {
  readonly figures: readonly Figure[]
  readonly tables: readonly Table[]
}

type Rules = Omit<SemanticOptions, 'embedder'>

/** As in the specification: one sentence against the next, by their cosine. */
const raw: Rules = { similarity: 'cosine' }

/** For meetings, whose topics last for dozens of utterances; chosen on the six development meetings of Committee. */
const broad: Rules = { breadth: 20, maxSentences: 200 }

/** What the Def-DTS paper (arXiv 2505.21033, table 3) reports for the test part of TIAGE: Pk, WindowDiff, F1. */
const published: readonly (readonly [string, number, number, number])[] = [
  ['TextTiling', 0.469, 0.488, 0.204],
  ['TextTiling with GloVe', 0.486, 0.511, 0.236],
  ['CSM, trained to tell utterances apart', 0.4, 0.42, 0.427],
  ['DialSTART, trained the same way', 0.482, 0.528, 0.378],
  ['RoBERTa, trained on TIAGE', 0.265, 0.287, 0.572],
  ['RetroTS-T5, trained on TIAGE', 0.28, 0.317, 0.576],
  ['Def-DTS with gpt-4o', 0.232, 0.256, 0.699],
]

/** Semantic chunks: the laws, topics against people's, what it does for retrieval, and how many sentences a chunk has. */
export const semantic: Bench = {
  summary: 'chunks that end where the topic changes: laws, topic boundaries, retrieval beside the plain cut, sentences a chunk',
  async run(options) {
    if (readCorpora().length === 0) throw new Error('The evaluation sets are not there: set ASHLAR_EVAL to their folder')
    await using models = await openModels()
    const parts = [
      await countSentences(models, options),
      await judgeSegmentation(models, options),
      await judgeOnChroma(models, options),
      await judgeOnSciFact(models, options),
      await obeyLaws(models, options),
    ]
    return {
      figures: parts.flatMap(({ figures }) => figures),
      table: parts.flatMap(({ tables }) => tables),
      notes: [
        'A higher threshold gives more and smaller chunks. As shipped: threshold .75 on the relative scale (two sentences to either side; 1 is usual nearby, each .25 below is one standard deviation). Breadth, scale and the place of .75 on it were chosen on the training and development parts of TIAGE and the development meetings of Committee; test parts, Chroma and SciFact chose nothing.',
        'Pk and WindowDiff are means over dialogues, F1 is over all boundaries together (how the published F1 is averaged is not said). Lower is better for the first two. A method is worth something if it beats no boundary at all.',
        'Retrieval: chunks of at most 1,000 characters without overlap, ranked by cosine; the plain cut at the size that gives the same mean length. Documents of SciFact are ranked by their best chunk; its corpus here holds every abstract that a test claim needs and others drawn by lot, so figures are higher than on the full corpus. Late: children of the default tree (250 characters), embedded alone or as means over windows of 800.',
      ],
    }
  },
}

async function countSentences({ miniLm, bge, potion }: BenchModels, { quick, progress }: BenchOptions): Promise<Part> {
  const documents = readCorpora().map(({ name, text }) => ({ name, text: text.slice(0, quick ? 4000 : 40_000) }))
  const figures: Figure[] = []
  const rows: (string | number)[][] = []
  for (const { name, embedder, cache } of [miniLm, bge, potion]) {
    for (const [setting, rules] of [
      ['cosine .75', raw],
      ['as shipped', {}],
    ] as const) {
      const counts: number[] = []
      for (const [at, { text }] of documents.entries()) {
        progress.step(`sentences a chunk: ${name}`, at, documents.length)
        // The limit on size is set aside: what is counted is where topics end, not where chunks are full.
        const chunks = await chunkSemantic(text, { embedder, cache, ...rules, size: text.length, overlap: 0 })
        for (const piece of chunks) counts.push(Array.from(sentences(piece.text)).length)
      }
      counts.sort((left, right) => left - right)
      const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
      const shares = [0.1, 0.5, 0.9].map((share) => counts[Math.floor(share * (counts.length - 1))]!)
      rows.push([name, setting, counts.length, Number(mean.toFixed(1)), ...shares])
      figures.push(
        figure(
          `${name}, ${setting}: sentences a chunk, median`,
          shares[1]!,
          'sentences',
          setting === 'as shipped' ? '>= 2' : null,
        ),
        figure(`${name}, ${setting}: sentences a chunk, mean`, mean, 'sentences'),
      )
    }
  }
  const table = {
    title: `Sentences a chunk: the first ${documents[0]!.text.length / 1000},000 characters of each of Chroma's corpora`,
    columns: ['embedder', 'setting', 'chunks', 'mean', '10 %', 'median', '90 %'],
    rows,
  }
  return { figures, tables: [table] }
}

async function judgeSegmentation({ miniLm, bge, potion }: BenchModels, { quick, progress }: BenchOptions): Promise<Part> {
  const figures: Figure[] = []
  const tables: Table[] = []
  const sets = [
    { name: 'TIAGE', dialogues: readDialogues('tiage', 'test').slice(0, quick ? 20 : undefined), models: [miniLm, bge, potion] },
    {
      name: 'Committee',
      dialogues: readDialogues('meeting_committee', 'test').slice(0, quick ? 1 : undefined),
      models: [miniLm, potion],
    },
  ]
  for (const { name, dialogues, models } of sets) {
    const rows: (string | number)[][] =
      name === 'TIAGE' ? published.map(([label, ...values]) => [`${label} (published)`, ...values]) : []
    const add = (label: string, score: SegmentationScore): void => {
      rows.push([label, ...[score.pk, score.windowDiff, score.f1].map((value) => Number(value.toFixed(3)))])
      figures.push(
        figure(`${name} test, ${label}: Pk`, score.pk, ''),
        figure(`${name} test, ${label}: WindowDiff`, score.windowDiff, ''),
        figure(`${name} test, ${label}: F1`, score.f1, ''),
      )
    }
    add('no boundary', scoreSegmentation(dialogues, dialogues.map(segmentNot)))
    add('boundaries at random', averageOfRandom(dialogues, quick ? 10 : 100))
    for (const model of models) {
      for (const [setting, rules] of [
        ['cosine .75', raw],
        ['as shipped', {}],
        ...(name === 'Committee' ? ([['breadth 20', broad]] as const) : []),
      ] as const) {
        const found: boolean[][] = []
        for (const [at, dialogue] of dialogues.entries()) {
          progress.step(`${name}: ${model.name}, ${setting}`, at, dialogues.length)
          found.push(await segment(dialogue, { ...model, ...rules }))
        }
        add(`${model.name}, ${setting}`, scoreSegmentation(dialogues, found))
      }
    }
    tables.push({
      title: `Topics of conversations: ${name} test, ${dialogues.length} dialogues`,
      columns: ['what', 'Pk', 'WindowDiff', 'F1'],
      rows,
    })
  }
  return { figures, tables }
}

function averageOfRandom(dialogues: readonly Dialogue[], rounds: number): SegmentationScore {
  const scores = Array.from({ length: rounds }, (_, round) =>
    scoreSegmentation(
      dialogues,
      dialogues.map((dialogue, at) => segmentAtRandom(dialogue, round * 1000 + at)),
    ),
  )
  const mean = (value: (score: SegmentationScore) => number): number =>
    scores.reduce((sum, score) => sum + value(score), 0) / rounds
  return { pk: mean(({ pk }) => pk), windowDiff: mean(({ windowDiff }) => windowDiff), f1: mean(({ f1 }) => f1) }
}

interface Named {
  readonly name: string
  readonly text: string
}

interface Candidate {
  readonly name: string
  readonly chunks: number
  readonly length: number
  readonly collection: Collection
}

/** Semantic chunks, plain chunks of the same mean length, and children of the default tree with plain and late vectors. */
async function* candidates(
  model: BenchModel,
  documents: readonly Named[],
  { withLate, progress }: { readonly withLate: boolean; readonly progress: BenchOptions['progress'] },
): AsyncGenerator<Candidate, undefined> {
  const step = (what: string) => (done: number, total: number) => progress.step(`${model.name}: ${what}`, done, total)
  const cut: { name: string; chunks: Awaited<ReturnType<typeof chunkSemantic>> }[] = []
  for (const [at, { name, text }] of documents.entries()) {
    step('sentences')(at, documents.length)
    cut.push({ name, chunks: await chunkSemantic(text, { ...model, size: 1000, overlap: 0 }) })
  }
  const length = meanLength(cut)
  const plainly = cutPlainly(documents, length)
  const sets = [
    { name: 'semantic, as shipped, at most 1,000', documents: cut },
    { name: `plain, at most ${plainly.size}`, documents: plainly.documents },
    {
      name: 'plain, at most 1,000',
      documents: documents.map(({ name, text }) => ({ name, chunks: [...chunkText(text, { size: 1000, overlap: 0 })] })),
    },
  ]
  for (const { name, documents: set } of sets) {
    const collection = await embedChunks(model, set, step(name))
    yield { name, chunks: collection.pieces.length, length: meanLength(set), collection }
  }
  if (!withLate) return
  const trees = plantTrees(documents)
  const children = trees.map(({ document, children: chunks }) => ({ name: document, chunks }))
  const alone = await embedChunks(model, children, step('children alone'))
  const facts = { chunks: alone.pieces.length, length: meanLength(children) }
  yield { name: 'children of the tree, each alone', ...facts, collection: alone }
  yield { name: 'children of the tree, late', ...facts, collection: await embedLately(model, trees, step('children, late')) }
}

async function judgeOnChroma({ miniLm, potion }: BenchModels, { quick, progress }: BenchOptions): Promise<Part> {
  const names = quick ? ['chatlogs.md', 'state_of_the_union.md'] : readCorpora().map(({ name }) => name)
  const documents = readCorpora().filter(({ name }) => names.includes(name))
  const questions = readChromaQuestions().filter(({ corpus }) => names.includes(corpus))
  const figures: Figure[] = []
  const rows: (string | number)[][] = []
  for (const model of quick ? [potion] : [miniLm, potion]) {
    for await (const { name, chunks, length, collection } of candidates(model, documents, {
      withLate: model === miniLm,
      progress,
    })) {
      const score = await judgeChroma(model, collection, questions)
      const values = [score.recall, score.precision, score.iou, ...score.inside].map((value) => 100 * value)
      rows.push([model.name, name, chunks, Math.round(length), ...values.map((value) => Number(value.toFixed(1)))])
      const label = `Chroma, ${model.name}, ${name}`
      figures.push(
        figure(`${label}: recall of 5 chunks`, values[0]!, '%'),
        figure(`${label}: precision`, values[1]!, '%'),
        figure(`${label}: IoU`, values[2]!, '%'),
        ...budgets.map((budget, at) => figure(`${label}: evidence inside ${budget} characters`, values[3 + at]!, '%')),
      )
    }
  }
  const columns = [
    'embedder',
    'chunks',
    'number',
    'mean length',
    'recall',
    'precision',
    'IoU',
    ...budgets.map((budget) => `in ${budget}`),
  ]
  return {
    figures,
    tables: [{ title: `Chroma: ${questions.length} questions over ${documents.length} corpora, %`, columns, rows }],
  }
}

async function judgeOnSciFact({ miniLm, potion }: BenchModels, { quick, progress }: BenchOptions): Promise<Part> {
  const set = readSciFact(quick ? 60 : 600, quick ? 40 : 1000)
  if (set === null) return { figures: [], tables: [] }
  const documents = set.documents.map(({ id, text }) => ({ name: id, text }))
  const figures: Figure[] = []
  const rows: (string | number)[][] = []
  for (const model of quick ? [potion] : [miniLm, potion]) {
    for await (const { name, chunks, length, collection } of candidates(model, documents, {
      withLate: model === miniLm,
      progress,
    })) {
      const score = await judgeSciFact(model, collection, set)
      rows.push([model.name, name, chunks, Math.round(length), Number(score.toFixed(3))])
      figures.push(figure(`SciFact, ${model.name}, ${name}: nDCG@10`, score, ''))
    }
  }
  const title = `SciFact: ${set.queries.length} test claims over ${documents.length} abstracts`
  return { figures, tables: [{ title, columns: ['embedder', 'chunks', 'number', 'mean length', 'nDCG@10'], rows }] }
}

async function obeyLaws({ potion }: BenchModels, { quick, progress }: BenchOptions): Promise<Part> {
  const report = await checkSemanticLaws(potion, quick, (name, done, total) => progress.step(`laws: ${name}`, done, total))
  progress.step('edits')
  const edits = await countNewIds((text) => chunkSemantic(text, { ...potion }))
  const plainly = await countNewIds(async (text) => [...chunkText(text)])
  const mean = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0) / counts.length
  return {
    figures: [
      figure('laws 1 to 6: tests of the chunker contract', report.tests, 'tests'),
      figure('laws 1 to 6: tests that failed', report.failures.length, 'tests', '= 0'),
      figure('ids changed by five words, mean', mean(edits), 'ids'),
      figure('ids changed by five words, most', Math.max(...edits), 'ids'),
      figure('ids changed by five words, mean, plain cut', mean(plainly), 'ids'),
    ],
    tables: [
      {
        title: `Laws 1 to 6 by the contract of chunkers, with ${potion.name}`,
        columns: ['tests', 'failed'],
        rows: [[report.tests, report.failures.length], ...report.failures.map((failure) => [failure, ''])],
      },
      {
        title: `Five words exchanged at ${edits.length} places, new ids`,
        columns: ['chunks', 'mean', 'most'],
        rows: [
          [`semantic, as shipped, ${potion.name}`, mean(edits), Math.max(...edits)],
          ['plain', mean(plainly), Math.max(...plainly)],
        ],
      },
    ],
  }
}
