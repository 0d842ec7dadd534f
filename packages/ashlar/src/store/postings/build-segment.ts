import type { Analysis, NumberedAnalysis } from '../../text/analyse.ts'
import { risingIds } from '../../text/rising-ids.ts'
import { compareRows } from './child-table.ts'
import type { PostingList } from './packed-blocks.ts'
import type { SegmentChild } from './segment-child.ts'
import { SegmentWriter } from './segment-writer.ts'
import { sortedPlaces } from './sorted-places.ts'
import { termBytes } from './term-bytes.ts'

/**
 * The pages of a segment that holds these children: the unit of writing. All live children of one section belong into one segment, since
 * what a section and its parents score is summed within it.
 */
export function buildSegment(children: readonly SegmentChild<Analysis | NumberedAnalysis>[]): Uint8Array[] {
  const sorted = isSorted(children) ? children : [...children].sort(compareRows)
  const writer = new SegmentWriter(
    sorted.map(({ key, parent, section, document, own, generated }) => ({
      key,
      parent,
      section,
      document,
      ownLength: own.length,
      generatedLength: generated?.length ?? 0,
    })),
    sorted.length,
  )
  const terms = new SegmentTerms()
  const own = new FieldPostings(sorted.reduce((sum, child) => sum + child.own.counts.length, 0))
  const generated = new FieldPostings(sorted.reduce((sum, child) => sum + (child.generated?.counts.length ?? 0), 0))
  for (const [place, child] of sorted.entries()) {
    own.add(place, child.own, terms)
    if (child.generated !== undefined) generated.add(place, child.generated, terms)
    for (const { embedding, ids } of child.pieces ?? []) writer.pieces(embedding).add(place, risingIds(ids))
  }
  const ownLists = own.byTerm(terms.names.length)
  const generatedLists = generated.byTerm(terms.names.length)
  for (const number of sortedPlaces(terms.names))
    writer.term(termBytes(terms.names[number] as string), ownLists(number), generatedLists(number))
  return writer.finish()
}

function isSorted(children: readonly SegmentChild<Analysis | NumberedAnalysis>[]): boolean {
  for (let at = 1; at < children.length; at++) {
    if (compareRows(children[at - 1] as TableKeys, children[at] as TableKeys) > 0) return false
  }
  return true
}

type TableKeys = Parameters<typeof compareRows>[0]

/** The terms of a segment, numbered in the order in which they are met. */
class SegmentTerms {
  readonly names: string[] = []
  /** For a list of names: the number here of each of them, plus 1. */
  #known: Uint32Array = new Uint32Array(0)
  #knownOf: readonly string[] | undefined
  /** Only where names come from more than one list. */
  #byName: Map<string, number> | undefined

  /** The numbers here of the names of a list, plus 1; 0 where {@link add} has to be asked. */
  numbersOf(names: readonly string[]): Uint32Array {
    if (this.#knownOf !== names) {
      if (this.#knownOf !== undefined) this.#byName ??= new Map(this.names.map((name, number) => [name, number]))
      this.#knownOf = names
      this.#known = new Uint32Array(names.length)
    } else if (this.#known.length < names.length) {
      const larger = new Uint32Array(names.length)
      larger.set(this.#known)
      this.#known = larger
    }
    return this.#known
  }

  add(name: string): number {
    const known = this.#byName?.get(name)
    if (known !== undefined) return known
    this.#byName?.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

/** All postings of one field, first in the order of children, then in that of terms. */
class FieldPostings {
  /** Term, place and count of each posting, side by side. */
  readonly #postings: Uint32Array
  #length = 0

  /** There will be no more than `most` postings. */
  constructor(most: number) {
    this.#postings = new Uint32Array(3 * most)
  }

  add(place: number, analysis: Analysis | NumberedAnalysis, terms: SegmentTerms): void {
    const { counts } = analysis
    const names = 'names' in analysis ? analysis.names : analysis.terms
    const numbers = 'names' in analysis ? analysis.numbers : undefined
    const known = terms.numbersOf(names)
    for (let at = 0; at < counts.length; at++) {
      const count = counts[at] as number
      if (count < 1) continue
      const from = numbers === undefined ? at : (numbers[at] as number)
      let number = known[from] as number
      if (number === 0) {
        number = terms.add(names[from] as string) + 1
        known[from] = number
      }
      this.#push(number - 1, place, count)
    }
  }

  #push(term: number, place: number, count: number): void {
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
