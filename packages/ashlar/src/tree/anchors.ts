import { seamHash } from '../chunk/seam-hash.ts'

/** How far around a place text is looked at where the text next to it does not tell two places apart. */
const further = 48

/** A place that may become an anchor. */
export interface AnchorPoint {
  readonly at: number
  /** How far into the text it stands, in the unit of `near`. */
  readonly place: number
  /** How willingly the text is cut here. */
  readonly strength: number
  /** Of the text next to it, see {@link seamHash}; among equally strong points the greater one wins. */
  readonly hash: number
}

/**
 * Of points in rising order, those that outrank every other point nearer than `near`, and are no nearer to either end of the text,
 * which is `length` long.
 *
 * Whether a point is one depends on the text around it and on nothing further away, so cuts made at anchors stay where they are
 * when a document is edited elsewhere. Two anchors are never nearer than `near`.
 */
export function anchors(text: string, points: readonly AnchorPoint[], length: number, near: number): boolean[] {
  const kept = points.map(({ place }) => place >= near && length - place >= near)
  // For each point the nearest one on either side that outranks it: the top of a stack from which the outranked are taken.
  const stack: number[] = []
  for (const [index, point] of points.entries()) {
    while (stack.length > 0 && outranks(text, point, points[stack.at(-1) as number] as AnchorPoint)) {
      const loser = stack.pop() as number
      if (point.place - (points[loser] as AnchorPoint).place < near) kept[loser] = false
    }
    const above = stack.at(-1)
    if (above !== undefined && point.place - (points[above] as AnchorPoint).place < near) kept[index] = false
    stack.push(index)
  }
  return kept
}

/**
 * Whether a later point is strictly better; of two that are alike in all, the first stays. Text further away is looked at only among
 * equals: few edits then change a choice, and entries of lists and forms that begin alike are told apart all the same.
 */
function outranks(text: string, later: AnchorPoint, earlier: AnchorPoint): boolean {
  if (later.strength !== earlier.strength) return later.strength > earlier.strength
  if (later.hash !== earlier.hash) return later.hash > earlier.hash
  return seamHash(text, later.at, further) > seamHash(text, earlier.at, further)
}
