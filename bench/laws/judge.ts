import type { PeerChunk } from '../peers/splitters.ts'

/** What a splitter was asked to do, and how its unit is counted. */
export interface Question {
  readonly text: string
  readonly size: number
  readonly overlap: number
  readonly count: (text: string) => number
}

/** A law as a question about one result: null when it is kept, else a sentence that says how it is broken. */
export type Judge = (question: Question, chunks: readonly PeerChunk[]) => string | null

/**
 * Laws 1 to 4 for splitters that need not tell where their chunks stand.
 *
 * Where a splitter gives no positions it gets the benefit of the doubt: a law counts as broken only if no place in the
 * source at which the chunk's text occurs would keep it.
 */
export const judges: Record<'slice' | 'cover' | 'fit' | 'unicode', Judge> = {
  slice({ text }, chunks) {
    for (const chunk of chunks) {
      if (chunk.start !== undefined && chunk.end !== undefined) {
        if (text.slice(chunk.start, chunk.end) !== chunk.text || chunk.start < 0)
          return text.includes(chunk.text)
            ? `[${chunk.start}, ${chunk.end}) is not where ${show(chunk.text)} stands`
            : `${show(chunk.text)} does not occur in the source`
      } else if (!text.includes(chunk.text)) return `${show(chunk.text)} does not occur in the source`
    }
    return null
  },

  cover({ text }, chunks) {
    const covered = new Uint8Array(text.length)
    for (const chunk of chunks) for (const start of places(text, chunk)) covered.fill(1, start, start + chunk.text.length)
    for (let i = 0; i < text.length; i++)
      if (covered[i] === 0 && /\S/.test(text[i]!)) return `${show(characterAt(text, i))} at ${i} is in no chunk`
    return null
  },

  fit({ text, size, count }, chunks) {
    for (const chunk of chunks) {
      const units = count(chunk.text)
      // One grapheme that is larger than the limit cannot be cut without breaking law 4.
      if (units > size && graphemes(chunk.text).length > 1)
        return `a chunk of ${units}, limit ${size}${text.length > 300 ? '' : `: ${show(chunk.text)}`}`
    }
    return null
  },

  unicode({ text, size, count }, chunks) {
    const seams = new Set(graphemeSeams(text, size, count))
    for (const chunk of chunks) {
      if (/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(chunk.text)) return `${show(chunk.text)} begins or ends with half a character`
      const starts = places(text, chunk)
      // A text that stands nowhere in the source is law 1's finding.
      if (starts.length === 0) continue
      if (!starts.some((start) => seams.has(start) && seams.has(start + chunk.text.length)))
        return `${show(chunk.text)} begins or ends inside a grapheme or a CRLF`
    }
    return null
  },
}

/** Where the chunk stands: where it says, if that is true; else everywhere its text occurs. */
function places(text: string, chunk: PeerChunk): number[] {
  if (chunk.text === '') return []
  if (chunk.start !== undefined && chunk.start >= 0 && text.startsWith(chunk.text, chunk.start)) return [chunk.start]
  const found: number[] = []
  for (let at = text.indexOf(chunk.text); at >= 0; at = text.indexOf(chunk.text, at + 1)) found.push(at)
  return found
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Every place where a cut is allowed; also inside graphemes that are larger than the limit, where there is no other way. */
function graphemeSeams(text: string, size: number, count: (text: string) => number): number[] {
  const seams = [0]
  let at = 0
  for (const grapheme of graphemes(text)) {
    if (grapheme.length > 1 && count(grapheme) > size) for (let i = 1; i < grapheme.length; i++) seams.push(at + i)
    at += grapheme.length
    seams.push(at)
  }
  return seams
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!)
}

/** A text as JSON in ASCII and shortened, so that joiners, marks and halves of characters can be seen. */
export function show(text: string, most = 160): string {
  const whole = JSON.stringify(text).replaceAll(/[^\n -~]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )
  return whole.length <= most ? whole : `${whole.slice(0, most)}…" (${text.length} units)`
}
