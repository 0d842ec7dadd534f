import { localEmbedder } from 'ashlar/local'
import type { Embedder } from 'ashlar/models'
import { type SearchEmbedding, type SearchResult, search } from 'ashlar/search'
import { memoryStore, type Store } from 'ashlar/stores'
import { lateIdentity } from 'ashlar/vectors'
import { type Bench, type BenchOptions, type Figure, figure } from '../../bench/harness/bench.ts'
import { modelFolder } from '../../bench/inputs/model-folder.ts'
import { recordedEmbedder } from '../../bench/late/recorded-embedder.ts'
import { openEvalCache, queryFolder } from '../eval-cache.ts'
import type { EvalCollection, EvalSet } from '../eval-set.ts'
import { lateDocument } from '../late-documents.ts'
import { designTree } from '../nominate/design-tree.ts'
import { readAnthropicCode } from '../sets/anthropic-code.ts'
import { readChroma } from '../sets/chroma.ts'
import { readLocomo } from '../sets/locomo.ts'
import { fitLogistic, type Judged, reliability } from './calibration.ts'

const modes = ['tokens', 'vectors', 'words'] as const
type Mode = (typeof modes)[number]

/** Hits of a question that are judged. */
const depth = 10

/** One question in so many is of another set, so that nothing here answers it. */
const foreignShare = 4

/** What was asked, and what came of it. */
interface Asked {
  readonly set: string
  readonly mode: Mode
  readonly part: 'dev' | 'test'
  readonly foreign: boolean
  readonly nothing: boolean
  readonly hits: readonly Judged[]
}

/** Whether `relevance` is the share of hits that hold what was asked for, and whether `nothing` is right about questions from elsewhere. */
export const relevance: Bench = {
  summary: 'relevance against the share of hits that hold evidence, and refusals of questions that nothing answers',
  async run(options) {
    const sets = [readChroma, readLocomo, readAnthropicCode].flatMap((read) => read(options) ?? [])
    const asked: Asked[] = []
    for (const set of sets) asked.push(...(await askSet(set, sets, options)))
    const figures: Figure[] = []
    const rows: (string | number)[][] = []
    const notes: string[] = []
    for (const mode of modes) {
      const dev = asked.filter((one) => one.mode === mode && one.part === 'dev')
      if (dev.length > 0) {
        const { slope, middle } = fitLogistic(weighed(dev))
        notes.push(`${mode}: a fit to the development parts gives slope ${slope.toFixed(2)}, middle ${middle.toFixed(3)}.`)
      }
      for (const set of sets) {
        for (const part of ['dev', 'test'] as const) {
          const those = asked.filter((one) => one.mode === mode && one.set === set.name && one.part === part)
          if (those.length === 0) continue
          const { error, bins } = reliability(those.flatMap(({ hits }) => hits))
          const own = those.filter(({ foreign }) => !foreign)
          const foreign = those.filter((one) => one.foreign)
          const refused = percent(foreign.filter(({ nothing }) => nothing).length, foreign.length)
          const wrongly = percent(own.filter(({ nothing }) => nothing).length, own.length)
          const isHeldOut = part === 'test' && mode === 'tokens' && !options.quick
          const name = `${mode}, ${set.name}, ${part}`
          figures.push(
            figure(`${name}: calibration error`, error, '', isHeldOut ? '<= 0.06' : null),
            figure(`${name}: foreign questions refused`, refused, '%', isHeldOut ? '>= 85' : null),
            figure(`${name}: own questions refused`, wrongly, '%', isHeldOut ? '<= 5' : null),
          )
          rows.push([mode, set.name, part, those.length, error.toFixed(3), refused.toFixed(1), wrongly.toFixed(1), ...bins])
        }
      }
    }
    return {
      figures,
      table: {
        title: `Relevance of the first ${depth} hits: said → found, by tenths of what was said; number of hits`,
        columns: [
          'evidence',
          'set',
          'part',
          'asked',
          'error',
          'refused %',
          'wrongly %',
          ...Array.from({ length: 10 }, (_, bin) => `.${bin}`),
        ],
        rows,
      },
      notes: [
        'A hit holds what was asked for when it has a character of the evidence. One question in five comes from another set. Error: mean distance between said and found over tenths, by hits.',
        'Development parts: half of Chroma, the even conversations of LoCoMo; the code set chose nothing.',
        ...notes,
      ],
    }
  },
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole
}

/** Every set counts the same, however many questions it has. */
function weighed(asked: readonly Asked[]): (Judged & { readonly weight: number })[] {
  const counts = new Map<string, number>()
  for (const { set, hits } of asked) counts.set(set, (counts.get(set) ?? 0) + hits.length)
  return asked.flatMap(({ set, hits }) => hits.map((hit) => ({ ...hit, weight: 1000 / (counts.get(set) as number) })))
}

async function askSet(set: EvalSet, sets: readonly EvalSet[], { progress, quick }: BenchOptions): Promise<Asked[]> {
  await using embedder = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
  await using cache = openEvalCache()
  const asking = recordedEmbedder(embedder, queryFolder())
  const bare = withoutTokens(asking)
  const asked: Asked[] = []
  const others = sets.filter(({ name }) => name !== set.name && name !== 'anthropic-code').flatMap((other) => other.collections)
  const elsewhere = others.flatMap(({ questions }) => questions)
  // LoCoMo has so many questions that a third tells the same.
  const every = quick ? 10 : set.name === 'locomo' ? 3 : 1
  let count = 0
  for (const collection of set.collections) {
    await using late = await openStore(collection, true)
    await using plain = await openStore(collection, false)
    const stores: Readonly<Record<Mode, { readonly store: Store; readonly embedding?: SearchEmbedding }>> = {
      tokens: { store: late, embedding: { embedder: asking } },
      vectors: { store: plain, embedding: { embedder: bare } },
      words: { store: plain },
    }
    for (const [at, question] of collection.questions.entries()) {
      if (at % every !== 0) continue
      progress.step(`relevance: ${set.name}`, count++, 0)
      const { part } = question
      const foreign = count % foreignShare === 0 ? elsewhere[(count * 7919) % Math.max(1, elsewhere.length)] : undefined
      for (const mode of modes) {
        const { store, ...with_ } = stores[mode]
        const ask = (text: string): Promise<SearchResult> =>
          search(store, text, { ...with_, documents: set.documents, limit: depth, places: false })
        const judge = (
          result: SearchResult,
          isRight: (hit: SearchResult['hits'][number]) => boolean,
        ): Pick<Asked, 'nothing' | 'hits'> => ({
          nothing: result.nothing,
          hits: result.hits.map((hit) => ({ score: hit.score, said: hit.relevance, right: isRight(hit) })),
        })
        const own = judge(await ask(question.text), ({ document, start, end }) =>
          question.judge([{ document: document.id, start, end }]).some((found) => found > 0),
        )
        asked.push({ set: set.name, mode, part, foreign: false, ...own })
        if (foreign === undefined) continue
        asked.push({ set: set.name, mode, part, foreign: true, ...judge(await ask(foreign.text), () => false) })
      }
    }
  }
  return asked

  async function openStore({ documents }: EvalCollection, tokens: boolean): Promise<Store> {
    const store = memoryStore({ workspace: set.name })
    for (const document of documents) {
      const tree = designTree(set.name, document)
      const step = (done: number, of: number): void => progress.step(`${set.name}: embedding ${tree.document}`, done, of)
      const { embeddings: [made] = [] } = await lateDocument(tree, { embedder }, cache, step)
      const { windows: _, ...vectors } = made!
      await store.put([{ tree, embeddings: [tokens ? made! : { ...vectors, identity: bare.identity }] }])
    }
    await store.maintain()
    return store
  }
}

/** The same vectors under an identity that says nothing of token states. */
function withoutTokens(embedder: Embedder): Embedder {
  const { tokenCodec: _, ...identity } = lateIdentity({ embedder })
  return {
    identity,
    maxBatch: embedder.maxBatch,
    givesTokens: false,
    async embed(texts, options) {
      const { vectors, usage } = await embedder.embed(texts, options)
      return { vectors, usage }
    },
  }
}
