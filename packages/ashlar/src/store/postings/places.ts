import { ByteBuffer } from './byte-buffer.ts'
import { ByteCursor } from './byte-cursor.ts'
import { openPage, sealPage } from './page-seal.ts'
import { readRising, writeRising } from './segment-head.ts'

/** Places of a segment's table of children as bytes, in any order: what a row of tombstones keeps. */
export function packPlaces(places: Iterable<number>): Uint8Array {
  const buffer = new ByteBuffer()
  writeRising(buffer, Uint32Array.from(new Set(places)).sort())
  return sealPage([buffer.written()])
}

/** The places that {@link packPlaces} packed, rising. */
export function readPlaces(bytes: Uint8Array): Uint32Array {
  const cursor = new ByteCursor(openPage(bytes, 'row of tombstones'), 'row of tombstones')
  const places = readRising(cursor)
  cursor.end()
  return places
}
