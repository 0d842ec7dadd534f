import { readPlaces } from './places.ts'
import type { SegmentReader } from './postings.ts'

/** A segment as a merge is planned by. */
export interface SegmentSize {
  readonly id: number
  /** Live and dead ones. */
  readonly children: number
  readonly dead: number
}

/**
 * Which segments to merge into one, if any: so few stay that a search is fast, and each child is written again only as often as the
 * logarithm of the index grows.
 */
export function planMerge(segments: readonly SegmentSize[]): number[] {
  return segments.length <= 8 ? [] : segments.map(({ id }) => id)
}

/** How large the live segments are. */
export async function segmentSizes(reader: SegmentReader): Promise<SegmentSize[]> {
  const live = await reader.segments()
  const heads = await reader.pages(live.map(({ id }) => ({ segment: id, page: 0 })))
  const tombstones = await reader.tombstones(live.map(({ id }) => id))
  return live.map(({ id }, at) => ({
    id,
    children: (JSON.parse(new TextDecoder().decode(heads[at])) as unknown[]).length,
    dead: new Set(tombstones.filter(({ segment }) => segment === id).flatMap(({ places }) => readPlaces(places))).size,
  }))
}

/**
 * One segment with the live children of several; undefined when none is live. It takes the place of those segments and their tombstones
 * in one transaction, in which nobody else may add tombstones to them.
 */
export async function mergeSegments(reader: SegmentReader, segments: readonly number[]): Promise<Uint8Array[] | undefined> {
  const tombstones = await reader.tombstones(segments)
  const pages = await reader.pages(segments.map((segment) => ({ segment, page: 0 })))
  const rows = pages.flatMap((page, at) => {
    const dead = new Set(tombstones.filter(({ segment }) => segment === segments[at]).flatMap(({ places }) => readPlaces(places)))
    return (JSON.parse(new TextDecoder().decode(page)) as unknown[]).filter((_, place) => !dead.has(place))
  })
  return rows.length === 0 ? undefined : [new TextEncoder().encode(JSON.stringify(rows))]
}
