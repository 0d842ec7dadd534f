import { BestPieces } from './best-pieces.ts'
import type { LevelRuns } from './child-table.ts'
import { type DocumentNumbers, indexOfKey } from './document-numbers.ts'
import type { LiveSegment } from './live-segment.ts'
import type { PlaceRanges } from './packed-list.ts'
import type { PostingPage } from './posting-page.ts'
import type { PostingsQuery, PostingsResult, ScoredChild } from './postings-query.ts'
import type { LevelScores, ScoreRoom, SegmentBoard } from './score-room.ts'
import { termBytes } from './term-bytes.ts'
import type { TermLists } from './term-lists.ts'

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
  readonly room: ScoreRoom
}

const byTerms = 1
const byOthers = 2

/**
 * BM25 of every child that holds a term of the query, and of the parents, sections and documents around them; then the best of each level
 * and what they nominate. Counts of a level are sums over its children, so one walk through the lists serves all four.
 *
 * Terms that many children hold, and in large collections those that are worth least, nominate nobody; everything that is nominated gets
 * its exact scores from all of them.
 */
export function scoreQuery(input: ScoringInput, query: PostingsQuery): PostingsResult {
  try {
    return scoreInRoom(input, query)
  } finally {
    input.room.clear()
  }
}

function scoreInRoom(input: ScoringInput, query: PostingsQuery): PostingsResult {
  const { documents, count } = input
  const terms = weighTerms(input, query)
  const allowed = query.documents === undefined ? undefined : markDocuments(documents, query.documents)
  const nominating = isExhaustive(input, query) ? new Set(terms) : nominatingTerms(terms, count)
  for (const term of terms) if (nominating.has(term)) addAll(input, term, { documents: allowed })
  const first = bestOf(input, query, nominating.size === terms.length ? 1 : passing)
  mark(input, query, allowed, first)
  if (nominating.size < terms.length) {
    const within = surroundings(input)
    for (const term of terms) if (!nominating.has(term)) addAll(input, term, within)
    for (const board of input.room.boards) board.clearMarks()
    mark(input, query, allowed, bestOfBest(input, query, first))
  }
  const frequencies = new Map(terms.map(({ term, frequency }) => [term, frequency]))
  return { children: collect(input, query), count, frequencies }
}

/** A term that some child holds. */
interface WeighedTerm {
  readonly term: string
  /** Its place in the query. */
  readonly at: number
  readonly bytes: Uint8Array
  readonly frequency: number
  readonly boost: number
}

function weighTerms(input: ScoringInput, { terms }: PostingsQuery): readonly WeighedTerm[] {
  return terms.flatMap(({ term, weight }, at): WeighedTerm[] => {
    const bytes = termBytes(term)
    const frequency = countAll(input, at, bytes)
    const boost = weight * termWorth(input.count, frequency) * (k1 + 1)
    return frequency === 0 || boost === 0 ? [] : [{ term, at, bytes, frequency, boost }]
  })
}

/** Postings that are read to nominate. Below a hundred thousand children or so, all that are not common are. */
const mostPostings = 131_072

/** How many times as many as are wanted the nominating terms choose; the others decide among them. */
const passing = 4

/**
 * The terms that nominate: those that are not common, the ones that are worth most first, as long as their postings are not too many.
 * Where all are common, they are all there is to nominate by.
 */
function nominatingTerms(terms: readonly WeighedTerm[], count: number): ReadonlySet<WeighedTerm> {
  const rare = terms.filter(({ frequency }) => frequency <= commonFrom(count))
  const chosen = new Set<WeighedTerm>()
  let postings = 0
  for (const term of (rare.length === 0 ? terms : rare).toSorted((one, other) => other.boost - one.boost || one.at - other.at)) {
    if (chosen.size > 0 && postings + term.frequency > mostPostings) continue
    chosen.add(term)
    postings += term.frequency
  }
  return chosen
}

/** Above this frequency a term is common. Small collections have none: there every term may nominate. */
function commonFrom(count: number): number {
  return Math.max(2000, count / 20)
}

function isExhaustive({ documents, count }: ScoringInput, { limits }: PostingsQuery): boolean {
  return limits.child >= count || limits.document >= documents.keys.length
}

/** How many live children hold a term. */
function countAll({ segments, pages, room }: ScoringInput, at: number, term: Uint8Array): number {
  let sum = 0
  for (const [number, segment] of segments.entries()) {
    const told = room.lists.count(segment, pages(number, at), term)
    sum += told < 0 ? room.lists.gather(segment, pages(number, at), term) : told
  }
  return sum
}

/** The documents that count at all, and of them the sections, for each segment; all where nothing is said. */
interface Within {
  readonly documents: Uint8Array | undefined
  readonly sections?: readonly Uint8Array[]
  /** Where the documents lie in each segment. */
  readonly ranges?: readonly PlaceRanges[]
}

/** Adds what a term is worth to the pieces of all segments, and to the documents that may have some in several. */
function addAll(
  { segments, documents, pages, room }: ScoringInput,
  { at, bytes, boost }: WeighedTerm,
  { documents: inDocuments, sections, ranges }: Within,
): void {
  for (const [number, segment] of segments.entries()) {
    const length = room.lists.gather(segment, pages(number, at), bytes, ranges?.[number])
    const numbers = documents.of[number] as Uint32Array
    if (length > 0)
      addTerm(segment, room.boards[number]!, room.lists, length, boost, numbers, room.sums, inDocuments, sections?.[number])
  }
  const { scores, touched, count } = room.sums
  for (let item = 0; item < count; item++) {
    const document = touched[item] as number
    const times = scores[document] as number
    room.documents.add(document, (boost * times) / (times + base + slopes.document * (documents.lengths[document] as number)))
  }
  room.sums.clear()
}

/** The documents and sections around what is marked. */
function surroundings({ segments, documents, room }: ScoringInput): Within {
  const inDocuments = new Uint8Array(documents.keys.length)
  const around: number[] = []
  const sections = segments.map(({ table }, group) => {
    const inSections = new Uint8Array(table.sections.keys.length)
    const numbers = documents.of[group] as Uint32Array
    for (const place of room.boards[group]!.marked) {
      inSections[table.sections.of[place] as number] = 1
      const number = numbers[table.documents.of[place] as number] as number
      if (inDocuments[number] === 0) around.push(number)
      inDocuments[number] = 1
    }
    return inSections
  })
  around.sort((one, other) => one - other)
  const ranges = segments.map(({ table }) =>
    Uint32Array.from(
      around.flatMap((number) => {
        const at = indexOfKey(table.documents.keys, documents.keys[number] as number)
        return at < 0 ? [] : [table.documents.first[at] as number, table.documents.first[at + 1] as number]
      }),
    ),
  )
  return { documents: inDocuments, sections, ranges }
}

/** Adds what one term is worth to the pieces of one segment; what documents hold of it is summed up over segments first. */
function addTerm(
  { table, lengths, parentLengths, sectionLengths }: LiveSegment,
  { child, parent, section }: SegmentBoard,
  { places, counts }: TermLists,
  to: number,
  boost: number,
  numbers: Uint32Array,
  sums: LevelScores,
  inDocuments: Uint8Array | undefined,
  inSections: Uint8Array | undefined,
): void {
  const { first: documentFirst, of: documentOf } = table.documents
  const { first: sectionFirst, of: sectionOf } = table.sections
  const { first: parentFirst, of: parentOf } = table.parents
  let at = 0
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
          child.add(place, (boost * times) / (times + base + slopes.child * (lengths[place] as number)))
          parentCount += times
        }
        parent.add(parentAt, (boost * parentCount) / (parentCount + base + slopes.parent * (parentLengths[parentAt] as number)))
        sectionCount += parentCount
      }
      section.add(
        sectionAt,
        (boost * sectionCount) / (sectionCount + base + slopes.section * (sectionLengths[sectionAt] as number)),
      )
      documentCount += sectionCount
    }
    sums.add(number, documentCount)
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

/** The best pieces of each level. */
interface BestLevels {
  readonly child: BestPieces
  readonly parent: BestPieces
  readonly section: BestPieces
  readonly document: BestPieces
}

function roomForBest({ child, parent, section, document }: PostingsQuery['limits'], times: number): BestLevels {
  return {
    child: new BestPieces(child * times),
    parent: new BestPieces(parent * times),
    section: new BestPieces(section * times),
    document: new BestPieces(document * times),
  }
}

/** The best of each level, `times` as many as are wanted. */
function bestOf({ segments, documents, room }: ScoringInput, { limits }: PostingsQuery, times: number): BestLevels {
  const best = roomForBest(limits, times)
  for (const [group, { table }] of segments.entries()) {
    const { child, parent, section } = room.boards[group] as SegmentBoard
    offerAll(best.child, child, table.keys, group)
    offerAll(best.parent, parent, table.parents.keys, group)
    offerAll(best.section, section, table.sections.keys, group)
  }
  offerAll(best.document, room.documents, documents.keys, 0)
  return best
}

/** As many as are wanted of those that were chosen before. Only their scores, and those of all that they hold, are complete. */
function bestOfBest({ segments, documents, room }: ScoringInput, { limits }: PostingsQuery, chosen: BestLevels): BestLevels {
  const best = roomForBest(limits, 1)
  for (const level of ['child', 'parent', 'section'] as const) {
    for (const { group, item } of chosen[level].taken()) {
      const { table } = segments[group] as LiveSegment
      const { keys } = level === 'child' ? table : level === 'parent' ? table.parents : table.sections
      best[level].offer(room.boards[group]![level].scores[item] as number, keys[item] as number, group, item)
    }
  }
  for (const { item } of chosen.document.taken())
    best.document.offer(room.documents.scores[item] as number, documents.keys[item] as number, 0, item)
  return best
}

/** Marks the best of each level, everything they hold, and what others nominated. */
function mark(
  { segments, documents, placeOf, room }: ScoringInput,
  { children = [] }: PostingsQuery,
  allowed: Uint8Array | undefined,
  best: BestLevels,
): void {
  for (const { group, item } of best.child.taken()) room.boards[group]!.mark(item, byTerms)
  for (const { group, item } of best.parent.taken()) markRun(room.boards[group]!, segments[group]!.table.parents, item)
  for (const { group, item } of best.section.taken()) markRun(room.boards[group]!, segments[group]!.table.sections, item)
  for (const { item } of best.document.taken()) {
    for (const [group, { table }] of segments.entries()) {
      const at = indexOfKey(table.documents.keys, documents.keys[item] as number)
      if (at >= 0) markRun(room.boards[group]!, table.documents, at)
    }
  }
  for (const key of children) {
    for (const [group, { table }] of segments.entries()) {
      const place = placeOf(group, key)
      if (place < 0) continue
      const document = documents.of[group]![table.documents.of[place] as number] as number
      if (allowed === undefined || allowed[document] === 1) room.boards[group]!.mark(place, byOthers)
    }
  }
}

/** What is marked and alive, with all four scores. */
function collect({ segments, documents, room }: ScoringInput, { most = Number.POSITIVE_INFINITY }: PostingsQuery): ScoredChild[] {
  const kept = new BestPieces(most)
  const found: ScoredChild[] = []
  for (const [group, { table, dead }] of segments.entries()) {
    const { marks, marked } = room.boards[group] as SegmentBoard
    for (const place of marked) {
      if (dead?.[place] === 1) continue
      if (marks[place] === byOthers || most === Number.POSITIVE_INFINITY) found.push(scored(group, place))
      else kept.offer(total(group, place), table.keys[place] as number, group, place)
    }
  }
  for (const { group, item } of kept.taken()) found.push(scored(group, item))
  return found.sort((one, other) => one.key - other.key)

  function total(group: number, place: number): number {
    const { parents, sections, documents: runs } = (segments[group] as LiveSegment).table
    const { child, parent, section } = room.boards[group] as SegmentBoard
    const document = documents.of[group]![runs.of[place] as number] as number
    const inParent = parent.scores[parents.of[place] as number] as number
    const inSection = section.scores[sections.of[place] as number] as number
    return (child.scores[place] as number) + (inParent + inSection) + (room.documents.scores[document] as number)
  }

  function scored(group: number, place: number): ScoredChild {
    const { table } = segments[group] as LiveSegment
    const { child, parent, section } = room.boards[group] as SegmentBoard
    const parentAt = table.parents.of[place] as number
    const sectionAt = table.sections.of[place] as number
    const documentAt = table.documents.of[place] as number
    return {
      key: table.keys[place] as number,
      parent: table.parents.keys[parentAt] as number,
      section: table.sections.keys[sectionAt] as number,
      document: table.documents.keys[documentAt] as number,
      lexical: {
        child: child.scores[place] as number,
        parent: parent.scores[parentAt] as number,
        section: section.scores[sectionAt] as number,
        document: room.documents.scores[documents.of[group]![documentAt] as number] as number,
      },
    }
  }
}

function offerAll(best: BestPieces, { scores, touched, count }: LevelScores, keys: Float64Array, group: number): void {
  let least = best.least
  for (let at = 0; at < count; at++) {
    const item = touched[at] as number
    const score = scores[item] as number
    if (score < least) continue
    best.offer(score, keys[item] as number, group, item)
    least = best.least
  }
}

function markRun(board: SegmentBoard, { first }: LevelRuns, piece: number): void {
  const end = first[piece + 1] as number
  for (let place = first[piece] as number; place < end; place++) board.mark(place, byTerms)
}
