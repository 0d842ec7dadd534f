import type { PeerChunk } from '../peers/splitters.ts'

/** A chunk with the place it is taken to stand at. */
export interface PlacedChunk {
  /** Which of the chunks it is. */
  readonly index: number
  readonly start: number
  readonly end: number
  readonly lead: number
  readonly text: string
  /** False when all of it was in the chunks before. */
  readonly adds: boolean
}

type Place = Pick<PlacedChunk, 'start' | 'end' | 'text'>

/**
 * Gives chunks a place in their source, so that splitters which keep no positions can be held against the same laws.
 *
 * Positions that a splitter gives are taken where they are true. Else the splitter gets the benefit of the doubt: of all
 * places at which the text occurs, the one furthest on that leaves no gap after the chunk before; else one inside that
 * chunk, since splitters hand out pieces of their overlap; else the next one.
 * A text that occurs only with other white space is placed all the same; one that does not occur at all is left out.
 */
export function placeChunks(source: string, chunks: readonly PeerChunk[]): PlacedChunk[] {
  const placed: PlacedChunk[] = []
  let covered = 0
  for (const [index, chunk] of chunks.entries()) {
    const found = placeOne(source, chunk, { covered, previous: placed.at(-1)?.start ?? 0 })
    if (found === null) continue
    const lead = Math.min(Math.max(covered - found.start, 0), found.end - found.start - 1)
    placed.push({ index, ...found, lead, adds: found.end > covered })
    covered = Math.max(covered, found.end)
  }
  return placed
}

/** Up to where the source is covered, and where the chunk before begins. */
interface Cursor {
  readonly covered: number
  readonly previous: number
}

function placeOne(source: string, { text, start }: PeerChunk, cursor: Cursor): Place | null {
  if (text === '') return null
  if (start !== undefined && start >= 0 && source.startsWith(text, start)) return { start, end: start + text.length, text }
  let covered = cursor.covered
  while (covered < source.length && /\s/.test(source[covered]!)) covered++
  const at = bestPlace(source, text, { ...cursor, covered })
  if (at !== null) return { start: at, end: at + text.length, text }
  return placeLoosely(source, text, { ...cursor, covered })
}

function bestPlace(source: string, text: string, { covered: next, previous }: Cursor): number | null {
  const before = source.lastIndexOf(text, next)
  if (before >= 0 && (before + text.length > next || before >= previous)) return before
  const after = source.indexOf(text, next)
  return after >= 0 ? after : before >= 0 ? before : null
}

/** By everything but white space. */
function placeLoosely(source: string, text: string, cursor: Cursor): Place | null {
  const places: number[] = []
  let bare = ''
  let [covered, previous] = [0, 0]
  for (let i = 0; i < source.length; i++) {
    if (/\s/.test(source[i]!)) continue
    if (i < cursor.covered) covered++
    if (i < cursor.previous) previous++
    bare += source[i]
    places.push(i)
  }
  const wanted = text.replaceAll(/\s/g, '')
  const at = wanted === '' ? null : bestPlace(bare, wanted, { covered, previous })
  if (at === null) return null
  const start = places[at]!
  const end = places[at + wanted.length - 1]! + 1
  return { start, end, text: source.slice(start, end) }
}
