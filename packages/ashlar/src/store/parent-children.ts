import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** A child as its parent's row has it. Its own part begins where that of the child before ends. */
export interface PackedChild {
  readonly key: number
  readonly id: string
  /** Units that it repeats of what stands before its own part. */
  readonly lead: number
  /** Units of its own part. */
  readonly length: number
}

const version = 1

/** The children of one parent as bytes: a version, then for each key, id, lead and length. */
export function packChildren(children: readonly PackedChild[]): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(version)
  writer.number(children.length)
  let before = 0
  for (const { key, id, lead, length } of children) {
    writer.signed(key - before)
    writer.id(id)
    writer.number(lead)
    writer.number(length)
    before = key
  }
  return writer.done()
}

/** The children that {@link packChildren} packed. */
export function readChildren(bytes: Uint8Array): PackedChild[] {
  const reader = new ByteReader(bytes, 'children of a parent')
  if (reader.byte() !== version) throw reader.damaged('it was written by another version')
  const children: PackedChild[] = []
  const count = reader.count()
  let key = 0
  for (let index = 0; index < count; index++) {
    key += reader.signed()
    children.push({ key, id: reader.id(), lead: reader.number(), length: reader.number() })
  }
  reader.end()
  return children
}

/** The children of a parent, opened as far as finding one of them needs: an id is read when it is asked for. */
export interface OpenChildren {
  readonly keys: readonly number[]
  readonly leads: readonly number[]
  readonly lengths: readonly number[]
  idOf(place: number): string
}

/** What {@link packChildren} packed, without its ids. */
export function openChildren(bytes: Uint8Array): OpenChildren {
  const reader = new ByteReader(bytes, 'children of a parent')
  if (reader.byte() !== version) throw reader.damaged('it was written by another version')
  const count = reader.count()
  const keys: number[] = []
  const ids: number[] = []
  const leads: number[] = []
  const lengths: number[] = []
  let key = 0
  for (let index = 0; index < count; index++) {
    key += reader.signed()
    keys.push(key)
    ids.push(reader.skipId())
    leads.push(reader.number())
    lengths.push(reader.number())
  }
  reader.end()
  return { keys, leads, lengths, idOf: (place) => reader.idAt(ids[place] as number) }
}
