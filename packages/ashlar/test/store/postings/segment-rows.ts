import { buildSegment } from '../../../src/store/postings/build-segment.ts'
import { mergeSegments } from '../../../src/store/postings/merge-segments.ts'
import { packPlaces } from '../../../src/store/postings/places.ts'
import { openPostings } from '../../../src/store/postings/postings.ts'
import { PostingsCache } from '../../../src/store/postings/postings-cache.ts'
import type { SegmentChild } from '../../../src/store/postings/segment-child.ts'
import type { SegmentReader } from '../../../src/store/postings/segment-source.ts'

/** Segments and tombstones as an engine keeps them, and what a store does to them. */
export class SegmentRows implements SegmentReader {
  readonly #segments = new Map<number, Uint8Array[]>()
  #tombstones: { readonly segment: number; readonly places: Uint8Array }[] = []
  readonly cache: PostingsCache
  pagesRead = 0
  #next = 1

  constructor(cache: PostingsCache = new PostingsCache()) {
    this.cache = cache
  }

  segments(): Promise<readonly { readonly id: number; readonly tombstones: number }[]> {
    return Promise.resolve(
      [...this.#segments.keys()].map((id) => ({
        id,
        tombstones: this.#tombstones.filter(({ segment }) => segment === id).length,
      })),
    )
  }

  tombstones(segments: readonly number[]): Promise<readonly { readonly segment: number; readonly places: Uint8Array }[]> {
    return Promise.resolve(this.#tombstones.filter(({ segment }) => segments.includes(segment)))
  }

  pages(wanted: readonly { readonly segment: number; readonly page: number }[]): Promise<readonly Uint8Array[]> {
    this.pagesRead += wanted.length
    return Promise.resolve(wanted.map(({ segment, page }) => this.#segments.get(segment)![page]!))
  }

  add(children: readonly SegmentChild[]): void {
    this.set(buildSegment(children))
  }

  set(pages: Uint8Array[]): void {
    this.#segments.set(this.#next++, pages)
  }

  all(): Uint8Array[][] {
    return [...this.#segments.values()]
  }

  async bury(documents: readonly number[], children?: ReadonlySet<number>): Promise<void> {
    const postings = await openPostings(this, this.cache)
    for (const { segment, places } of postings.locate(documents, children)) {
      this.#tombstones.push({ segment, places: packPlaces(places) })
    }
  }

  async merge(ids: readonly number[]): Promise<void> {
    const pages = await mergeSegments(this, ids, this.cache)
    for (const id of ids) this.#segments.delete(id)
    this.#tombstones = this.#tombstones.filter(({ segment }) => !ids.includes(segment))
    if (pages !== undefined) this.set(pages)
  }
}
