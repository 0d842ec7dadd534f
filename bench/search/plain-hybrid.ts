import { wordSpans } from 'ashlar'
import type { EmbedderIdentity } from 'ashlar/models'
import { nominationLimits } from 'ashlar/search'
import { analyseQuery, type NominatedChild, type NominationQuery, type Store } from 'ashlar/stores'
import { englishStopWords } from 'ashlar/vectors'

/** What decides about the order of equals in reciprocal rank fusion; 60 is what everybody takes. */
const rankConstant = 60
const hits = 10

/** A question with its vector. */
export interface HybridQuestion {
  readonly text: string
  readonly vector: Float32Array
}

/** Which pieces words nominate: children, or those around them as well, like a search of the library. */
export type HybridLevels = 'children' | 'all levels'

/**
 * The hybrid search that a team writes on a store: the nearest vectors and the best words, as many of each as the library asks for, fused
 * by reciprocal rank; texts of the first ten.
 */
export async function plainHybrid(
  store: Store,
  identity: EmbedderIdentity,
  { text, vector }: HybridQuestion,
  levels: HybridLevels,
): Promise<string[]> {
  const { children } = await store.nominate(nominationOf(identity, { text, vector }, levels))
  const byVector = ranksOf(children, ({ cosine = 0 }) => cosine, nominationLimits.vector)
  const byWords = ranksOf(children, ({ lexical }) => lexical.child, nominationLimits.child)
  const scores = new Map<NominatedChild, number>()
  for (const ranks of [byVector, byWords])
    for (const [rank, child] of ranks.entries()) scores.set(child, (scores.get(child) ?? 0) + 1 / (rankConstant + rank + 1))
  const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, hits)
  const found = await store.children(best.map(([child]) => child))
  return found.children.map(({ start, lead, end, parent }) => parent.text.slice(start + lead - parent.start, end - parent.start))
}

function nominationOf(identity: EmbedderIdentity, { text, vector }: HybridQuestion, levels: HybridLevels): NominationQuery {
  const { child, parent, section } = nominationLimits
  return {
    vector: { identity, values: vector, limit: nominationLimits.vector },
    terms: {
      terms: analyseQuery(withoutStopWords(text)),
      limits: levels === 'children' ? { child, parent: 0, section: 0, document: 0 } : { child, parent, section, document: 0 },
    },
  }
}

/** Stop words would cost more than all others together. */
function withoutStopWords(text: string): string {
  return Array.from(wordSpans(text), ({ start, end }) => text.slice(start, end))
    .filter((word) => !englishStopWords.words.has(word.toLowerCase()))
    .join(' ')
}

function ranksOf(
  children: readonly NominatedChild[],
  scoreOf: (child: NominatedChild) => number,
  most: number,
): NominatedChild[] {
  return children
    .filter((child) => scoreOf(child) > 0)
    .sort((one, other) => scoreOf(other) - scoreOf(one) || one.key - other.key)
    .slice(0, most)
}
