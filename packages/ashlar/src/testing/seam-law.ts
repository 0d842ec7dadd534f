import { type ChunkOptions, resolveChunkOptions } from '../chunk/chunk-options.ts'
import { type Cut, pack } from '../chunk/pack.ts'
import { type Format, type Inside, type Seam, strength } from '../chunk/seam.ts'
import { isGraphemeBoundary } from '../text/grapheme.ts'
import { isTerminator, sentenceEndAt } from '../text/sentence.ts'

/** What brute force found in one text; each list says where, in words. */
export interface SeamReport {
  /** How many cuts were looked at, how many overlaps, how many units that fit. */
  readonly cuts: number
  readonly overlaps: number
  readonly units: number
  /** Cuts at a weaker seam although a stronger one lay in the window. */
  readonly weaker: readonly string[]
  /** Overlaps that start below a sentence although one started in reach. */
  readonly overlapsOffSentence: readonly string[]
  /** Units (lists, items, tables, rows, fences, formulas) that were cut although they fit. */
  readonly unitsCut: readonly string[]
}

/**
 * Cuts a text and looks at every position of every window for a seam that would have been better.
 *
 * Seams are worked out here position by position from their definitions, not by the search that the packer uses. Sizes are
 * counted in characters.
 */
export function checkSeams(text: string, format: Format, options: Pick<ChunkOptions, 'size' | 'overlap' | 'trim'>): SeamReport {
  const resolved = resolveChunkOptions(options)
  const cuts: Cut[] = []
  const chunks = [...pack(text, format, resolved, (cut) => cuts.push(cut))]
  const seams = [...format.seams(text)]
  const strengthAt = strengths(text, seams)
  const weaker: string[] = []
  for (const cut of cuts) {
    if (cut.reason === 'unit') continue
    const chosen = strengthAt(cut.at)
    for (let at = cut.low; at <= cut.high; at++) {
      if (strengthAt(at) <= Math.max(chosen, strength.grapheme) || at >= text.length) continue
      weaker.push(`cut at ${cut.at} (${chosen}) although ${at} (${strengthAt(at)}) lay in ${cut.low}-${cut.high}`)
      break
    }
  }

  const overlapsOffSentence: string[] = []
  let overlaps = 0
  for (let index = 1; index < chunks.length && resolved.overlap > 0; index++) {
    const before = chunks[index - 1]
    const chunk = chunks[index]
    if (before === undefined || chunk === undefined) continue
    const own = chunk.start + chunk.lead
    const low = Math.max(before.start + 1, own - resolved.overlap)
    overlaps++
    for (let at = low; at < own; at++) {
      if (strengthAt(at) < strength.sentence) continue
      const starts = (seam: Seam): boolean => seam.at <= own && text.slice(seam.at, own).trim() === ''
      const whole = chunk.lead === 0 && seams.some((seam) => seam.end !== undefined && seam.end > own && starts(seam))
      const full = chunk.lead === 0 && clusterEnd(text, own) - at > resolved.size
      if (strengthAt(chunk.start) < strength.sentence && !whole && !full) {
        overlapsOffSentence.push(`chunk ${index} starts at ${chunk.start} although a sentence starts at ${at}`)
      }
      break
    }
  }

  const starts = new Set(chunks.map((chunk) => chunk.start + chunk.lead))
  const unitsCut: string[] = []
  let units = 0
  for (const seam of seams) {
    if (seam.end === undefined) continue
    const trimmed = resolved.trim ? seam.at + text.slice(seam.at, seam.end).trimEnd().length : seam.end
    const begin = resolved.trim ? trimmed - text.slice(seam.at, trimmed).trimStart().length : seam.at
    if (trimmed - seam.at > resolved.size || !isGraphemeBoundary(text, seam.at)) continue
    units++
    for (let at = begin + 1; at < trimmed; at++) {
      if (!starts.has(at)) continue
      unitsCut.push(`${seam.kind} ${seam.at}-${seam.end} is cut at ${at}`)
      break
    }
  }
  return { cuts: cuts.length, overlaps, units, weaker, overlapsOffSentence, unitsCut }
}

function clusterEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && !isGraphemeBoundary(text, end)) end++
  return end
}

/** The strength of every position, worked out one by one: the format's seams where it has one, else what the text offers. */
function strengths(text: string, seams: readonly Seam[]): (at: number) => number {
  const own = new Map<number, number>()
  for (const seam of seams) own.set(seam.at, Math.max(own.get(seam.at) ?? 0, seam.strength))
  const memory = new Map<number, number>()
  const insideAt = (at: number): Inside => {
    let low = 0
    let high = seams.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((seams[middle] as Seam).at < at) low = middle + 1
      else high = middle
    }
    return seams[low - 1]?.inside ?? 'text'
  }
  return (at) => {
    const known = memory.get(at)
    if (known !== undefined) return known
    const value = isGraphemeBoundary(text, at) ? (own.get(at) ?? textStrength(text, at, insideAt(at))) : 0
    memory.set(at, value)
    return value
  }
}

/** The definition of text seams, one position at a time. */
function textStrength(text: string, at: number, inside: Inside): number {
  if (inside === 'whole' || at <= 0 || at >= text.length) return strength.grapheme
  const before = text.slice(Math.max(0, at - 300), at)
  const after = text.slice(at, at + 300)
  let best: number = strength.grapheme
  if (/\s$/.test(before) && /^\S/.test(after)) best = strength.word
  if (inside === 'words') return best
  if (/[\n\r]$/.test(before) && !(before.endsWith('\r') && after.startsWith('\n')) && !/^[^\S\n\r]*(?:[\n\r]|$)/.test(after)) {
    best = Math.max(best, lineStart(before, after, inside))
  }
  if (inside === 'lines') return best
  if (isSentenceStart(text, at)) best = Math.max(best, strength.sentence)
  if (/^\S/.test(after)) {
    if (/(?:;\s+|[\uff0c\u3001\uff1b\uff64\u060c\u061b\u104a]\s*)$/.test(before)) best = Math.max(best, strength.clause)
    else if (/(?::\s+|\uff1a\s*)$/.test(before)) best = Math.max(best, strength.clause - 2)
  }
  return best
}

function isSentenceStart(text: string, at: number): boolean {
  for (let mark = Math.max(0, at - 64); mark < at; mark++) {
    if (isTerminator(text.charCodeAt(mark)) && sentenceEndAt(text, mark) === at) return true
  }
  return false
}

function lineStart(before: string, after: string, inside: Inside): number {
  if (inside === 'prose') return strength.wrap
  const lines = before.split(/\r\n|\n|\r/)
  const previous = lines.at(-2) ?? ''
  if (previous.trim() === '') return inside === 'lines' ? strength.line + 6 : strength.block
  if (inside === 'lines') return strength.line
  if (/^[ \t]{0,31}(?:[-*+•◦–][^\S\n\r]|\(?\d{1,4}[.)]\s|\(?[A-Za-z]\)[ ])/.test(after)) return strength.item
  const last = previous.charCodeAt(previous.length - 1)
  return /^\p{Ll}/u.test(after) && !isTerminator(last) && !/[:;]/.test(String.fromCharCode(last)) ? strength.wrap : strength.line
}
