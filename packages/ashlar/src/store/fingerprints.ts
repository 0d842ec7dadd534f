import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** What the next write compares a document with, so that it need not read what stays. */
export interface Fingerprints {
  /** Ids of the sections. */
  readonly sections: readonly string[]
  readonly parents: readonly ParentFingerprints[]
  /** For each embedding and parent, a hash of the content keys of its children. Empty where some have no vector. */
  readonly vectors: readonly { readonly embedding: number; readonly parents: readonly string[] }[]
}

interface ParentFingerprints {
  readonly id: string
  /** Hash of its text and of its children's ids and places. */
  readonly content: string
  /** Hash of what was generated for its children; empty where there is nothing. */
  readonly notes: string
}

const version = 1

/** Fingerprints as bytes. */
export function packFingerprints({ sections, parents, vectors }: Fingerprints): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(version)
  writer.number(sections.length)
  for (const id of sections) writer.id(id)
  writer.number(parents.length)
  for (const { id, content, notes } of parents) {
    writer.id(id)
    writer.id(content)
    writer.id(notes)
  }
  writer.number(vectors.length)
  for (const { embedding, parents: hashes } of vectors) {
    writer.number(embedding)
    writer.number(hashes.length)
    for (const hash of hashes) writer.id(hash)
  }
  return writer.done()
}

/** The fingerprints that {@link packFingerprints} packed. */
export function readFingerprints(bytes: Uint8Array): Fingerprints {
  const reader = new ByteReader(bytes, 'fingerprints of a document')
  if (reader.byte() !== version) throw reader.damaged('it was written by another version')
  const sections = Array.from({ length: reader.count() }, () => reader.id())
  const parents = Array.from({ length: reader.count() }, () => ({ id: reader.id(), content: reader.id(), notes: reader.id() }))
  const vectors = Array.from({ length: reader.count() }, () => ({
    embedding: reader.number(),
    parents: Array.from({ length: reader.count() }, () => reader.id()),
  }))
  reader.end()
  return { sections, parents, vectors }
}
