import type { ChildTable } from './child-table.ts'
import type { DocumentNumbers } from './document-numbers.ts'
import type { LiveSegment } from './live-segment.ts'
import { TermLists } from './term-lists.ts'

/** Scores of the pieces of one level, and which of them have one. */
export class LevelScores {
  readonly scores: Float64Array
  readonly touched: Uint32Array
  count = 0

  constructor(pieces: number) {
    this.scores = new Float64Array(pieces)
    this.touched = new Uint32Array(pieces)
  }

  add(piece: number, score: number): void {
    const known = this.scores[piece] as number
    if (known === 0) this.touched[this.count++] = piece
    this.scores[piece] = known + score
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.scores[this.touched[at] as number] = 0
    this.count = 0
  }
}

/** What a query writes down about one segment. */
export class SegmentBoard {
  readonly child: LevelScores
  readonly parent: LevelScores
  readonly section: LevelScores
  /** Why a child is nominated; 0 for most. */
  readonly marks: Uint8Array
  readonly marked: number[] = []

  constructor({ count, parents, sections }: ChildTable) {
    this.child = new LevelScores(count)
    this.parent = new LevelScores(parents.keys.length)
    this.section = new LevelScores(sections.keys.length)
    this.marks = new Uint8Array(count)
  }

  mark(place: number, why: number): void {
    if (this.marks[place] === 0) this.marked.push(place)
    this.marks[place] = why
  }

  clear(): void {
    this.child.clear()
    this.parent.clear()
    this.section.clear()
    this.clearMarks()
  }

  clearMarks(): void {
    for (const place of this.marked) this.marks[place] = 0
    this.marked.length = 0
  }
}

/**
 * Room for the scores of one query after the other: making it anew, and looking through all of it, would cost more than most queries
 * do. A query clears what it touched and nothing else.
 */
export class ScoreRoom {
  readonly boards: readonly SegmentBoard[]
  readonly documents: LevelScores
  /** How often the term in hand stands in each document. */
  readonly sums: LevelScores
  readonly lists: TermLists = new TermLists()

  constructor(segments: readonly LiveSegment[], { keys }: DocumentNumbers) {
    this.boards = segments.map(({ table }) => new SegmentBoard(table))
    this.documents = new LevelScores(keys.length)
    this.sums = new LevelScores(keys.length)
  }

  clear(): void {
    for (const board of this.boards) board.clear()
    this.documents.clear()
    this.sums.clear()
  }
}

/** Memory that the room takes. */
export function scoreRoomSize(segments: readonly LiveSegment[], { keys }: DocumentNumbers): number {
  const pieces = segments.reduce((sum, { table }) => sum + table.parents.keys.length + table.sections.keys.length, 0)
  return segments.reduce((sum, { table }) => sum + 13 * table.count, 0) + 12 * pieces + 24 * keys.length
}
