import { graphemeSegments } from 'unicode-segmenter/grapheme'

import type { Chunk } from '../chunk/chunk.ts'
import type { Counter } from '../text/counter.ts'

/** The laws that a single cut of a single text can be held against. */
export type Law = 'slice' | 'cover' | 'fit' | 'unicode' | 'progress' | 'stability'

/** One broken law, with what a person needs to see why. */
export interface Violation {
  readonly law: Law
  readonly message: string
}

/** The settings a text was cut with, as far as the laws depend on them. */
export interface CutSettings {
  readonly size: number
  readonly overlap: number
  readonly counter: Counter
  readonly trim: boolean
}

/** What the laws read of a chunk; `lead` may be missing where a chunker knows no overlap. */
export type LawChunk = Pick<Chunk, 'start' | 'end' | 'text'> & { readonly lead?: number }

/**
 * Holds chunks against laws 1 to 5 (slice, cover, fit, Unicode, progress) and returns every violation, at most one a law.
 *
 * Two things no cutter can avoid are allowed, and nothing else: a chunk that is one code point or one CRLF may exceed the
 * limit, and a grapheme cluster that exceeds the limit alone may be cut between code points.
 */
export function checkLaws(source: string, chunks: readonly LawChunk[], settings: CutSettings): Violation[] {
  const violations = [
    checkSlice(source, chunks),
    checkCover(source, chunks, settings.trim),
    checkFit(source, chunks, settings),
    checkUnicode(source, chunks, settings),
    checkProgress(source, chunks),
  ]
  return violations.filter((violation) => violation !== undefined)
}

function ownStart(chunk: LawChunk): number {
  return chunk.start + (chunk.lead ?? 0)
}

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text)
}

function checkSlice(source: string, chunks: readonly LawChunk[]): Violation | undefined {
  for (const [index, { start, end, text, lead = 0 }] of chunks.entries()) {
    if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= source.length)) {
      return { law: 'slice', message: `chunk ${index} has the span ${start}-${end} in a text of ${source.length}` }
    }
    if (source.slice(start, end) !== text) {
      return {
        law: 'slice',
        message: `chunk ${index} says ${start}-${end} but its text is ${show(text)}, not ${show(source.slice(start, end))}`,
      }
    }
    if (!(lead >= 0 && lead < end - start))
      return { law: 'slice', message: `chunk ${index} has a lead of ${lead} in ${end - start}` }
  }
  return undefined
}

function checkCover(source: string, chunks: readonly LawChunk[], trim: boolean): Violation | undefined {
  let covered = 0
  for (const [index, chunk] of chunks.entries()) {
    const own = ownStart(chunk)
    if (own < covered) return { law: 'cover', message: `chunk ${index} owns ${own} again, which ends before ${covered}` }
    if (chunk.start > covered && chunk.start > own) return { law: 'cover', message: `chunk ${index} starts after its own part` }
    const gap = source.slice(covered, own)
    if (trim ? gap.trim() !== '' : gap !== '')
      return { law: 'cover', message: `${show(gap)} before chunk ${index} is in no chunk` }
    covered = chunk.end
  }
  const rest = source.slice(covered)
  if (trim ? rest.trim() !== '' : rest !== '') return { law: 'cover', message: `${show(rest)} at the end is in no chunk` }
  return undefined
}

/** One code point or one CRLF: what cannot be made smaller. */
function isIndivisible(text: string): boolean {
  return text.length === 1 || text === '\r\n' || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}

function checkFit(source: string, chunks: readonly LawChunk[], { size, counter }: CutSettings): Violation | undefined {
  for (const [index, { start, end }] of chunks.entries()) {
    const text = source.slice(start, end)
    const counted = counter(text)
    if (counted > size && !isIndivisible(text)) {
      return { law: 'fit', message: `chunk ${index} counts ${counted} ${counter.id}, the limit is ${size}: ${show(text)}` }
    }
  }
  return undefined
}

function checkUnicode(source: string, chunks: readonly LawChunk[], { size, counter }: CutSettings): Violation | undefined {
  if (chunks.length === 0) return undefined
  const cuts = new Set<number>()
  for (const chunk of chunks) for (const at of [chunk.start, ownStart(chunk), chunk.end]) cuts.add(at)
  for (const { index, segment } of graphemeSegments(source)) {
    for (let at = index + 1; at < index + segment.length; at++) {
      if (!cuts.has(at)) continue
      const before = source.charCodeAt(at - 1)
      const after = source.charCodeAt(at)
      const pair = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
      if (pair || (before === 0x0d && after === 0x0a)) {
        return { law: 'unicode', message: `a cut at ${at} splits ${pair ? 'a surrogate pair' : 'a CRLF'} of ${show(segment)}` }
      }
      if (counter(segment) <= size) {
        return { law: 'unicode', message: `a cut at ${at} splits the grapheme ${show(segment)} at ${index}, which fits` }
      }
    }
  }
  return undefined
}

function checkProgress(source: string, chunks: readonly LawChunk[]): Violation | undefined {
  if (chunks.length > source.length)
    return { law: 'progress', message: `${chunks.length} chunks from ${source.length} code units` }
  for (let index = 1; index < chunks.length; index++) {
    const before = chunks[index - 1] as LawChunk
    const chunk = chunks[index] as LawChunk
    if (chunk.start <= before.start || chunk.end <= before.end) {
      return {
        law: 'progress',
        message: `chunk ${index} (${chunk.start}-${chunk.end}) does not move on from ${before.start}-${before.end}`,
      }
    }
  }
  return undefined
}
