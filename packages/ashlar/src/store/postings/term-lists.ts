import type { LiveSegment } from './live-segment.ts'
import { damagedIndex } from './page-seal.ts'
import { decodeList, entryWidth, findTerm, type PostingPage } from './posting-page.ts'

/** The live postings of one term in one segment, both fields together; arrays are used again for the next term. */
export class TermLists {
  places: Uint32Array = new Uint32Array(4096)
  counts: Uint32Array = new Uint32Array(4096)
  #generated = { places: new Uint32Array(0), counts: new Uint32Array(0) }

  /** Writes the term's postings from `into` on and returns how many there are. */
  gather(segment: LiveSegment, pages: readonly PostingPage[], term: Uint8Array, into: number): number {
    const entries = pages.map((page) => findTerm(page, term) * entryWidth)
    let own = 0
    let generated = 0
    for (const [at, { entries: numbers }] of pages.entries()) {
      const base = entries[at] as number
      if (base < 0) continue
      own += numbers[base] as number
      generated += numbers[base + 3] as number
    }
    if (own > segment.table.count || generated > segment.table.count) throw damagedIndex('page of postings', 'a list is too long')
    this.#room(into + own + generated)
    let written = into
    for (const [at, { entries: numbers, bytes }] of pages.entries()) {
      const base = entries[at] as number
      if (base < 0) continue
      const [count = 0, start = 0, end = 0] = numbers.subarray(base, base + 3)
      written += decodeList({ bytes, start, end, count }, this, written, segment.dead, segment.table.count)
    }
    return generated === 0 ? written - into : this.#gatherGenerated(segment, pages, entries, generated, into, written)
  }

  #gatherGenerated(
    segment: LiveSegment,
    pages: readonly PostingPage[],
    entries: readonly number[],
    most: number,
    into: number,
    ownEnd: number,
  ): number {
    if (this.#generated.places.length < most) this.#generated = { places: new Uint32Array(most), counts: new Uint32Array(most) }
    const generated = this.#generated
    let length = 0
    for (const [at, { entries: numbers, bytes }] of pages.entries()) {
      const base = entries[at] as number
      if (base < 0) continue
      const [, , start = 0, count = 0, end = 0] = numbers.subarray(base, base + entryWidth)
      length += decodeList({ bytes, start, end, count }, generated, length, segment.dead, segment.table.count)
    }
    // Merged from the end, so that nothing is overwritten before it was read.
    let own = ownEnd - 1
    let other = length - 1
    let write = ownEnd + length - 1
    while (other >= 0) {
      const place = generated.places[other] as number
      if (own >= into && (this.places[own] as number) > place) {
        this.places[write] = this.places[own] as number
        this.counts[write--] = this.counts[own--] as number
        continue
      }
      const same = own >= into && this.places[own] === place
      this.places[write] = place
      this.counts[write--] = (generated.counts[other--] as number) + (same ? (this.counts[own--] as number) : 0)
    }
    // What both fields had has left a gap below.
    const gap = write - own
    if (gap > 0) {
      this.places.copyWithin(own + 1, write + 1, ownEnd + length)
      this.counts.copyWithin(own + 1, write + 1, ownEnd + length)
    }
    return ownEnd + length - gap - into
  }

  #room(length: number): void {
    if (length <= this.places.length) return
    const places = new Uint32Array(length * 2)
    const counts = new Uint32Array(length * 2)
    places.set(this.places)
    counts.set(this.counts)
    this.places = places
    this.counts = counts
  }
}
