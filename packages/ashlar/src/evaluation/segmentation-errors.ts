import { AshlarError } from '../error/ashlar-error.ts'

/** Errors of a segmentation beside a reference, from 0 to 1; lower is better. */
export interface SegmentationErrors {
  /** Share of window positions whose two ends are in one segment here and in two there: Pk (Beeferman and others). */
  readonly pk: number
  /** Share of window positions with another number of boundaries between the ends: WindowDiff (Pevzner and Hearst). */
  readonly windowDiff: number
}

export interface SegmentationOptions {
  /**
   * Units between the two ends of the window.
   * @default half of the mean length of a reference segment, at least 2; halves to the even number, as the usual tools in Python do
   */
  readonly window?: number
}

/**
 * Pk and WindowDiff of a segmentation, both given as the lengths of their segments, in order: `[3, 2]` cuts five units after the third.
 *
 * A window of `k` has `n - k` positions in `n` units. A text that is shorter than the window has no errors to count and gets 0.
 *
 * @throws AshlarError INVALID_OPTION where the two do not have the same number of units, or a length is no positive whole number.
 *
 * @example
 * console.log(segmentationErrors([3, 3], [6])) // => { pk: 0.5, windowDiff: 0.5 }
 */
export function segmentationErrors(
  reference: readonly number[],
  hypothesis: readonly number[],
  options: SegmentationOptions = {},
): SegmentationErrors {
  const wanted = segmentNumbers(reference)
  const given = segmentNumbers(hypothesis)
  const units = wanted.length
  if (given.length !== units) throw invalid(`one has ${units} units and the other ${given.length}`)
  const { window = Math.max(2, roundedToEven(units / (2 * Math.max(1, reference.length)))) } = options
  if (!Number.isSafeInteger(window) || window < 1) throw invalid(`a window of ${String(window)} units`)
  let apart = 0
  let different = 0
  for (let at = 0; at + window < units; at++) {
    const inReference = (wanted[at + window] as number) - (wanted[at] as number)
    const inHypothesis = (given[at + window] as number) - (given[at] as number)
    if ((inReference === 0) !== (inHypothesis === 0)) apart++
    if (inReference !== inHypothesis) different++
  }
  const positions = Math.max(1, units - window)
  return { pk: apart / positions, windowDiff: different / positions }
}

function roundedToEven(number: number): number {
  const rounded = Math.round(number)
  return rounded - number === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded
}

/** For each unit, the number of the segment it is in. */
function segmentNumbers(lengths: readonly number[]): Uint32Array {
  let units = 0
  for (const length of lengths) {
    if (!Number.isSafeInteger(length) || length < 1) throw invalid(`a segment of ${String(length)} units`)
    units += length
  }
  const numbers = new Uint32Array(units)
  let at = 0
  for (const [number, length] of lengths.entries()) {
    numbers.fill(number, at, at + length)
    at += length
  }
  return numbers
}

function invalid(why: string): AshlarError {
  return new AshlarError('INVALID_OPTION', `These segmentations cannot be compared: ${why}.`)
}
