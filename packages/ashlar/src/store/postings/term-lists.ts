import type { LiveSegment } from './live-segment.ts'
import { decodeList, type PackedList, type PlaceRanges } from './packed-list.ts'
import { damagedIndex } from './page-seal.ts'
import { findTerm, listAt, type PostingPage } from './posting-page.ts'

/** The live postings of one term in one segment, both fields together; arrays are used again for the next term. */
export class TermLists {
  places: Uint32Array = new Uint32Array(4096)
  counts: Uint32Array = new Uint32Array(4096)
  #generated = { places: new Uint32Array(0), counts: new Uint32Array(0) }

  /** How many live postings the term has in a segment, where that can be told without reading lists; else -1. */
  count(segment: LiveSegment, pages: readonly PostingPage[], term: Uint8Array): number {
    let own = 0
    for (const page of pages) {
      const entry = findTerm(page, term)
      if (entry < 0) continue
      const found = listAt(page, entry, false).count
      if (listAt(page, entry, true).count > 0 || (found > 0 && segment.dead !== undefined)) return -1
      own += found
    }
    return own
  }

  /**
   * Writes the term's postings from the beginning on and returns how many there are: all, or those in ranges of places.
   */
  gather(segment: LiveSegment, pages: readonly PostingPage[], term: Uint8Array, ranges?: PlaceRanges): number {
    const own: PackedList[] = []
    const generated: PackedList[] = []
    for (const page of pages) {
      const entry = findTerm(page, term)
      if (entry < 0) continue
      own.push(listAt(page, entry, false))
      const list = listAt(page, entry, true)
      if (list.count > 0) generated.push(list)
    }
    const most = segment.table.count
    const counted = own.reduce((sum, { count }) => sum + count, 0)
    const others = generated.reduce((sum, { count }) => sum + count, 0)
    if (counted > most || others > most) throw damagedIndex('page of postings', 'a list is too long')
    this.#room(counted + others)
    let written = 0
    for (const list of own) {
      written += decodeList(list, { places: this.places, counts: this.counts, at: written }, segment.dead, most, ranges)
    }
    return generated.length === 0 ? written : this.#addGenerated(segment, generated, others, written, ranges)
  }

  #addGenerated(
    segment: LiveSegment,
    lists: readonly PackedList[],
    most: number,
    ownEnd: number,
    ranges: PlaceRanges | undefined,
  ): number {
    if (this.#generated.places.length < most) this.#generated = { places: new Uint32Array(most), counts: new Uint32Array(most) }
    const generated = this.#generated
    let length = 0
    for (const list of lists) {
      length += decodeList(list, { ...generated, at: length }, segment.dead, segment.table.count, ranges)
    }
    // Merged from the end, so that nothing is overwritten before it was read.
    let own = ownEnd - 1
    let other = length - 1
    let write = ownEnd + length - 1
    while (other >= 0) {
      const place = generated.places[other] as number
      if (own >= 0 && (this.places[own] as number) > place) {
        this.places[write] = this.places[own] as number
        this.counts[write--] = this.counts[own--] as number
        continue
      }
      const same = own >= 0 && this.places[own] === place
      this.places[write] = place
      this.counts[write--] = (generated.counts[other--] as number) + (same ? (this.counts[own--] as number) : 0)
    }
    // What both fields had has left a gap below.
    const gap = write - own
    if (gap > 0) {
      this.places.copyWithin(own + 1, write + 1, ownEnd + length)
      this.counts.copyWithin(own + 1, write + 1, ownEnd + length)
    }
    return ownEnd + length - gap
  }

  #room(length: number): void {
    if (length <= this.places.length) return
    this.places = new Uint32Array(length * 2)
    this.counts = new Uint32Array(length * 2)
  }
}
