import { type Seam, strength } from '../chunk/seam.ts'
import { skipWhiteSpaceBack } from '../text/white-space.ts'
import type { SemanticUnit } from './semantic-units.ts'

/** How much stronger than a sentence the least similar one is: less than a line, so that structure still beats text. */
const most = 9

/**
 * The seams of a format and those of its sentences in one rising sequence: always cut where a topic ends, elsewhere a sentence is
 * the stronger a seam the less similar it is to what stands before it.
 */
export function reweighed(
  text: string,
  own: readonly Seam[],
  units: readonly SemanticUnit[],
  similarities: Float64Array,
  breaks: readonly number[],
): Seam[] {
  const always = new Set(breaks)
  const seams: Seam[] = []
  let next = 0
  for (let seam = 0; seam < units.length - 1; seam++) {
    const { start: at, inside } = units[seam + 1] as SemanticUnit
    while (next < own.length && (own[next] as Seam).at < at) seams.push(own[next++] as Seam)
    // Before the format's own seams at the same place: the last one there says how the text goes on.
    if (always.has(seam)) seams.push({ at, strength: strength.always, kind: 'topic', inside })
    else if (inside === 'prose' || !startsLine(text, at))
      seams.push({ at, strength: strength.sentence + weight(similarities[seam] as number), kind: 'sentence', inside })
  }
  while (next < own.length) seams.push(own[next++] as Seam)
  return seams
}

/** Text of which nothing is known has lines and blank lines, which are stronger than any sentence and are found by the packer. */
function startsLine(text: string, at: number): boolean {
  return /[\n\r]/.test(text.slice(skipWhiteSpaceBack(text, at, Math.max(0, at - 256)), at))
}

/** In whole steps: among seams that are about equal, the packer lets the text around them decide. */
function weight(similarity: number): number {
  if (Number.isNaN(similarity)) return 0
  return Math.round(most * Math.min(1, Math.max(0, (1.5 - similarity) / 1.5)))
}
