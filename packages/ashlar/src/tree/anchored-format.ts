import { type Format, type Seam, strength } from '../chunk/seam.ts'
import { seamHash } from '../chunk/seam-hash.ts'
import type { Counter } from '../text/counter.ts'
import { measureWith } from '../text/measure.ts'
import { skipWhiteSpace } from '../text/white-space.ts'
import { type AnchorPoint, anchors } from './anchors.ts'

/** How near to one another anchors may stand, in the unit of the counter. */
export interface AnchorDistances {
  readonly counter: Counter
  /** Between the headings that begin a section. */
  readonly section: number
  /** Between the blocks that begin a child. */
  readonly block: number
}

/** A format for one text, made by {@link anchoredFormat}. */
export interface AnchoredFormat extends Format {
  /** How strong the seam at a cut is for the levels above: sections alone are kept apart there. */
  strengthAt(at: number, found: number): number
}

/**
 * The same format, with cuts that do not depend on how the text before them was cut: at headings, so that sections are kept apart
 * unless they are too short to stand alone, and at blocks, so that an edit is felt in its own paragraph and hardly beyond.
 *
 * Of places nearer to one another than the distances given, only the strongest becomes such a cut.
 */
export function anchoredFormat(text: string, format: Format, distances: AnchorDistances): AnchoredFormat {
  const own = [...format.seams(text)]
  // Text without structure of its own has lines and blank lines.
  const seams = own.length > 0 ? own : lineSeams(text)
  const leastBlock = own.length > 0 ? strength.block : strength.line
  const { places, length } = placesOf(text, seams, distances.counter)
  const sections = new Set<number>()
  const blocks = new Map<number, number>()
  const insist = (candidates: readonly number[], rank: (seam: Seam) => number, near: number): Seam[] => {
    const points = candidates.map((index): AnchorPoint => {
      const seam = seams[index] as Seam
      return { at: seam.at, place: places[index] as number, strength: rank(seam), hash: seamHash(text, seam.at) }
    })
    const kept = anchors(text, points, length, near)
    return candidates.filter((_, order) => kept[order]).map((index) => seams[index] as Seam)
  }
  for (const { at } of insist(headingsOf(seams), ({ heading }) => -(heading?.level ?? 0), distances.section)) sections.add(at)
  const rank = (seam: Seam): number => (sections.has(seam.at) ? strength.always : seam.strength)
  for (const { at, strength } of insist(blocksOf(seams, leastBlock), rank, distances.block)) blocks.set(at, strength)
  const insisted = seams.map((seam) =>
    sections.has(seam.at) || blocks.has(seam.at) ? { ...seam, strength: strength.always } : seam,
  )
  return {
    id: format.id,
    seams: () => insisted,
    strengthAt: (at, found) => (sections.has(at) ? strength.always : (blocks.get(at) ?? found)),
  }
}

/** Indices of the seams where a heading begins. */
function headingsOf(seams: readonly Seam[]): number[] {
  return [...seams.keys()].filter((index) => seams[index]?.heading !== undefined)
}

/** Indices of the seams where a block begins that stands in no list, table or other unit. */
function blocksOf(seams: readonly Seam[], least: number): number[] {
  let unitEnd = 0
  return [...seams.keys()].filter((index) => {
    const seam = seams[index] as Seam
    const free = seam.at >= unitEnd
    unitEnd = Math.max(unitEnd, seam.end ?? 0)
    return free && seam.strength >= least
  })
}

/** What ends a line on purpose: the end of a sentence, perhaps in quotes or brackets. */
const lineEnd = /[.!?:;。！？।؟]["'”’»)\]]{0,3}[^\S\n]{0,8}$/

/** Where plain text goes on after a blank line, or after a line that ends a sentence. */
function lineSeams(text: string): Seam[] {
  const seams: Seam[] = []
  for (let line = 0, end = text.indexOf('\n'); end !== -1; line = end + 1, end = text.indexOf('\n', line)) {
    if (end + 1 === text.length) break
    const blank = skipWhiteSpace(text, line, end) === end
    if (blank && seams.at(-1)?.at === line) seams.pop()
    if (blank) seams.push({ at: end + 1, strength: strength.block, kind: 'paragraph' })
    else if (lineEnd.test(text.slice(Math.max(line, end - 12), end)))
      seams.push({ at: end + 1, strength: strength.line, kind: 'line' })
  }
  return seams
}

/** How far into the text each seam stands, and how long the text is. Counted from seam to seam, so that the whole costs one pass. */
function placesOf(text: string, seams: readonly Seam[], counter: Counter): { places: number[]; length: number } {
  const measure = measureWith(counter, text)
  let at = 0
  let place = 0
  const advance = (to: number): number => {
    if (to > at) place += measure.count(at, to)
    at = to
    return place
  }
  return { places: seams.map((seam) => advance(seam.at)), length: advance(text.length) }
}
