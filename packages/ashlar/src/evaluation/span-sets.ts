import type { Span } from '../text/span.ts'
import type { DocumentSpan } from './document-span.ts'

/** Spans of each document in order, without overlap; those that touch are joined. */
export type SpanSet = ReadonlyMap<string, readonly Span[]>

export function unionOf(spans: Iterable<DocumentSpan>): SpanSet {
  const byDocument = Map.groupBy(spans, ({ document }) => document)
  return new Map(Array.from(byDocument, ([document, own]) => [document, joined(own)]))
}

function joined(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((left, right) => left.start - right.start)) {
    if (end <= start) continue
    const last = result.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/** Code units of all spans together. */
export function sizeOf(set: SpanSet): number {
  let size = 0
  for (const spans of set.values()) for (const { start, end } of spans) size += end - start
  return size
}

/** Code units that are in both. */
export function sharedSize(left: SpanSet, right: SpanSet): number {
  let size = 0
  for (const [document, spans] of left) size += sharedSpans(spans, right.get(document) ?? [])
  return size
}

function sharedSpans(left: readonly Span[], right: readonly Span[]): number {
  let size = 0
  for (let at = 0, other = 0; at < left.length && other < right.length; ) {
    const one = left[at] as Span
    const two = right[other] as Span
    size += Math.max(0, Math.min(one.end, two.end) - Math.max(one.start, two.start))
    if (one.end < two.end) at++
    else other++
  }
  return size
}
