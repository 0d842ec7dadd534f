import type { Measure } from './counter.ts'
import type { PieceCounter } from './piece-counter.ts'
import { pieceMemory } from './piece-memory.ts'

/** The least that is looked ahead. */
const minimumSpan = 64
/** A piece that goes on for this long after a place where it exceeds the budget is not looked at to its end. */
const longPart = 1024
/** How many counts of single pieces are kept; a power of two. */
const keptPieces = 64

/**
 * Opens a text for many counts that together cost about one.
 *
 * The ends of pieces and the tokens up to them are remembered. A slice has the same pieces as the text from the first
 * end that both share; where it starts amid a piece or stops, the few pieces concerned are counted anew. `reach`
 * gives the end of a whole piece at least; inside one, it may stay short of the furthest end by a few code points.
 */
export function pieceMeasure(text: string, pieces: PieceCounter): Measure {
  const memory = pieceMemory(text, pieces)
  /** How far to look ahead for the next reach: a little more than the last one found. */
  let span = 0
  // Where the last walk stopped, and the tokens up to there.
  let stopped = 0
  let used = 0
  /** How far into the last piece that did not fit whole its tokens fitted. */
  let partEnd = 0
  // The same few pieces, at both ends of a slice, are asked for again and again: one place for each hash of their bounds.
  const keptStarts = new Int32Array(keptPieces).fill(-1)
  const keptEnds = new Int32Array(keptPieces)
  const keptTokens = new Int32Array(keptPieces)

  /**
   * Goes from `start` over whole pieces of `text.slice(start, end)` as long as `budget` lasts.
   *
   * When it stops before `end`, `partEnd` is the index that the rest of the budget reaches within the next piece.
   */
  function walk(start: number, end: number, budget: number): void {
    stopped = start
    used = 0
    let remembered = memory.settledWithin(end)
    while (stopped < end) {
      const from = stopped < memory.position(remembered) ? memory.find(stopped) : -1
      if (from >= 0) {
        const to = memory.furthest(from, remembered, budget - used)
        used += memory.tokensBetween(from, to)
        stopped = memory.position(to)
        remembered = -1
        continue
      }
      const next = pieces.end(text, stopped, end)
      const tokens = tokensOf(stopped, next, budget - used)
      if (used + tokens > budget) {
        partEnd = pieces.fitted
        if (pieces.fittedTokens >= 0) keep(stopped, partEnd, pieces.fittedTokens)
        return
      }
      used += tokens
      stopped = next
    }
  }

  function tokensOf(from: number, to: number, budget: number): number {
    const place = (from * 31 + to) & (keptPieces - 1)
    if (keptStarts[place] === from && keptEnds[place] === to && (keptTokens[place] as number) <= budget) {
      return keptTokens[place] as number
    }
    const tokens = pieces.countUpTo(text, from, to, budget)
    if (tokens <= budget) keep(from, to, tokens)
    return tokens
  }

  function keep(from: number, to: number, tokens: number): void {
    const place = (from * 31 + to) & (keptPieces - 1)
    keptStarts[place] = from
    keptEnds[place] = to
    keptTokens[place] = tokens
  }

  function count(start: number, end: number): number {
    walk(start, end, Number.POSITIVE_INFINITY)
    return used + pieces.overhead
  }

  function reach(start: number, limit: number): number {
    const budget = limit - pieces.overhead
    if (!(budget >= 0) || start >= text.length) return start
    if (span === 0) span = Math.min(budget * 6 + 64, 0x10000)
    let horizon: number
    for (;;) {
      // No end up to the horizon depends on what lies beyond it, so the text may as well stop there.
      horizon = Math.min(text.length, start + span)
      memory.cover(start, horizon)
      walk(start, horizon, budget)
      if (horizon === text.length || isSettled(stopped, horizon)) break
      span = stopped === horizon ? span * 2 : stopped - start + longPart + minimumSpan
    }
    const long = horizon - stopped > longPart
    const found = stopped === text.length ? stopped : within(start, horizon, limit)
    span = long ? found - start + longPart + minimumSpan : Math.max(minimumSpan, Math.ceil((found - start) * 1.25))
    return found
  }

  /**
   * Whether a longer horizon would have stopped the walk at the same place: enough pieces follow, or a very long one.
   */
  function isSettled(position: number, horizon: number): boolean {
    if (horizon - position > longPart) return true
    let at = position
    for (let piece = 0; piece < pieces.unsettled && at < horizon; piece++) at = pieces.end(text, at, horizon)
    return at < horizon
  }

  /**
   * The furthest index that fits, the last walk having stopped before a piece that does not fit whole.
   *
   * Where a text is cut, what stands before can fall into other pieces than it did (white space above all), so every index
   * is counted; failing that, the same is tried with fewer tokens.
   */
  function within(start: number, horizon: number, limit: number): number {
    for (let spare = 1; ; spare *= 2) {
      const boundary = stopped
      const inside = partEnd
      const budget = limit - pieces.overhead - spare
      if (inside > boundary && count(start, inside) <= limit) return inside
      if (boundary > start && count(start, boundary) <= limit) return boundary
      if (budget < 0) break
      walk(start, horizon, budget)
    }
    const first = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
    return count(start, first) <= limit ? first : start
  }

  return { count, reach }
}
