import type { Analysis } from '../../text/analyse.ts'
import { compareRows } from './child-table.ts'
import type { PostingList } from './posting-page.ts'
import type { SegmentChild } from './segment-child.ts'
import { SegmentWriter } from './segment-writer.ts'
import { termBytes } from './term-bytes.ts'

/**
 * The pages of a segment that holds these children: the unit of writing. All live children of one section belong into one segment, since
 * what a section and its parents score is summed within it.
 */
export function buildSegment(children: readonly SegmentChild[]): Uint8Array[] {
  const sorted = [...children].sort(compareRows)
  const writer = new SegmentWriter(
    sorted.map(({ key, parent, section, document, own, generated }) => ({
      key,
      parent,
      section,
      document,
      ownLength: own.length,
      generatedLength: generated?.length ?? 0,
    })),
  )
  const numbers = new Map<string, number>()
  const own = new FieldPostings()
  const generated = new FieldPostings()
  for (const [place, child] of sorted.entries()) {
    own.add(place, child.own, numbers)
    if (child.generated !== undefined) generated.add(place, child.generated, numbers)
    for (const { embedding, ids } of child.pieces ?? []) writer.pieces(embedding, place, Uint32Array.from(new Set(ids)).sort())
  }
  const ownLists = own.byTerm(numbers.size)
  const generatedLists = generated.byTerm(numbers.size)
  for (const term of [...numbers.keys()].sort()) {
    const number = numbers.get(term) as number
    writer.term(termBytes(term), ownLists(number), generatedLists(number))
  }
  return writer.finish()
}

/** All postings of one field, first in the order of children, then in that of terms. */
class FieldPostings {
  /** Term, place and count of each posting, side by side. */
  #postings: Uint32Array = new Uint32Array(3 * 1024)
  #length = 0

  add(place: number, { terms, counts }: Analysis, numbers: Map<string, number>): void {
    for (let at = 0; at < terms.length; at++) {
      const count = counts[at] as number
      if (count < 1) continue
      const term = terms[at] as string
      let number = numbers.get(term)
      if (number === undefined) {
        number = numbers.size
        numbers.set(term, number)
      }
      this.#push(number, place, count)
    }
  }

  #push(term: number, place: number, count: number): void {
    if (this.#length + 3 > this.#postings.length) {
      const larger = new Uint32Array(this.#postings.length * 2)
      larger.set(this.#postings)
      this.#postings = larger
    }
    this.#postings[this.#length++] = term
    this.#postings[this.#length++] = place
    this.#postings[this.#length++] = count
  }

  byTerm(size: number): (term: number) => PostingList {
    const postings = this.#postings
    const ends = new Uint32Array(size + 1)
    for (let at = 0; at < this.#length; at += 3) {
      const after = (postings[at] as number) + 1
      ends[after] = (ends[after] as number) + 1
    }
    for (let term = 0; term < size; term++) ends[term + 1] = (ends[term] as number) + (ends[term + 1] as number)
    const next = ends.slice()
    const places = new Uint32Array(this.#length / 3)
    const counts = new Uint32Array(this.#length / 3)
    for (let at = 0; at < this.#length; at += 3) {
      const term = postings[at] as number
      const into = next[term] as number
      next[term] = into + 1
      places[into] = postings[at + 1] as number
      counts[into] = postings[at + 2] as number
    }
    return (term) => {
      const from = ends[term] as number
      const to = ends[term + 1] as number
      return { places: places.subarray(from, to), counts: counts.subarray(from, to), length: to - from }
    }
  }
}
