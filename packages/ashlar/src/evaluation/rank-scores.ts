import { noEvidence } from './span-scores.ts'

/**
 * Share of what is relevant among the first `k`. An item that is ranked twice takes two places and is found once.
 *
 * @throws AshlarError INVALID_OPTION where nothing is relevant, as all scores here.
 *
 * @example
 * console.log(recallAt(['b', 'a', 'c'], ['a', 'd'], 2)) // => 0.5
 */
export function recallAt<Item>(ranked: readonly Item[], relevant: Iterable<Item>, k: number): number {
  const wanted = relevantOf(relevant)
  return foundIn(ranked, wanted, k) / wanted.size
}

/** Share of the first `k` that is relevant; places that nothing was ranked for count as missed. */
export function precisionAt<Item>(ranked: readonly Item[], relevant: Iterable<Item>, k: number): number {
  return foundIn(ranked, relevantOf(relevant), k) / k
}

/** 1 if anything relevant is among the first `k`, else 0: recall_any@k of LongMemEval, success@k elsewhere. */
export function anyAt<Item>(ranked: readonly Item[], relevant: Iterable<Item>, k: number): number {
  return Math.sign(foundIn(ranked, relevantOf(relevant), k))
}

/**
 * Pass@k of Anthropic's contextual retrieval: share of the golden texts that equal one of the first `k` texts, white space around them
 * aside. Chunks are told apart by what they say and not by where they stand, and a golden text that is listed twice counts twice.
 */
export function passAt(ranked: readonly string[], golden: readonly string[], k: number): number {
  if (golden.length === 0) throw noEvidence()
  const first = new Set(ranked.slice(0, k).map((text) => text.trim()))
  return golden.filter((text) => first.has(text.trim())).length / golden.length
}

/** One over the rank of the first that is relevant among the first `k`, or 0. Its mean over questions is MRR@k. @param k all unless given */
export function reciprocalRank<Item>(ranked: readonly Item[], relevant: Iterable<Item>, k: number = ranked.length): number {
  const wanted = relevantOf(relevant)
  const at = ranked.slice(0, k).findIndex((item) => wanted.has(item))
  return at === -1 ? 0 : 1 / (at + 1)
}

/**
 * Normalised discounted cumulative gain of the first `k`: gains divided by log2 of the rank plus one, as a share of the best possible order.
 * Grades are gains as they are, as trec_eval has it; without grades everything relevant gains 1.
 *
 * @param relevant what is relevant, or a grade for each; grades of 0 and less count nothing.
 */
export function ndcgAt<Item>(ranked: readonly Item[], relevant: Iterable<Item> | ReadonlyMap<Item, number>, k: number): number {
  const graded = relevant instanceof Map
  const grades = new Map<Item, number>(graded ? relevant : Array.from(relevant as Iterable<Item>, (item) => [item, 1]))
  const positive = [...grades.values()].filter((grade) => grade > 0)
  if (positive.length === 0) throw noEvidence()
  const best = cumulated(positive.toSorted((left, right) => right - left).slice(0, k))
  const gains = ranked.slice(0, k).map((item) => {
    const gain = Math.max(0, grades.get(item) ?? 0)
    grades.delete(item)
    return gain
  })
  return cumulated(gains) / best
}

function cumulated(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0)
}

function relevantOf<Item>(relevant: Iterable<Item>): ReadonlySet<Item> {
  const wanted = new Set(relevant)
  if (wanted.size === 0) throw noEvidence()
  return wanted
}

function foundIn<Item>(ranked: readonly Item[], wanted: ReadonlySet<Item>, k: number): number {
  let found = 0
  for (const item of new Set(ranked.slice(0, k))) if (wanted.has(item)) found++
  return found
}
