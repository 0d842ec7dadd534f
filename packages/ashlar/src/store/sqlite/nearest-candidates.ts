import { type CodeScanner, type HeldBlock, scoreRange } from './code-scanner.ts'
import type { CodeQuery } from './sign-codes.ts'

/**
 * Children whose codes are most like the query, `most` of them, or all where there are no more; of equal ones those with the lowest keys.
 * Only children of `documents` count, where that is given.
 */
export function nearestCandidates(
  scanner: CodeScanner,
  blocks: readonly HeldBlock[],
  query: () => CodeQuery,
  most: number,
  documents: ReadonlySet<number> | undefined,
): readonly number[] {
  const all = blocks.reduce((sum, { count }) => sum + count, 0)
  const allowed = documents === undefined ? undefined : allowedSlots(blocks, documents, all)
  const eligible = allowed === undefined ? all : allowed.reduce((sum, one) => sum + one, 0)
  if (eligible <= most) return collect(blocks, allowed ?? new Uint8Array(all).fill(1), 1, most)
  const scores = scanner.scan(blocks, query())
  // No score is 0, so that what does not count can have it.
  if (allowed !== undefined) for (let slot = 0; slot < all; slot++) (scores[slot] as number) *= allowed[slot] as number
  return collect(blocks, scores, leastOf(scores, most), most)
}

function allowedSlots(blocks: readonly HeldBlock[], wanted: ReadonlySet<number>, all: number): Uint8Array {
  const allowed = new Uint8Array(all)
  let at = 0
  let last = 0
  let isWanted = 0
  for (const { documents, count } of blocks) {
    for (let slot = 0; slot < count; slot++) {
      // Children of one document stand together.
      const document = documents[slot] as number
      if (document !== last) {
        last = document
        isWanted = Number(wanted.has(document))
      }
      allowed[at++] = isWanted
    }
  }
  return allowed
}

/** The highest score that at least `most` slots reach. */
function leastOf(scores: Uint16Array, most: number): number {
  const histogram = new Uint32Array(scoreRange)
  for (let slot = 0; slot < scores.length; slot++) (histogram[scores[slot] as number] as number)++
  let seen = 0
  let score = scoreRange - 1
  for (; score > 1; score--) {
    seen += histogram[score] as number
    if (seen >= most) break
  }
  return score
}

/** Children with more than the least score, and of those that have just that as many as there is room for. */
function collect(blocks: readonly HeldBlock[], scores: Uint16Array | Uint8Array, least: number, most: number): readonly number[] {
  const better: number[] = []
  const equal: number[] = []
  let at = 0
  for (const { children, count } of blocks) {
    for (let slot = 0; slot < count; slot++, at++) {
      const score = scores[at] as number
      if (score < least) continue
      if (score > least) better.push(children[slot] as number)
      else equal.push(children[slot] as number)
    }
  }
  return [...better, ...equal.sort((one, other) => one - other).slice(0, most - better.length)]
}
