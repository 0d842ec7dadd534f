import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdown } from 'ashlar'
import { localEmbedder } from 'ashlar/local'
import type { Embedder } from 'ashlar/models'
import { staticEmbedder } from 'ashlar/static'
import { buildTree, type Tree } from 'ashlar/tree'
import {
  embedLate,
  englishStopWords,
  floatCodec,
  idCodec,
  type LateQuery,
  lateQuery,
  maxSim,
  noStopWords,
  planLate,
  readTokenBlob,
  signCodec,
  type TokenBlob,
  type TokenRun,
} from 'ashlar/vectors'
import { type Bench, type BenchOptions, type Figure, figure, type Table } from '../harness/bench.ts'
import { interleave, median, type Timing } from '../harness/interleave.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import { modelFolder } from '../inputs/model-folder.ts'
import { bootstrap } from './bootstrap.ts'
import { readChroma } from './chroma.ts'
import { type Judged, judgeSet, type Keeping } from './judge-set.ts'
import { readLocomo } from './locomo.ts'
import type { RankingSet } from './ranking-set.ts'
import { recordedEmbedder } from './recorded-embedder.ts'

/** What keeping token states costs, what matching them costs, and what the compact form loses. */
export const tokensLate: Bench = {
  summary: 'the late token store: one pass for vectors and token states, MaxSim, and the loss of the compact form',
  async run(options) {
    await using embedder = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
    const pass = await timePass(embedder, options)
    const match = await timeMatching(embedder, options)
    const parts: Part[] = [pass, match]
    for (const set of [readChroma(options), readLocomo(options)]) {
      if (set !== null) parts.push(await compareKeepings(set, embedder, options))
    }
    return {
      figures: parts.flatMap(({ figures }) => figures),
      table: parts.map(({ table }) => table),
      notes: [
        'all-MiniLM-L6-v2 q8, one thread. Children of 250, parents of 800, sections of 2,400 characters (Chroma); turns, runs of turns, sessions (LoCoMo).',
        'Configuration E of the design: nominated by 2 lv + b + p + s, 150 re-scored by m0 + m1 + m2 + s + .5 (lv + b + p); lexical legs by a plain BM25 of the bench.',
        'Intervals are 95 % of 2,000 bootstrap samples of the questions, paired.',
        ...(options.quick
          ? [
              'Quick: two corpora of Chroma and one conversation of LoCoMo, and a third of their questions: the losses are within noise.',
            ]
          : []),
      ],
    }
  },
}

interface Part {
  readonly figures: readonly Figure[]
  readonly table: Table
}

function firstCorpus(characters: number): Tree {
  const [corpus] = readCorpora().filter(({ name }) => name.startsWith('wikitexts'))
  if (corpus === undefined) throw new Error('No evaluation folder: set ASHLAR_EVAL')
  return buildTree(corpus.text.slice(0, characters), { document: corpus.name, format: markdown })
}

/** The same windows embedded plainly, and with everything that is kept made of them. */
async function timePass(embedder: Embedder, { quick, progress }: BenchOptions): Promise<Part> {
  const tree = firstCorpus(8000)
  const texts = planLate(tree, { embedder }).map(({ start, end }) => tree.text.slice(start, end))
  const plain = async (): Promise<number> => {
    let sum = 0
    for (const text of texts) sum += (await embedder.embed([text], { as: 'document' })).vectors[0]!.length
    return sum
  }
  const late = async (): Promise<number> => {
    let sum = 0
    for await (const { blob, vectors } of embedLate(tree, { embedder })) sum += blob.length + vectors.length
    return sum
  }
  const timings = await interleave(
    [
      { name: 'windows, plainly', run: plain },
      { name: 'embedLate', run: late },
    ],
    { rounds: quick ? 15 : 60, progress },
  )
  // Short rounds, and the ratio within each: a neighbour that takes the machine for a while takes it from both.
  const [plainly, lately] = timings as [Timing, Timing]
  const ratio = median(plainly.rounds.map((cpu, round) => lately.rounds[round]! / cpu))
  return {
    figures: [
      figure('one pass: embedLate to embedding the same windows plainly, CPU', ratio, 'x', '<= 1.1'),
      figure('one pass: ratio of the least of all rounds', Math.min(...lately.rounds) / Math.min(...plainly.rounds), 'x'),
    ],
    table: {
      title: `One pass over ${texts.length} windows (${tree.text.length.toLocaleString('en')} characters)`,
      columns: ['', 'CPU ms', 'ms a window'],
      rows: timings.map(({ name, cpu }) => [name, cpu, cpu / texts.length]),
    },
  }
}

const candidates = 100

/** MaxSim of 100 children with two neighbours on each side, from stored bytes to scores. */
async function timeMatching(embedder: Embedder, { quick, progress }: BenchOptions): Promise<Part> {
  const tree = firstCorpus(118_000)
  progress.step('embedding for MaxSim')
  const recorded = recordedEmbedder(embedder)
  const windows: { readonly blob: Uint8Array; readonly first: number; readonly after: number }[] = []
  for await (const window of embedLate(tree, { embedder: recorded })) windows.push(window)
  const questions = readChroma({ quick: false })!.collections[0]!.questions.map(({ text }) => text)
  const rows: (string | number)[][] = []
  const figures: Figure[] = []
  const queriesOf = async (pieces: number): Promise<LateQuery[]> => {
    const queries: LateQuery[] = []
    // Questions one after the other until there are pieces enough; then the heaviest are taken.
    for (let at = 0; queries.length < 20; at += 12) {
      queries.push(await lateQuery(questions.slice(at, at + 12).join(' '), { embedder: recorded, most: pieces }))
    }
    return queries
  }
  const stride = Math.floor(tree.children.length / candidates)
  for (const pieces of [16, 64]) {
    const queries = await queriesOf(pieces)
    const counted = { tokens: 0, children: 0 }
    const match = (query: LateQuery, offset: number): number => {
      const { wanted, runs } = fetchRuns(tree, windows, stride, offset)
      const near = (at: number): TokenRun[] => (runs.has(at) ? [runs.get(at)!] : [])
      const scores = maxSim(
        query,
        wanted.map((at) => ({
          child: runs.get(at)!,
          before: [at - 1, at - 2].flatMap(near),
          after: [at + 1, at + 2].flatMap(near),
        })),
        { codec: signCodec },
      )
      counted.children = runs.size
      counted.tokens = [...runs.values()].reduce((sum, { count }) => sum + count, 0)
      return scores.reduce((sum, [score]) => sum + score!, 0)
    }
    const run = (): number => queries.reduce((sum, query, at) => sum + match(query, at % stride), 0)
    const [timing] = await interleave([{ name: `${pieces} pieces`, run }], { rounds: quick ? 5 : 15, progress })
    const cpu = timing!.cpu / queries.length
    rows.push([pieces, counted.children, counted.tokens, cpu])
    figures.push(
      figure(
        `MaxSim of ${candidates} children with neighbours, ${pieces} query pieces, CPU`,
        cpu,
        'ms',
        pieces === 16 ? '<= 20' : null,
      ),
    )
  }
  return {
    figures,
    table: {
      title: `MaxSim of ${candidates} children and two neighbours on each side, JavaScript, from stored bytes to scores`,
      columns: ['query pieces', 'children compared', 'tokens compared', 'CPU ms a query'],
      rows,
    },
  }
}

/** Opens the blobs that hold every `stride`-th child and its neighbours: the worst case, in which few neighbours are shared. */
function fetchRuns(
  tree: Tree,
  windows: readonly { readonly blob: Uint8Array; readonly first: number; readonly after: number }[],
  stride: number,
  offset: number,
): { readonly wanted: number[]; readonly runs: Map<number, TokenRun> } {
  const wanted = Array.from({ length: candidates }, (_, at) => at * stride + offset).filter((at) => at < tree.children.length)
  const needed = new Set(wanted.flatMap((at) => [at - 2, at - 1, at, at + 1, at + 2]))
  const runs = new Map<number, TokenRun>()
  for (const { blob, first, after } of windows) {
    let opened: TokenBlob | undefined
    for (let child = first; child < after; child++) {
      if (!needed.has(child)) continue
      opened ??= readTokenBlob(blob, signCodec)
      runs.set(child, opened.children[child - first]!)
    }
  }
  return { wanted, runs }
}

/** The ways of keeping that are compared; the first is what the others are held against, the second is the default. */
const keepings: readonly Keeping[] = [
  { name: 'float, every word', codec: floatCodec, stopWords: noStopWords },
  { name: 'sign bits, no stop words', codec: signCodec, stopWords: englishStopWords },
  { name: 'sign bits, every word', codec: signCodec, stopWords: noStopWords },
]

async function compareKeepings(set: RankingSet, embedder: Embedder, { quick, progress }: BenchOptions): Promise<Part> {
  const recorded = recordedEmbedder(embedder)
  const judged: (Judged & { readonly name: string })[] = []
  for (const keeping of quick ? keepings.slice(0, 2) : keepings) {
    judged.push({ name: keeping.name, ...(await judgeSet(set, recorded, keeping, progress)) })
  }
  if (!quick) judged.push({ name: 'static potion, ids', ...(await judgeStatic(set, { quick, progress })) })
  const float = judged[0]!
  const compact = judged[1]!
  const figures: Figure[] = []
  for (const ranking of ['combined', 'alone'] as const) {
    const name = ranking === 'combined' ? 'configuration E' : 'MaxSim alone'
    const loss = bootstrap(float[ranking].map((value, at) => 100 * (value - compact[ranking][at]!)))
    figures.push(
      figure(
        `${set.name}, ${name}: loss of the compact form`,
        loss.mean,
        'points',
        ranking === 'combined' && !quick ? '<= 1.5' : null,
      ),
      figure(`${set.name}, ${name}: loss, lower end of the interval`, loss.low, 'points'),
      figure(`${set.name}, ${name}: loss, upper end of the interval`, loss.high, 'points'),
      figure(`${set.name}, ${name}: ${set.measure}, compact`, 100 * mean(compact[ranking]), '%'),
    )
  }
  figures.push(
    figure(`${set.name}: without token states`, 100 * mean(compact.without), '%'),
    figure(`${set.name}: bytes a kept token`, compact.bytes / compact.tokens, 'bytes'),
    figure(`${set.name}: bytes a character of text`, compact.bytes / compact.characters, 'bytes'),
  )
  return {
    figures,
    table: {
      title: `${set.name}: ${set.measure}, % (difference to the first row with its 95 % interval)`,
      columns: ['token states', 'E', 'difference', 'MaxSim alone', 'difference', 'bytes a token', 'bytes a character'],
      rows: [
        ...judged.map(({ name, combined, alone, bytes, tokens, characters }) => [
          name,
          (100 * mean(combined)).toFixed(2),
          difference(combined, float.combined),
          (100 * mean(alone)).toFixed(2),
          difference(alone, float.alone),
          bytes / tokens,
          bytes / characters,
        ]),
        ['none', (100 * mean(float.without)).toFixed(2), difference(float.without, float.combined), '', '', 0, 0],
      ],
    },
  }
}

async function judgeStatic(set: RankingSet, { progress }: BenchOptions): Promise<Judged> {
  const folder = modelFolder('potion-base-8M')
  const embedder = staticEmbedder({
    name: 'potion-base-8M',
    tokenizer: readFileSync(join(folder, 'tokenizer.json'), 'utf8'),
    weights: readFileSync(join(folder, 'model.safetensors')),
  })
  return judgeSet(set, embedder, { name: 'static', codec: idCodec(embedder.tokenTable!), stopWords: englishStopWords }, progress)
}

function difference(values: readonly number[], base: readonly number[]): string {
  const { mean: middle, low, high } = bootstrap(values.map((value, at) => 100 * (value - base[at]!)))
  return `${middle.toFixed(2)} [${low.toFixed(1)}, ${high.toFixed(1)}]`
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}
