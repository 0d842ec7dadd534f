import type { Embedder } from '../model/embedder.ts'
import { skipWhiteSpace, skipWhiteSpaceBack } from '../text/white-space.ts'
import type { SemanticUnit } from './semantic-units.ts'

/** Most code units of a sentence that are embedded at either end. */
const longest = 1000

/** The text of a unit that the seam before it is judged by, and the one that the seam after it is judged by. */
export interface SemanticEdges {
  readonly head: string
  readonly tail: string
}

/**
 * What is embedded of each unit: all of it, or where it is longer than 1,000 characters or than the model reads, its beginning
 * for the seam before it and its end for the seam after it. So no sentence is too long, and the cost of one is bounded.
 */
export function semanticEdges(text: string, units: readonly SemanticUnit[], embedder: Embedder): SemanticEdges[] {
  const fits = fitsIn(embedder)
  return units.map(({ start, end }) => {
    const from = skipWhiteSpace(text, start, end)
    const to = skipWhiteSpaceBack(text, end, from)
    if (to - from <= longest) {
      const whole = text.slice(from, to)
      if (fits(whole)) return { head: whole, tail: whole }
    }
    return { head: headOf(text, from, to, fits), tail: tailOf(text, from, to, fits) }
  })
}

type Fits = (text: string) => boolean

/** Whether the model reads a text whole. Without a counter it is judged by bytes: no tokenizer makes more tokens than bytes. */
function fitsIn({ counter, identity: { maxTokens, documentPrefix } }: Embedder): Fits {
  if (maxTokens === undefined) return () => true
  return (text) => {
    const bytes = 3 * (documentPrefix.length + text.length)
    return bytes <= maxTokens || (counter !== undefined && counter(documentPrefix + text) <= maxTokens)
  }
}

function headOf(text: string, from: number, to: number, fits: Fits): string {
  for (let length = Math.min(longest, to - from); ; length -= Math.max(1, length >>> 2)) {
    const end = from + length
    const piece = text.slice(from, end < to && splitsPair(text, end) ? end - 1 : end)
    if (length <= 2 || fits(piece)) return piece
  }
}

function tailOf(text: string, from: number, to: number, fits: Fits): string {
  for (let length = Math.min(longest, to - from); ; length -= Math.max(1, length >>> 2)) {
    const start = to - length
    const piece = text.slice(start > from && splitsPair(text, start) ? start + 1 : start, to)
    if (length <= 2 || fits(piece)) return piece
  }
}

function splitsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}
