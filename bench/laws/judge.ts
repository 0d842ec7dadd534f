import type { Counter } from 'ashlar'
import { checkLaws } from 'ashlar/testing'
import type { PeerChunk } from '../peers/splitters.ts'
import { type PlacedChunk, placeChunks } from './place-chunks.ts'

/** What a splitter was asked to do, and how its unit is counted. */
interface Question {
  readonly text: string
  readonly size: number
  readonly overlap: number
  readonly counter: Counter
}

/** A law as a question about one result: null when it is kept, else a sentence that says how it is broken. */
export type Judge = (question: Question, chunks: readonly PeerChunk[]) => string | null

/** Laws 1 to 4 for splitters that need not tell where their chunks stand; 2 and 4 are those of `ashlar/testing` itself. */
export const judges: Record<'slice' | 'cover' | 'fit' | 'unicode', Judge> = {
  slice({ text }, chunks) {
    for (const chunk of chunks) {
      if (!text.includes(chunk.text)) return `${show(chunk.text)} does not occur in the source`
      if (chunk.start !== undefined && chunk.end !== undefined)
        if (chunk.start < 0 || text.slice(chunk.start, chunk.end) !== chunk.text)
          return `${show(chunk.text)} does not stand at ${chunk.start}-${chunk.end}`
    }
    return null
  },
  // On the text as it was handed out, which is what will be embedded, not on the place it was given here.
  fit({ size, counter }, chunks) {
    for (const { text } of chunks) {
      const units = counter(text)
      if (units > size && Array.from(text).length > 1 && text !== '\r\n')
        return `a chunk of ${units}, limit ${size}: ${show(text)}`
    }
    return null
  },
  // A chunk that repeats what was there before and adds nothing is waste, not a gap.
  cover: (question, chunks) =>
    ask(
      'cover',
      question,
      placeChunks(question.text, chunks).filter(({ adds }) => adds),
    ),
  unicode: (question, chunks) => ask('unicode', question, placeChunks(question.text, chunks)),
}

function ask(
  law: 'cover' | 'unicode',
  { text, size, overlap, counter }: Question,
  placed: readonly PlacedChunk[],
): string | null {
  const violations = checkLaws(text, placed, { size, overlap, counter, trim: true })
  return violations.find((violation) => violation.law === law)?.message ?? null
}

/** A text as JSON in ASCII and shortened, so that joiners, marks and halves of characters can be seen. */
export function show(text: string, most = 160): string {
  const whole = toAscii(JSON.stringify(text))
  return whole.length <= most ? whole : `${whole.slice(0, most)}..." (${text.length} units)`
}

/** Everything outside of ASCII as an escape. */
export function toAscii(text: string): string {
  return text.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
