import { readPlaces } from './places.ts'
import { PostingsCache } from './postings-cache.ts'
import { readCounts, type SegmentReader } from './segment-source.ts'

/** A segment as a merge is planned by. */
export interface SegmentSize {
  readonly id: number
  /** Live and dead ones. */
  readonly children: number
  readonly dead: number
}

/** A merge makes nothing larger than this, so that it is done in about a second, and others wait no longer. */
const mostMerged = 262_144

/**
 * Which segments to merge into one; none when there are no more than `most` that may still grow and no large part of one is dead.
 *
 * The smallest go first, and with them each that is no larger than everything smaller together, so a child is written again when its
 * segment at least doubles, mostly when it grows tenfold. Segments of half the largest size or more are left alone. So what a child costs
 * is bounded however large the workspace becomes, and there are only a few more segments than it has children by half that size.
 */
export function planMerge(segments: readonly SegmentSize[], most: number = 8): number[] {
  const taken: number[] = []
  let sum = 0
  const take = (segment: SegmentSize): void => {
    taken.push(segment.id)
    sum += live(segment)
  }
  const growing = segments.filter((segment) => live(segment) * 2 <= mostMerged).sort((a, b) => live(a) - live(b) || a.id - b.id)
  for (const segment of growing.length <= most ? [] : growing) {
    const enough = growing.length - taken.length + 1 <= most
    if ((enough && live(segment) > sum) || (taken.length > 1 && sum + live(segment) > mostMerged)) break
    take(segment)
  }
  for (const segment of segments) {
    if (segment.dead * 2 <= segment.children || taken.includes(segment.id)) continue
    if (taken.length === 0 || sum + live(segment) <= mostMerged) take(segment)
  }
  return taken
}

/** Whether a workspace has more than `most` segments that may still grow. Told by their heads alone; the cache has the counts of most. */
export async function isCrowded(
  reader: Pick<SegmentReader, 'pages'>,
  segments: readonly number[],
  most: number,
  cache: PostingsCache,
): Promise<boolean> {
  if (segments.length <= most) return false
  const counts = await readCounts(reader, cache, segments)
  return [...counts.values()].filter((children) => children * 2 <= mostMerged).length > most
}

function live({ children, dead }: SegmentSize): number {
  return children - dead
}

/** How large the live segments are. */
export async function segmentSizes(reader: SegmentReader, cache: PostingsCache = new PostingsCache()): Promise<SegmentSize[]> {
  const listed = await reader.segments()
  const counts = await readCounts(
    reader,
    cache,
    listed.map(({ id }) => id),
  )
  const marked = listed.filter(({ tombstones }) => tombstones > 0).map(({ id }) => id)
  const dead = new Map<number, Set<number>>()
  for (const { segment, places } of marked.length === 0 ? [] : await reader.tombstones(marked)) {
    const known = dead.get(segment) ?? new Set()
    dead.set(segment, known)
    for (const place of readPlaces(places)) known.add(place)
  }
  return listed.map(({ id }) => ({ id, children: counts.get(id) as number, dead: dead.get(id)?.size ?? 0 }))
}
