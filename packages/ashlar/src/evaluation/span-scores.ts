import { AshlarError } from '../error/ashlar-error.ts'
import type { DocumentSpan } from './document-span.ts'
import { sharedSize, sizeOf, unionOf } from './span-sets.ts'

/** How well what was found covers what was wanted; each from 0 to 1. */
export interface SpanScores {
  /** Share of the evidence that was found. */
  readonly recall: number
  /** Share of what was found that is evidence. */
  readonly precision: number
  /** What is both, as a share of what is either. */
  readonly iou: number
}

/** How spans are counted. */
export interface SpanScoresOptions {
  /**
   * Whether a stretch that was found twice is read twice. Chroma's reference counts the sum of the lengths of what was retrieved, so
   * that overlap costs precision; `once` counts the union. @default 'count'
   */
  readonly repeats?: 'count' | 'once'
}

/**
 * Recall, precision and intersection over union of spans, in characters, as Chroma's chunking evaluation defines them.
 *
 * What was found in other documents counts as read. Evidence that overlaps itself is counted once, where the reference adds it up twice;
 * its own questions have none of that.
 *
 * @throws AshlarError INVALID_OPTION without evidence: such a question has no recall.
 *
 * @example
 * const gold = [{ document: 'walls', start: 100, end: 200 }]
 * const found = [{ document: 'walls', start: 150, end: 250 }]
 * console.log(spanScores(found, gold)) // => { recall: 0.5, precision: 0.5, iou: 0.3333333333333333 }
 */
export function spanScores(
  found: readonly DocumentSpan[],
  gold: readonly DocumentSpan[],
  { repeats = 'count' }: SpanScoresOptions = {},
): SpanScores {
  const wanted = unionOf(gold)
  const size = sizeOf(wanted)
  if (size === 0) throw noEvidence()
  const covered = unionOf(found)
  const shared = sharedSize(covered, wanted)
  const read = repeats === 'once' ? sizeOf(covered) : found.reduce((sum, { start, end }) => sum + end - start, 0)
  return { recall: shared / size, precision: read === 0 ? 0 : shared / read, iou: shared / (read + size - shared) }
}

/** Judging a question that nothing answers would make a number of nothing. */
export function noEvidence(): AshlarError {
  return new AshlarError(
    'INVALID_OPTION',
    'There is no evidence to find: leave such questions out, or judge them by what should not be found.',
  )
}
