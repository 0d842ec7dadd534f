import { plain } from '../chunk/plain.ts'
import type { Format } from '../chunk/seam.ts'
import { sentences } from '../text/sentence.ts'
import type { Span } from '../text/span.ts'

/** A heading and the text directly below it, up to the next heading of any level. */
interface HeadedBody {
  /** Where the heading stands, without white space around it. */
  readonly heading: Span
  /** Titles from the outermost heading to this one. */
  readonly outline: readonly string[]
  /** Empty (`start === end`) where another heading follows at once. */
  readonly body: Span
}

/** What a format knows of a text: its headings with what they head, and its sentences. */
export interface DocumentStructure {
  readonly headed: readonly HeadedBody[]
  /** Sentences of running text: none of code, tables, headings or data. */
  readonly sentences: readonly Span[]
}

/** Reads headings and sentences from a text, whatever it was cut into. */
export function documentStructure(text: string, format: Format): DocumentStructure {
  const headed: HeadedBody[] = []
  const found: Span[] = []
  const path: { readonly level: number; readonly title: string }[] = []
  const seams = format.id === plain.id ? [] : [...format.seams(text)]
  if (seams.length === 0) return { headed, sentences: format.id === plain.id ? paragraphSentences(text) : [] }
  let open: Omit<HeadedBody, 'body'> | undefined
  let bodyStart = 0
  const close = (end: number): void => {
    if (open !== undefined) headed.push({ ...open, body: trimmed(text, bodyStart, end) })
    open = undefined
  }
  for (const [index, { at, kind, heading, inside }] of seams.entries()) {
    const end = seams[index + 1]?.at ?? text.length
    if (heading !== undefined) {
      close(at)
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
      path.push(heading)
      open = { heading: trimmed(text, at, end), outline: path.map(({ title }) => title) }
      bodyStart = end
    } else if (inside === 'prose' && kind !== 'table') found.push(...sentencesIn(text, at, end))
  }
  close(text.length)
  return { headed, sentences: found }
}

function paragraphSentences(text: string): Span[] {
  const found: Span[] = []
  let start = 0
  for (const { index, 0: gap } of text.matchAll(/\n[^\S\n]*\n\s*/g)) {
    found.push(...sentencesIn(text, start, index))
    start = index + gap.length
  }
  found.push(...sentencesIn(text, start, text.length))
  return found
}

/** What a list item or a quotation begins with. */
const marker = /^(?:(?:[-*+•>]|\(?\d{1,3}[.)])\s+)+/

function sentencesIn(text: string, start: number, end: number): Span[] {
  const from = start + (marker.exec(text.slice(start, Math.min(end, start + 40)))?.[0].length ?? 0)
  const part = text.slice(from, end)
  return Array.from(sentences(part), (sentence) => trimmed(text, from + sentence.start, from + sentence.end)).filter(
    (sentence) => sentence.end > sentence.start,
  )
}

/** A span without the white space at its ends. */
function trimmed(text: string, start: number, end: number): Span {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  return { start: Math.min(from, end), end: Math.max(Math.min(from, end), start + part.trimEnd().length) }
}
