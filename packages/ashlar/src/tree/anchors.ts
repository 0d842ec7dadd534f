import { seamHash } from '../chunk/seam-hash.ts'

/** How far around a place text is looked at where the text next to it does not tell two places apart. */
const further = 48

/**
 * A number made of the text around a place: of what is next to it first, so that few edits change it, and only among equals of what
 * stands further away, so that lists and forms whose entries begin alike have anchors too.
 */
export function anchorHash(text: string, at: number): number {
  return seamHash(text, at) * 2 ** 20 + (seamHash(text, at, further) >>> 12)
}

/** A place that may become an anchor. */
export interface AnchorPoint {
  /** How far into the text it stands, in the unit of `near`. */
  readonly place: number
  /** How willingly the text is cut here; among equals the greater hash wins. */
  readonly strength: number
  readonly hash: number
}

/**
 * Of points in rising order, those that outrank every other point nearer than `near`, and are no nearer to either end of the text,
 * which is `length` long.
 *
 * Whether a point is one depends on the text around it and on nothing further away, so cuts made at anchors stay where they are
 * when a document is edited elsewhere. Two anchors are never nearer than `near`.
 */
export function anchors(points: readonly AnchorPoint[], length: number, near: number): boolean[] {
  const kept = points.map(({ place }) => place >= near && length - place >= near)
  // For each point the nearest one on either side that outranks it: the top of a stack from which the outranked are taken.
  const stack: number[] = []
  for (const [index, point] of points.entries()) {
    while (stack.length > 0 && outranks(point, points[stack.at(-1) as number] as AnchorPoint)) {
      const loser = stack.pop() as number
      if (point.place - (points[loser] as AnchorPoint).place < near) kept[loser] = false
    }
    const above = stack.at(-1)
    if (above !== undefined && point.place - (points[above] as AnchorPoint).place < near) kept[index] = false
    stack.push(index)
  }
  return kept
}

/** A later point must be strictly better: of two that are alike in all, the first stays. */
function outranks(later: AnchorPoint, earlier: AnchorPoint): boolean {
  return later.strength !== earlier.strength ? later.strength > earlier.strength : later.hash > earlier.hash
}
