import type { GivenDocument } from '../ingest/given-document.ts'
import { hashBytes } from '../ingest/hash-bytes.ts'
import type { Source } from '../ingest/source.ts'
import { sha256 } from '../text/sha-256.ts'
import type { Addable } from './library.ts'

type Documents<Fields extends object> = Addable<Fields> | Iterable<Addable<Fields>> | AsyncIterable<Addable<Fields>>

/** Whether documents are to be listed and read, instead of being in hand. */
export function isSource(documents: object | string): documents is Source {
  return typeof documents === 'object' && 'root' in documents && typeof (documents as Source).list === 'function'
}

/** Everything that can be added as documents with ids. Files are read one by one, when their turn comes. */
export async function* givenDocuments<Fields extends object>(
  documents: Documents<Fields>,
): AsyncGenerator<GivenDocument, void, undefined> {
  if (isMany(documents)) for await (const document of documents) yield toGiven(document)
  else yield toGiven(documents)
}

function isMany<Fields extends object>(
  documents: Documents<Fields>,
): documents is Iterable<Addable<Fields>> | AsyncIterable<Addable<Fields>> {
  return typeof documents === 'object' && (Symbol.iterator in documents || Symbol.asyncIterator in documents)
}

async function toGiven<Fields extends object>(document: Addable<Fields>): Promise<GivenDocument> {
  if (typeof document === 'string') return { id: sha256(document), text: document }
  if (document instanceof Blob) {
    const bytes = new Uint8Array(await document.arrayBuffer())
    const name = 'name' in document && typeof document.name === 'string' ? document.name : undefined
    const type = document.type === '' ? {} : { mediaType: document.type }
    return { id: name ?? (await hashBytes(bytes)), name: name ?? '', bytes, ...type }
  }
  const id = document.id ?? (await contentId(document as Exclude<Addable, string | Blob>))
  return { ...document, id } as GivenDocument
}

/** A name made of what the document holds. */
async function contentId(document: Exclude<Addable, string | Blob>): Promise<string> {
  if (document.bytes !== undefined) return hashBytes(document.bytes)
  return sha256(document.text ?? JSON.stringify(document.chunks))
}
