import { BestPieces } from './best-pieces.ts'
import type { LevelRuns } from './child-table.ts'
import { type DocumentNumbers, indexOfKey } from './document-numbers.ts'
import type { LiveSegment } from './live-segment.ts'
import type { PlaceRanges, PostingPage } from './posting-page.ts'
import type { PostingsQuery, PostingsResult, ScoredChild } from './postings-query.ts'
import { termBytes } from './term-bytes.ts'
import { TermLists } from './term-lists.ts'

const k1 = 1.2
const b = 0.75
const base = k1 * (1 - b)

/** Length in words at which a piece of each level is neither long nor short. Fixed, so that no score changes when others come. */
const pivots = { child: 20, parent: 80, section: 240, document: 1000 } as const
const slopes = {
  child: (k1 * b) / pivots.child,
  parent: (k1 * b) / pivots.parent,
  section: (k1 * b) / pivots.section,
  document: (k1 * b) / pivots.document,
} as const

/** What a term that `frequency` of `count` children hold is worth. */
function termWorth(count: number, frequency: number): number {
  return Math.log(1 + (count + 1000 - frequency + 0.5) / (frequency + 0.5))
}

/** Everything a query is scored on, read already. */
export interface ScoringInput {
  readonly segments: readonly LiveSegment[]
  readonly documents: DocumentNumbers
  readonly count: number
  /** For each segment and term the pages that may hold its postings. */
  readonly pages: (segment: number, term: number) => readonly PostingPage[]
  /** Place of a child in a segment by its key, -1 when it is not there. */
  readonly placeOf: (segment: number, key: number) => number
}

const byTerms = 1
const byOthers = 2

interface SegmentScores {
  readonly child: Float64Array
  readonly parent: Float64Array
  readonly section: Float64Array
}

/**
 * BM25 of every child that holds a term of the query, and of the parents, sections and documents around them, exactly; then the best of
 * each level and what they nominate. Counts of a level are sums over its children, so one walk through the lists serves all four.
 */
export function scoreQuery(input: ScoringInput, query: PostingsQuery): PostingsResult {
  const { segments, documents, count } = input
  const frequencies = new Map<string, number>()
  const scores = segments.map(
    ({ table }): SegmentScores => ({
      child: new Float64Array(table.count),
      parent: new Float64Array(table.parents.keys.length),
      section: new Float64Array(table.sections.keys.length),
    }),
  )
  const documentScores = new Float64Array(documents.keys.length)
  const allowed = query.documents === undefined ? undefined : markDocuments(documents, query.documents)
  const lists = new TermLists()
  const sums = new DocumentSums(documents)
  const least = isExhaustive(input, query) ? Number.POSITIVE_INFINITY : commonFrom(count)
  const common: CommonTerm[] = []
  let rare = 0
  for (const [at, { term, weight }] of query.terms.entries()) {
    const bytes = termBytes(term)
    const told = countAll(input, lists, at, bytes)
    const ends = told > least ? [] : gatherAll(input, lists, at, bytes)
    const frequency = told > least ? told : (ends.at(-1) ?? 0)
    if (frequency === 0) continue
    frequencies.set(term, frequency)
    const boost = weight * termWorth(count, frequency) * (k1 + 1)
    if (frequency > least) common.push({ at, bytes, boost })
    else {
      rare++
      addAll(input, scores, lists, ends, boost, sums, { documents: allowed })
      sums.flush(documentScores, boost)
    }
  }
  const pool = { input, query, scores, documentScores, allowed }
  // Where all terms are common, they are all there is to nominate by.
  let marks = rare === 0 ? undefined : mark(pool)
  const within: Within = marks === undefined ? { documents: allowed } : surroundings(input, marks)
  for (const { at, bytes, boost } of common) {
    addAll(input, scores, lists, gatherAll(input, lists, at, bytes, within.ranges), boost, sums, within)
    sums.flush(documentScores, boost)
  }
  marks ??= mark(pool)
  return { children: collect(pool, marks), count, frequencies }
}

/** A term that so many children hold that it says little about any: it nominates nobody, but counts for those that others nominated. */
interface CommonTerm {
  /** Its place in the query. */
  readonly at: number
  readonly bytes: Uint8Array
  readonly boost: number
}

/** Above this frequency a term is common. Small collections have none: there every term may nominate. */
function commonFrom(count: number): number {
  return Math.max(2000, count / 20)
}

function isExhaustive({ documents, count }: ScoringInput, { limits }: PostingsQuery): boolean {
  return limits.child >= count || limits.document >= documents.keys.length
}

/** How many children hold a term, where that can be told without reading its lists; else -1. */
function countAll({ segments, pages }: ScoringInput, lists: TermLists, at: number, term: Uint8Array): number {
  let sum = 0
  for (const [number, segment] of segments.entries()) {
    const found = lists.count(segment, pages(number, at), term)
    if (found < 0) return -1
    sum += found
  }
  return sum
}

/** Reads the lists of a term, one segment behind the other, and returns where each ends. */
function gatherAll(
  { segments, pages }: ScoringInput,
  lists: TermLists,
  at: number,
  term: Uint8Array,
  ranges?: readonly PlaceRanges[],
): number[] {
  let end = 0
  return segments.map((segment, number) => {
    end += lists.gather(segment, pages(number, at), term, end, ranges?.[number])
    return end
  })
}

/** The documents that count at all, and of them the sections, for each segment; all where nothing is said. */
interface Within {
  readonly documents: Uint8Array | undefined
  readonly sections?: readonly Uint8Array[]
  /** Where the documents lie in each segment. */
  readonly ranges?: readonly PlaceRanges[]
}

function addAll(
  { segments, documents }: ScoringInput,
  scores: readonly SegmentScores[],
  lists: TermLists,
  ends: readonly number[],
  boost: number,
  sums: DocumentSums,
  within: Within,
): void {
  let from = 0
  for (const [number, to] of ends.entries()) {
    if (to > from) {
      const numbers = documents.of[number] as Uint32Array
      addTerm(
        segments[number]!,
        scores[number]!,
        lists,
        from,
        to,
        boost,
        numbers,
        sums,
        within.documents,
        within.sections?.[number],
      )
    }
    from = to
  }
}

/** The documents and sections around what is marked. */
function surroundings({ segments, documents }: ScoringInput, marks: readonly Uint8Array[]): Within {
  const inDocuments = new Uint8Array(documents.keys.length)
  const sections = segments.map(({ table }, group) => {
    const inSections = new Uint8Array(table.sections.keys.length)
    const numbers = documents.of[group] as Uint32Array
    const marked = marks[group] as Uint8Array
    for (let place = 0; place < marked.length; place++) {
      if (marked[place] === 0) continue
      inSections[table.sections.of[place] as number] = 1
      inDocuments[numbers[table.documents.of[place] as number] as number] = 1
    }
    return inSections
  })
  const ranges = segments.map(({ table }, group) => {
    const numbers = documents.of[group] as Uint32Array
    const found: number[] = []
    for (let at = 0; at < numbers.length; at++) {
      if (inDocuments[numbers[at] as number] === 1)
        found.push(table.documents.first[at] as number, table.documents.first[at + 1] as number)
    }
    return Uint32Array.from(found)
  })
  return { documents: inDocuments, sections, ranges }
}

/** Adds what one term is worth to the pieces of one segment; what documents hold of it is summed up over segments first. */
function addTerm(
  { table, lengths, parentLengths, sectionLengths }: LiveSegment,
  scores: SegmentScores,
  { places, counts }: TermLists,
  from: number,
  to: number,
  boost: number,
  numbers: Uint32Array,
  sums: DocumentSums,
  inDocuments: Uint8Array | undefined,
  inSections: Uint8Array | undefined,
): void {
  const { child, parent, section } = scores
  const { first: documentFirst, of: documentOf } = table.documents
  const { first: sectionFirst, of: sectionOf } = table.sections
  const { first: parentFirst, of: parentOf } = table.parents
  let at = from
  // Pieces lie side by side, so each level is a run of postings within the one above.
  while (at < to) {
    const documentAt = documentOf[places[at] as number] as number
    const documentEnd = documentFirst[documentAt + 1] as number
    const number = numbers[documentAt] as number
    if (inDocuments !== undefined && inDocuments[number] === 0) {
      while (at < to && (places[at] as number) < documentEnd) at++
      continue
    }
    let documentCount = 0
    while (at < to && (places[at] as number) < documentEnd) {
      const sectionAt = sectionOf[places[at] as number] as number
      const sectionEnd = sectionFirst[sectionAt + 1] as number
      if (inSections !== undefined && inSections[sectionAt] === 0) {
        for (; at < to && (places[at] as number) < sectionEnd; at++) documentCount += counts[at] as number
        continue
      }
      let sectionCount = 0
      while (at < to && (places[at] as number) < sectionEnd) {
        const parentAt = parentOf[places[at] as number] as number
        const parentEnd = parentFirst[parentAt + 1] as number
        let parentCount = 0
        for (; at < to; at++) {
          const place = places[at] as number
          if (place >= parentEnd) break
          const times = counts[at] as number
          child[place] = (child[place] as number) + (boost * times) / (times + base + slopes.child * (lengths[place] as number))
          parentCount += times
        }
        parent[parentAt] =
          (parent[parentAt] as number) +
          (boost * parentCount) / (parentCount + base + slopes.parent * (parentLengths[parentAt] as number))
        sectionCount += parentCount
      }
      section[sectionAt] =
        (section[sectionAt] as number) +
        (boost * sectionCount) / (sectionCount + base + slopes.section * (sectionLengths[sectionAt] as number))
      documentCount += sectionCount
    }
    sums.add(number, documentCount)
  }
}

/** How often a term stands in each document, over all segments. */
class DocumentSums {
  readonly #counts: Float64Array
  readonly #lengths: Float64Array
  #touched: Uint32Array = new Uint32Array(1024)
  #length = 0

  constructor({ keys, lengths }: DocumentNumbers) {
    this.#counts = new Float64Array(keys.length)
    this.#lengths = lengths
  }

  add(document: number, times: number): void {
    const known = this.#counts[document] as number
    this.#counts[document] = known + times
    if (known !== 0) return
    if (this.#length === this.#touched.length) {
      const larger = new Uint32Array(this.#length * 2)
      larger.set(this.#touched)
      this.#touched = larger
    }
    this.#touched[this.#length++] = document
  }

  flush(scores: Float64Array, boost: number): void {
    for (let at = 0; at < this.#length; at++) {
      const document = this.#touched[at] as number
      const count = this.#counts[document] as number
      scores[document] =
        (scores[document] as number) + (boost * count) / (count + base + slopes.document * (this.#lengths[document] as number))
      this.#counts[document] = 0
    }
    this.#length = 0
  }
}

function markDocuments({ keys }: DocumentNumbers, allowed: readonly number[]): Uint8Array {
  const marks = new Uint8Array(keys.length)
  for (const key of allowed) {
    const at = indexOfKey(keys, key)
    if (at >= 0) marks[at] = 1
  }
  return marks
}

interface Pool {
  readonly input: ScoringInput
  readonly query: PostingsQuery
  readonly scores: readonly SegmentScores[]
  readonly documentScores: Float64Array
  readonly allowed: Uint8Array | undefined
}

/** Marks the best of each level, everything they hold, and what others nominated. */
function mark({ input, query, scores, documentScores, allowed }: Pool): Uint8Array[] {
  const { segments, documents, placeOf } = input
  const { limits, children = [] } = query
  const marks = segments.map(({ table }) => new Uint8Array(table.count))
  const best = {
    child: new BestPieces(limits.child),
    parent: new BestPieces(limits.parent),
    section: new BestPieces(limits.section),
    document: new BestPieces(limits.document),
  }
  for (const [group, { table }] of segments.entries()) {
    const { child, parent, section } = scores[group] as SegmentScores
    offerAll(best.child, child, table.keys, group)
    offerAll(best.parent, parent, table.parents.keys, group)
    offerAll(best.section, section, table.sections.keys, group)
  }
  offerAll(best.document, documentScores, documents.keys, 0)
  for (const { group, item } of best.child.taken()) (marks[group] as Uint8Array)[item] = byTerms
  for (const { group, item } of best.parent.taken()) markRun(marks[group]!, segments[group]!.table.parents, item)
  for (const { group, item } of best.section.taken()) markRun(marks[group]!, segments[group]!.table.sections, item)
  const chosen = new Uint8Array(documents.keys.length)
  for (const { item } of best.document.taken()) chosen[item] = 1
  for (const [group, numbers] of documents.of.entries()) {
    for (let at = 0; limits.document > 0 && at < numbers.length; at++) {
      if (chosen[numbers[at] as number] === 1) markRun(marks[group]!, segments[group]!.table.documents, at)
    }
  }
  for (const key of children) {
    for (const [group, { table }] of segments.entries()) {
      const place = placeOf(group, key)
      if (place < 0) continue
      const document = documents.of[group]![table.documents.of[place] as number] as number
      if (allowed === undefined || allowed[document] === 1) marks[group]![place] = byOthers
    }
  }
  return marks
}

/** What is marked and alive, with all four scores. */
function collect({ input, query, scores, documentScores }: Pool, marks: readonly Uint8Array[]): ScoredChild[] {
  const { segments, documents } = input
  const { most = Number.POSITIVE_INFINITY } = query
  const kept = new BestPieces(most)
  const found: ScoredChild[] = []
  for (const [group, { table, dead }] of segments.entries()) {
    const marked = marks[group] as Uint8Array
    for (let place = 0; place < marked.length; place++) {
      if (marked[place] === 0 || dead?.[place] === 1) continue
      if (marked[place] === byOthers || most === Number.POSITIVE_INFINITY) found.push(scored(group, place))
      else kept.offer(total(group, place), table.keys[place] as number, group, place)
    }
  }
  for (const { group, item } of kept.taken()) found.push(scored(group, item))
  return found.sort((one, other) => one.key - other.key)

  function total(group: number, place: number): number {
    const { parents, sections, documents: runs } = (segments[group] as LiveSegment).table
    const { child, parent, section } = scores[group] as SegmentScores
    const document = documents.of[group]![runs.of[place] as number] as number
    const above = (parent[parents.of[place] as number] as number) + (section[sections.of[place] as number] as number)
    return (child[place] as number) + above + (documentScores[document] as number)
  }

  function scored(group: number, place: number): ScoredChild {
    const { table } = segments[group] as LiveSegment
    const { child, parent, section } = scores[group] as SegmentScores
    const parentAt = table.parents.of[place] as number
    const sectionAt = table.sections.of[place] as number
    const documentAt = table.documents.of[place] as number
    return {
      key: table.keys[place] as number,
      parent: table.parents.keys[parentAt] as number,
      section: table.sections.keys[sectionAt] as number,
      document: table.documents.keys[documentAt] as number,
      lexical: {
        child: child[place] as number,
        parent: parent[parentAt] as number,
        section: section[sectionAt] as number,
        document: documentScores[documents.of[group]![documentAt] as number] as number,
      },
    }
  }
}

function offerAll(best: BestPieces, scores: Float64Array, keys: Float64Array, group: number): void {
  let least = best.least
  for (let item = 0; item < scores.length; item++) {
    const score = scores[item] as number
    if (score === 0 || score < least) continue
    best.offer(score, keys[item] as number, group, item)
    least = best.least
  }
}

function markRun(marks: Uint8Array, { first }: LevelRuns, piece: number): void {
  marks.fill(byTerms, first[piece] as number, first[piece + 1] as number)
}
