import { type Inside, type Seam, strength } from '../chunk/seam.ts'
import { sentences } from '../text/sentence.ts'
import type { Span } from '../text/span.ts'
import { skipWhiteSpace, skipWhiteSpaceBack } from '../text/white-space.ts'

/** What is compared with its neighbours: a sentence, or something that a format holds together (a list, a table, a fence). */
export interface SemanticUnit extends Span {
  /** How the text that begins here may be cut. */
  readonly inside: Inside
}

/** Where a unit may begin. */
interface Place {
  readonly at: number
  readonly inside: Inside
}

/**
 * The sentences of a text in order and without gaps. What a format keeps whole counts as one sentence, and so does a heading with
 * the first sentence under it, since a cut between them would help nobody. White space alone is no sentence.
 */
export function semanticUnits(text: string, seams: readonly Seam[]): SemanticUnit[] {
  const last = skipWhiteSpaceBack(text, text.length, 0)
  if (last === 0) return []
  const units: SemanticUnit[] = []
  let start = 0
  let inside: Inside = 'text'
  let first = skipWhiteSpace(text, 0, last)
  for (const place of places(text, seams)) {
    if (place.at <= first || place.at >= last) continue
    units.push({ start, end: place.at, inside })
    start = place.at
    inside = place.inside
    first = skipWhiteSpace(text, start, last)
  }
  units.push({ start, end: text.length, inside })
  return units
}

/** All of these in rising order: seams of the format outside of what it holds together, and sentences between them. */
function* places(text: string, seams: readonly Seam[]): Generator<Place, undefined> {
  let wholeUntil = 0
  let inside: Inside = 'text'
  let from = 0
  for (let index = 0; index <= seams.length; ) {
    const at = seams[index]?.at ?? text.length
    if (from < at && from >= wholeUntil) yield* sentenceStarts(text, from, at, inside)
    if (index === seams.length) return
    const outside = at >= wholeUntil
    let strongest = 0
    for (; index < seams.length && seams[index]?.at === at; index++) {
      const seam = seams[index] as Seam
      strongest = Math.max(strongest, seam.strength)
      wholeUntil = Math.max(wholeUntil, seam.end ?? 0)
      inside = seam.inside ?? 'text'
    }
    if (outside && at > 0 && at < text.length && strongest >= strength.sentence) yield { at, inside }
    from = at
  }
}

function* sentenceStarts(text: string, from: number, to: number, inside: Inside): Generator<Place, undefined> {
  if (inside !== 'text' && inside !== 'prose') return
  const whole = from === 0 && to === text.length
  for (const { end } of sentences(whole ? text : text.slice(from, to))) {
    if (from + end < to) yield { at: from + end, inside }
  }
}
