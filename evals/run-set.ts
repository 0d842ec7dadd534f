import { median, processTime } from '../bench/harness/interleave.ts'
import type { Progress } from '../bench/harness/progress.ts'
import type { EvalDocument, EvalSet } from './eval-set.ts'
import type { OpenSystem, System } from './system.ts'

/** What a system made of one question. */
export interface AskedQuestion {
  readonly id: string
  readonly cluster: string
  readonly category: string | undefined
  /** One number from 0 to 1 for each measure of the set. */
  readonly scores: readonly number[]
}

/** A set asked of a system. */
export interface SetRun {
  readonly asked: readonly AskedQuestion[]
  readonly counts: {
    readonly collections: number
    readonly documents: number
    readonly characters: number
    readonly questions: number
  }
  readonly cost: RunCost
}

/** What a run cost in CPU time, models included. */
export interface RunCost {
  /** Milliseconds of a search, median of a few that used nothing kept; embedding the question is not in it. */
  readonly search: number
  /** Milliseconds of embedding a question. */
  readonly embedding: number
  /** Seconds of indexing a megabyte of text, measured on the first tenths of one. */
  readonly index: number
}

const timedQuestions = 20
const indexedSample = 60_000

/** Asks a system all questions of one part of a set. */
export async function runSet(
  set: EvalSet,
  system: System,
  { part, progress }: { readonly part: 'dev' | 'test'; readonly progress: Progress },
): Promise<SetRun> {
  const collections = set.collections
    .map((collection) => ({ ...collection, questions: collection.questions.filter((question) => question.part === part) }))
    .filter(({ questions }) => questions.length > 0)
  const total = collections.reduce((sum, { questions }) => sum + questions.length, 0)
  const every = Math.max(1, Math.floor(total / timedQuestions))
  const label = `${set.name}, ${system.name}`
  const asked: AskedQuestion[] = []
  const searching: number[] = []
  const embedding: number[] = []
  for (const { id: collection, documents, questions } of collections) {
    const report = (text: string): void => progress.step(`${label}: ${collection}, ${text}`)
    const open = await system.open(documents, { set, fresh: false, progress: report })
    for (const { id, text, category, cluster = set.collections.length > 1 ? collection : id, judge } of questions) {
      progress.step(label, asked.length, total)
      const fresh = asked.length % every === every - 1
      const [before, embeddedBefore] = [processTime(), system.embeddingTime()]
      const found = await open.search(text, set.depth, { fresh })
      if (fresh) {
        const embedded = system.embeddingTime() - embeddedBefore
        searching.push(processTime() - before - embedded)
        embedding.push(embedded)
      }
      asked.push({ id, cluster, category, scores: judge(found) })
    }
    await open.close()
  }
  const documents = collections.flatMap((collection) => collection.documents)
  return {
    asked,
    counts: {
      collections: collections.length,
      documents: documents.length,
      characters: documents.reduce((sum, { text }) => sum + text.length, 0),
      questions: total,
    },
    cost: { search: median(searching), embedding: median(embedding), index: await timeIndexing(set, system, documents) },
  }
}

/** CPU seconds a megabyte, on the first documents of a set. */
async function timeIndexing(set: EvalSet, system: System, documents: readonly EvalDocument[]): Promise<number> {
  const sample: EvalDocument[] = []
  let bytes = 0
  for (const document of documents) {
    if (bytes >= indexedSample) break
    sample.push(firstOf(document, indexedSample))
    bytes += Buffer.byteLength(sample.at(-1)!.text)
  }
  const before = processTime()
  const open: OpenSystem = await system.open(sample, { set, fresh: true, progress: () => {} })
  const spent = processTime() - before
  await open.close()
  return (spent / 1000) * (1e6 / bytes)
}

/** A document that is too long for a sample, up to the end of a line or piece. */
function firstOf({ id, text, format, title, pieces }: EvalDocument, length: number): EvalDocument {
  const kept = pieces?.filter(({ end }, at) => at === 0 || end <= length)
  const end = kept?.at(-1)?.end ?? (text.length <= length ? text.length : text.lastIndexOf('\n', length) + 1 || length)
  const named = { id, text: text.slice(0, end), format, ...(title === undefined ? {} : { title }) }
  return kept === undefined ? named : { ...named, pieces: kept }
}
