import type { PieceCounter } from './piece-counter.ts'

/**
 * Ends of pieces of a text and the tokens up to each, for a stretch around the place that is being measured.
 *
 * Entries are addressed by number, from 0. What lies well behind is forgotten, and where that is not enough, only every
 * second, fourth, … end is kept, which stays correct and costs a few more counts.
 */
export interface PieceMemory {
  /** Remembers from `start`, or before it, up to `target` if that can be told without looking far beyond. */
  cover(start: number, target: number): void
  /** The last entry that would be the end of a piece even if the text stopped at `end`, or -1. */
  settledWithin(end: number): number
  /** The entry at `position`, or -1. */
  find(position: number): number
  /** The position of an entry; -1 for the entry -1. */
  position(entry: number): number
  /** The last entry from `from` to `to` that `budget` tokens after `from` reach. */
  furthest(from: number, to: number, budget: number): number
  tokensBetween(from: number, to: number): number
}

/** Pieces are found this many code units ahead of what is asked for, so that the unsettled ones are not scanned too often. */
const ahead = 256

/** Opens a memory of at most `mostEntries` entries: one megabyte by default. */
export function pieceMemory(text: string, pieces: PieceCounter, mostEntries = 0x2_0000): PieceMemory {
  let positions = new Int32Array(Math.min(1024, mostEntries))
  let totals = new Int32Array(positions.length)
  let entries = 0
  /** How many pieces each entry stands for. */
  let stride = 1
  let sinceEntry = 0
  /** Up to here pieces are known to be those of the whole text. */
  let settled = 0
  let settledTotal = 0
  /** Entries before this position may be forgotten. */
  let keepFrom = 0
  const pending = new Int32Array(pieces.unsettled)

  function restart(position: number): void {
    entries = 0
    stride = 1
    sinceEntry = 0
    settled = position
    settledTotal = 0
    remember()
  }

  function remember(): void {
    if (entries === positions.length) makeRoom()
    positions[entries] = settled
    totals[entries++] = settledTotal
  }

  function makeRoom(): void {
    if (entries < mostEntries) {
      const morePositions = new Int32Array(entries * 2)
      const moreTotals = new Int32Array(entries * 2)
      morePositions.set(positions)
      moreTotals.set(totals)
      positions = morePositions
      totals = moreTotals
      return
    }
    const stale = lastAtMost(positions, entries, keepFrom)
    if (stale > entries >> 2) {
      positions.copyWithin(0, stale, entries)
      totals.copyWithin(0, stale, entries)
      entries -= stale
      return
    }
    for (let at = 0; 2 * at < entries; at++) {
      positions[at] = positions[2 * at] as number
      totals[at] = totals[2 * at] as number
    }
    entries = (entries + 1) >> 1
    stride *= 2
  }

  function settle(end: number): void {
    settledTotal += pieces.count(text, settled, end)
    settled = end
    if (++sinceEntry >= stride) {
      sinceEntry = 0
      remember()
    }
  }

  restart(0)
  return {
    cover(start, target) {
      if (start < (positions[0] as number) || start > settled + ahead) restart(start)
      keepFrom = start - 2 * (target - start)
      if (settled >= target) return
      const limit = Math.min(text.length, target + ahead)
      // Pieces wait until so many others follow that the limit cannot have shaped them.
      let waiting = 0
      for (let at = settled; at < limit; ) {
        at = pieces.end(text, at, limit)
        const place = waiting % pieces.unsettled
        if (waiting++ >= pieces.unsettled) settle(pending[place] as number)
        pending[place] = at
      }
      if (limit === text.length) {
        for (let oldest = Math.max(0, waiting - pieces.unsettled); oldest < waiting; oldest++) {
          settle(pending[oldest % pieces.unsettled] as number)
        }
      }
    },
    settledWithin(end) {
      if (end >= text.length && settled === text.length) return entries - 1
      return lastAtMost(positions, entries, end) - pieces.unsettled
    },
    find(position) {
      const entry = lastAtMost(positions, entries, position)
      return entry >= 0 && positions[entry] === position ? entry : -1
    },
    position: (entry) => (entry < 0 ? -1 : (positions[entry] as number)),
    furthest(from, to, budget) {
      const most = (totals[from] as number) + budget
      return (totals[to] as number) <= most ? to : Math.max(from, lastAtMost(totals, to, most))
    },
    tokensBetween: (from, to) => (totals[to] as number) - (totals[from] as number),
  }
}

/** The index of the last of the first `length` sorted numbers that is at most `limit`, or -1. */
function lastAtMost(numbers: Int32Array, length: number, limit: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
