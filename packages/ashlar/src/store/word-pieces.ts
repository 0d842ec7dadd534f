import { risingIds } from '../text/rising-ids.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

const version = 1

/** The distinct word pieces of each child of a window as bytes. */
export function packPieces(children: readonly Uint32Array[]): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(version)
  writer.number(children.length)
  for (const ids of children) {
    const rising = risingIds(ids)
    writer.number(rising.length)
    let before = 0
    for (const id of rising) {
      writer.number(id - before)
      before = id
    }
  }
  return writer.done()
}

/** The word pieces that {@link packPieces} packed. */
export function readPieces(bytes: Uint8Array): Uint32Array[] {
  const reader = new ByteReader(bytes, 'word pieces of a window')
  if (reader.byte() !== version) throw reader.damaged('it was written by another version')
  const children = Array.from({ length: reader.count() }, () => {
    const ids = new Uint32Array(reader.count())
    let id = 0
    for (let at = 0; at < ids.length; at++) {
      id += reader.number()
      ids[at] = id
    }
    return ids
  })
  reader.end()
  return children
}
