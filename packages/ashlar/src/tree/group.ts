import { strength } from '../chunk/seam.ts'
import { seamHash } from '../chunk/seam-hash.ts'
import type { Measure } from '../text/counter.ts'
import { anchors } from './anchors.ts'

/** Pieces of one level as {@link group} sees them: where each starts, and how strong the seam there is. */
export interface Cuts {
  readonly starts: readonly number[]
  readonly strengths: readonly number[]
}

/** How large groups are, in the unit of the counter. */
export interface GroupSizes {
  /** The most a group may hold. */
  readonly size: number
  /**
   * The least it should: a group ends no earlier where it has a choice, and anchors are this far apart. The nearer, the less far an
   * edit is felt and the smaller are groups; at half of `size` a five-word edit changes 1.1 groups on average, and a group holds two
   * thirds of what it may (`npm run laws -- tree`).
   */
  readonly least: number
}

/**
 * Joins neighbouring pieces into groups. Groups always end at anchors; between two of them by the rules of the packer: at the
 * strongest seam in the second half of what fits, a hash choosing among equals.
 *
 * Gives the index of each group's first piece.
 */
export function group(text: string, pieces: Cuts, { size, least }: GroupSizes, measure: Measure): number[] {
  const { starts } = pieces
  const count = starts.length
  const startOf = (index: number): number => (index < count ? (starts[index] as number) : text.length)
  const isEnd = ends(text, pieces, least, measure)
  const firsts: number[] = []
  let stop = 0
  for (let first = 0; first < count; ) {
    firsts.push(first)
    if (stop <= first) {
      stop = first + 1
      while (stop < count && isEnd[stop] === false) stop++
    }
    const start = startOf(first)
    const reach = measure.reach(start, size)
    // At least one piece, and no more than fit: a prefix of tokens can count more than the reach says.
    let last = first + 1
    while (last < stop && startOf(last + 1) <= reach) last++
    while (last > first + 1 && measure.count(start, startOf(last)) > size) last--
    if (last === stop) first = stop
    else {
      const length = Math.floor(((reach - start) * least) / size)
      first = strongest(text, pieces, { first, last, low: start + length, ceiling: startOf(stop) - length })
    }
  }
  return firsts
}

/** Which pieces begin a group whatever stands before them. */
function ends(text: string, { starts, strengths }: Cuts, near: number, measure: Measure): boolean[] {
  let place = 0
  const points = starts.map((at, index) => {
    // Counted from piece to piece, so that the whole costs one pass.
    if (index > 0) place += measure.count(starts[index - 1] as number, at)
    return { at, place, strength: strengths[index] as number, hash: seamHash(text, at) }
  })
  const length = place + measure.count(starts.at(-1) ?? 0, text.length)
  return anchors(text, points, length, near).map((anchor, index) => anchor || strengths[index] === strength.always)
}

interface Choice {
  readonly first: number
  readonly last: number
  readonly low: number
  readonly ceiling: number
}

/** The piece to begin the next group with: at the strongest seam from `low` to `last`. */
function strongest(text: string, { starts, strengths }: Cuts, { first, last, low, ceiling }: Choice): number {
  let lowest = last
  while (lowest > first + 1 && (starts[lowest - 1] as number) >= low) lowest--
  // What follows should not be a short rest, if there is a choice.
  let highest = last
  while (highest > lowest && (starts[highest] as number) > ceiling) highest--
  let chosen = highest
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (let index = lowest; index <= highest; index++) {
    const value = strengths[index] as number
    if (value < best) continue
    const hash = seamHash(text, starts[index] as number)
    if (value > best || hash <= least) {
      best = value
      least = hash
      chosen = index
    }
  }
  return chosen
}
