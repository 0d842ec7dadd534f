import { damagedIndex } from './page-seal.ts'

/** Where a list lies in a page. */
export interface PackedList {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  readonly count: number
  readonly blocks: boolean
}

/** What stands before each block of a list that has several: a reader who wants to know about few children passes over most of them. */
export interface BlockHead {
  /** How far its places reach beyond those of the block before. */
  readonly reach: number
  /** Bytes. */
  readonly length: number
  /** Postings. */
  readonly count: number
  /** Where the block begins. */
  readonly at: number
}

export function readBlockHead(bytes: Uint8Array, from: number): BlockHead {
  let at = from
  let reach = 0
  let length = 0
  let count = 0
  let byte = 128
  for (let shift = 0; byte > 127 && shift < 32; shift += 7) {
    byte = bytes[at++] as number
    reach |= (byte & 127) << shift
  }
  byte = 128
  for (let shift = 0; byte > 127 && shift < 32; shift += 7) {
    byte = bytes[at++] as number
    length |= (byte & 127) << shift
  }
  byte = 128
  for (let shift = 0; byte > 127 && shift < 32; shift += 7) {
    byte = bytes[at++] as number
    count |= (byte & 127) << shift
  }
  return { reach, length, count, at }
}

/** Rising places from and to which something is asked about: pairs of a first place and the one after the last. */
export type PlaceRanges = Uint32Array

/**
 * Decodes a list and returns how many postings it wrote from `into` on: those that are not marked in `dead`. `most` is the number of
 * children in the segment. With `ranges`, only postings in them are written, and blocks that reach into none are passed over.
 */
export function decodeList(
  list: PackedList,
  into: { readonly places: Uint32Array; readonly counts: Uint32Array; readonly at: number },
  dead: Uint8Array | undefined,
  most: number,
  ranges?: PlaceRanges,
): number {
  const { bytes, start, end, count, blocks } = list
  if (count > most) throw damagedList()
  if (!blocks) {
    const written = decodeRun(bytes, start, end, count, -1, into.places, into.counts, into.at, dead, most)
    return (ranges === undefined ? written : keepWithin(ranges, 0, into.places, into.counts, into.at, written)) - into.at
  }
  let written = into.at
  let at = start
  let before = -1
  let range = 0
  for (let left = count; left > 0; ) {
    const head = readBlockHead(bytes, at)
    const { reach, length, count: size } = head
    at = head.at
    const last = before + reach
    if (reach < 1 || length < 1 || size < 1 || size > left || at + length > end || last >= most) throw damagedList()
    if (ranges !== undefined) while (range < ranges.length && (ranges[range + 1] as number) <= before + 1) range += 2
    if (ranges === undefined || (range < ranges.length && (ranges[range] as number) <= last)) {
      const decoded = decodeRun(bytes, at, at + length, size, before, into.places, into.counts, written, dead, most)
      written = ranges === undefined ? decoded : keepWithin(ranges, range, into.places, into.counts, written, decoded)
    }
    before = last
    at += length
    left -= size
  }
  if (at !== end) throw damagedList()
  return written - into.at
}

function decodeRun(
  bytes: Uint8Array,
  start: number,
  end: number,
  count: number,
  before: number,
  places: Uint32Array,
  counts: Uint32Array,
  into: number,
  dead: Uint8Array | undefined,
  most: number,
): number {
  let at = start
  let place = before
  let written = into
  for (let posting = 0; posting < count; posting++) {
    let byte = bytes[at++] as number
    let value = byte & 127
    for (let shift = 7; byte > 127 && shift < 32; shift += 7) {
      byte = bytes[at++] as number
      value |= (byte & 127) << shift
    }
    place += (value >>> 1) + 1
    let times = 1
    if ((value & 1) === 1) {
      byte = bytes[at++] as number
      times = 2 + (byte & 127)
      for (let shift = 7; byte > 127 && shift < 32; shift += 7) {
        byte = bytes[at++] as number
        times += ((byte & 127) << shift) >>> 0
      }
    }
    if (dead !== undefined && dead[place] === 1) continue
    places[written] = place
    counts[written++] = times
  }
  // Places rise, so the last tells for all.
  if (at !== end || place >= most) throw damagedList()
  return written
}

/** Drops postings outside of the ranges from the one at `first` on, and returns where those that are left end. */
function keepWithin(
  ranges: PlaceRanges,
  first: number,
  places: Uint32Array,
  counts: Uint32Array,
  from: number,
  to: number,
): number {
  let written = from
  let range = first
  for (let at = from; at < to; at++) {
    const place = places[at] as number
    while (range < ranges.length && (ranges[range + 1] as number) <= place) range += 2
    if (range >= ranges.length) break
    if ((ranges[range] as number) > place) continue
    places[written] = place
    counts[written++] = counts[at] as number
  }
  return written
}

export function damagedList(): Error {
  return damagedIndex('page of postings', 'a list names a child that is not there')
}
