import { reserved } from '../store/reserved-metadata.ts'
import type { DocumentSummary, Store } from '../store/store.ts'
import { unpackPositions } from '../text/packed-positions.ts'
import { citePlace, type Place } from '../text/place.ts'
import { lineWithin, placeOf } from '../text/position-map.ts'
import type { Passage } from './passages.ts'

/** Where a passage begins and ends in its original file. */
export interface PassagePlace {
  readonly place: Place
  readonly placeEnd: Place
}

/** Texts of documents that were looked into last, so that the next search need not read them again. In code units. */
const mostKept = 8_000_000
const texts = new WeakMap<Store, Map<string, string>>()

/**
 * Finds where passages stand. Lines are told by where their parents begin; whatever has pages, cells or the like is looked into, and has no
 * places for passages of what it was before.
 */
export async function placesOf(
  store: Store,
  passages: readonly Passage[],
  signal: AbortSignal | undefined,
): Promise<(PassagePlace | undefined)[]> {
  const mapped = passages
    .map(({ best }) => best.record.document)
    .filter(({ metadata }) => metadata[reserved.positions] !== undefined)
  const known = await textsOf(store, new Map(mapped.map((document) => [textKey(document), document])), signal)
  return passages.map(({ best: { record }, opening, start, end, text }) => {
    const last = Math.max(start, end - (text.length - text.trimEnd().length) - 1)
    const packed = record.document.metadata[reserved.positions]
    if (typeof packed !== 'string') {
      const place = lineWithin(opening, opening.text, start - opening.start)
      return { place, placeEnd: lineWithin(place, text, last - start) }
    }
    const whole = known.get(textKey(record.document))
    if (whole === undefined) return undefined
    const map = unpackPositions(packed)
    return { place: placeOf(map, whole, start), placeEnd: placeOf(map, whole, last) }
  })
}

async function textsOf(
  store: Store,
  documents: ReadonlyMap<string, DocumentSummary>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const kept = texts.get(store) ?? new Map<string, string>()
  texts.set(store, kept)
  const found = new Map<string, string>()
  const missing: string[] = []
  for (const [key, { id }] of documents) {
    const text = kept.get(key)
    if (text === undefined) missing.push(id)
    else {
      found.set(key, text)
      // The one that was used last is dropped last.
      kept.delete(key)
      kept.set(key, text)
    }
  }
  for (const record of missing.length === 0 ? [] : await store.get(missing, signal === undefined ? {} : { signal })) {
    if (record === undefined) continue
    found.set(textKey(record), record.tree.text)
    kept.set(textKey(record), record.tree.text)
  }
  let size = [...kept.values()].reduce((sum, { length }) => sum + length, 0)
  for (const [key, { length }] of kept) {
    if (size <= mostKept) break
    kept.delete(key)
    size -= length
  }
  return found
}

function textKey({ workspace, id, contentHash }: DocumentSummary): string {
  return JSON.stringify([workspace, id, contentHash])
}

/** What a passage is, for people: `docs/guide.md, lines 12-18 (Guide > Installing)`. */
export function cite({ best: { record }, start, end }: Passage, place: PassagePlace | undefined): string {
  const { document, outline } = record
  const where = place === undefined ? `characters ${start}-${end}` : citePlace(place.place, place.placeEnd)
  const titles = [document.title, ...outline].filter((title, at, all) => title !== '' && title !== all[at - 1])
  return `${document.id}, ${where}${titles.length === 0 ? '' : ` (${titles.join(' > ')})`}`
}
