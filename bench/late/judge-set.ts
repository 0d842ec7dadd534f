import type { Embedder } from 'ashlar/models'
import {
  embedLate,
  englishStopWords,
  lateQuery,
  levelLength,
  type MaxSimCandidate,
  maxSim,
  pieceWeight,
  readTokenBlob,
  type StopWords,
  type TokenCodec,
  type TokenRun,
} from 'ashlar/vectors'
import type { Progress } from '../harness/progress.ts'
import type { Collection, Place, RankingSet } from './ranking-set.ts'
import { openWordLevels } from './word-levels.ts'

/** One way of keeping token states. */
export interface Keeping {
  readonly name: string
  readonly codec: TokenCodec
  readonly stopWords: StopWords
}

/** What each question gets by three rankings: MaxSim of the child alone, configuration E, and E without token states. */
export interface Judged {
  readonly alone: readonly number[]
  readonly combined: readonly number[]
  readonly without: readonly number[]
  /** Bytes of all blobs, tokens in them, and characters of text. */
  readonly bytes: number
  readonly tokens: number
  readonly characters: number
}

const pool = 150

/** Ranks the children of each collection for each of its questions, with token states kept in the given way. */
export async function judgeSet(set: RankingSet, embedder: Embedder, keeping: Keeping, progress: Progress): Promise<Judged> {
  const alone: number[] = []
  const combined: number[] = []
  const without: number[] = []
  const sums = { bytes: 0, tokens: 0, characters: 0 }
  const total = set.collections.reduce((sum, { questions }) => sum + questions.length, 0)
  for (const collection of set.collections) {
    progress.step(`${set.name}, ${keeping.name}: embedding`)
    const late = await openLate(collection, embedder, keeping)
    for (const name of ['bytes', 'tokens', 'characters'] as const) sums[name] += late[name]
    const wordsOf = openWordLevels(collection.trees)
    for (const question of collection.questions) {
      progress.step(`${set.name}, ${keeping.name}`, alone.length, total)
      const query = await lateQuery(question.text, { embedder, weightOf: late.weightOf, stopWords: englishStopWords })
      const words = wordsOf(question.text)
      const legs = late.places.map(({ vector, parent, section }, at) => ({
        lv: dot(query.vector, vector),
        b: words.child[at]!,
        p: words.parent[parent]!,
        s: words.section[section]!,
      }))
      const first = best(
        legs.map(({ lv, b, p, s }) => 2 * lv + b + p + s),
        late.places.map((_, at) => at),
      )
      without.push(question.judge(first.map((at) => late.places[at]!)))
      const nominated = first.slice(0, pool)
      const tokens = maxSim(
        query,
        nominated.map((at) => late.places[at]!.candidate),
        keeping,
      )
      const levelled = nominated.map((at, i) =>
        tokens[i]!.map((score, reach) => levelLength(score, late.places[at]!.lengths[reach]!, reach as 0 | 1 | 2)),
      )
      alone.push(
        question.judge(
          best(
            tokens.map(([score]) => score!),
            nominated,
          ).map((at) => late.places[at]!),
        ),
      )
      const evidence = nominated.map((at, i) => {
        const [m0, m1, m2] = levelled[i]!
        const { lv, b, p, s } = legs[at]!
        return (m0! + m1! + m2! + s + 0.5 * (lv + b + p)) / 5.5
      })
      combined.push(question.judge(best(evidence, nominated).map((at) => late.places[at]!)))
    }
  }
  return { alone, combined, without, ...sums }
}

/** A child with all that its rank is made of. */
interface LatePlace extends Place {
  readonly vector: Float32Array
  readonly candidate: MaxSimCandidate
  /** Characters of the child, with one neighbour on each side, with two. */
  readonly lengths: readonly number[]
  /** Index of its parent and section among those of all trees. */
  readonly parent: number
  readonly section: number
}

interface LateCollection {
  readonly places: readonly LatePlace[]
  readonly weightOf: (id: number) => number
  readonly bytes: number
  readonly tokens: number
  readonly characters: number
}

/** Embeds all trees of a collection. Neighbours are those in the same section of a conversation, in the same document elsewhere. */
async function openLate(
  { trees }: Pick<Collection, 'trees'>,
  embedder: Embedder,
  keeping: Omit<Keeping, 'name'>,
): Promise<LateCollection> {
  const places: LatePlace[] = []
  const having = new Map<number, number>()
  const sums = { bytes: 0, tokens: 0, characters: 0 }
  let [parents, sections] = [0, 0]
  for (const [at, tree] of trees.entries()) {
    const runs: TokenRun[] = []
    const vectors: Float32Array[] = []
    for await (const window of embedLate(tree, { embedder, ...keeping, tooLong: 'split' })) {
      runs.push(...readTokenBlob(window.blob, keeping.codec).children)
      vectors.push(...window.vectors)
      for (const id of window.pieces.flatMap((ids) => [...ids])) having.set(id, (having.get(id) ?? 0) + 1)
      sums.bytes += window.blob.length
    }
    sums.tokens += runs.reduce((sum, { count }) => sum + count, 0)
    sums.characters += tree.text.length
    const sectionOf = (child: number): number => tree.parents[tree.children[child]!.above]!.above
    const reaches = (child: number, other: number): boolean =>
      other >= 0 && other < runs.length && (tree.format !== 'turns' || sectionOf(child) === sectionOf(other))
    for (const [child, { above }] of tree.children.entries()) {
      const before = [child - 1, child - 2].filter((other) => reaches(child, other))
      const after = [child + 1, child + 2].filter((other) => reaches(child, other))
      const length = (reach: number): number =>
        [child, ...before.slice(0, reach), ...after.slice(0, reach)].reduce((sum, i) => sum + tree.children[i]!.text.length, 0)
      places.push({
        tree: at,
        child,
        vector: vectors[child]!,
        candidate: { child: runs[child]!, before: before.map((i) => runs[i]!), after: after.map((i) => runs[i]!) },
        lengths: [length(0), length(1), length(2)],
        parent: parents + above,
        section: sections + sectionOf(child),
      })
    }
    parents += tree.parents.length
    sections += tree.sections.length
  }
  return { places, weightOf: (id) => pieceWeight(having.get(id) ?? 0, places.length), ...sums }
}

/** The items with the highest scores first; of equals the earlier. */
function best<T>(scores: readonly number[], items: readonly T[]): T[] {
  return items
    .map((_, at) => at)
    .sort((left, right) => scores[right]! - scores[left]! || left - right)
    .map((at) => items[at]!)
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!
  return sum
}
