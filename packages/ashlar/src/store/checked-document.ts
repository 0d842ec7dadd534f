import { AshlarError } from '../error/ashlar-error.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import { canonical, identityKey } from '../model/identity-key.ts'
import { sha256 } from '../text/sha-256.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import { checkDocumentId } from './check-id.ts'
import { checkMetadata } from './check-metadata.ts'
import { checkTree } from './check-tree.ts'
import type { FieldTypes, Metadata } from './filter.ts'
import type { ChildNote, DocumentEmbedding, StoredDocument, StoredWindow } from './store.ts'

/** A document as it was given, found to be in order, with everything that comparing it with a stored one needs. */
export interface CheckedDocument {
  readonly id: string
  readonly tree: Tree
  readonly metadata: Metadata
  /** What was generated for each child, as JSON; undefined where nothing was. */
  readonly notes: readonly (string | undefined)[]
  readonly contentHash: string
  /** Hash of what must be stored now, null where nothing may be; undefined where anything may. */
  readonly replaces: string | null | undefined
  /** One a parent: see `Fingerprints`. */
  readonly parents: readonly { readonly content: string; readonly notes: string }[]
  readonly embeddings: readonly CheckedEmbedding[]
}

export interface CheckedEmbedding {
  /** With its dimensions where there is any vector to learn them from. */
  readonly identity: EmbedderIdentity
  /** Identities are the same when these are. */
  readonly key: string
  /** Of length 1, or all zeros. */
  readonly vectors: readonly (Float32Array | undefined)[]
  readonly contentKeys: readonly string[]
  /** One a parent: a hash of its children's content keys. */
  readonly parents: readonly string[]
  readonly windows: readonly StoredWindow[]
}

/**
 * Checks a document before anything of it is written.
 *
 * @throws AshlarError `INVALID_DOCUMENT`, or `EMBEDDING_MISMATCH` where vectors do not belong together.
 */
export function checkDocument(given: StoredDocument, fields: FieldTypes): CheckedDocument {
  const id = checkDocumentId(given?.tree?.document)
  const { tree } = given
  checkTree(tree)
  const metadata = checkMetadata(given.metadata ?? {}, fields, id)
  const notes = checkNotes(given.notes ?? [], tree)
  const parents = tree.parents.map((parent) => ({
    content: contentOf(tree, parent),
    notes: hashOf(notes.slice(parent.first, parent.after)),
  }))
  const embeddings = (given.embeddings ?? [])
    .map((embedding) => checkEmbedding(embedding, tree))
    // A document without children has nothing to learn dimensions from, and nothing to keep either.
    .filter(() => tree.children.length > 0)
  if (new Set(embeddings.map(({ key }) => key)).size < embeddings.length)
    throw invalidDocument(id, 'it names one embedding identity twice')
  const { replaces } = given
  return { id, tree, metadata, notes, parents, embeddings, contentHash: hashDocument(tree, metadata, parents), replaces }
}

/** What two identities share exactly when vectors and token states of both can be kept as one. */
export function embeddingKey(identity: EmbedderIdentity): string {
  return `${identityKey(identity)}/${identity.tokenCodec ?? ''}`
}

export function invalidDocument(document: string, why: string): AshlarError {
  return new AshlarError('INVALID_DOCUMENT', `The document ${JSON.stringify(document.slice(0, 60))} cannot be stored: ${why}.`, {
    details: { document },
  })
}

function checkNotes(given: readonly ChildNote[], tree: Tree): (string | undefined)[] {
  const places = new Map(tree.children.map(({ id }, index) => [id, index]))
  const notes: (string | undefined)[] = tree.children.map(() => undefined)
  for (const { child, context, questions, keywords, provenance } of given) {
    const place = places.get(child)
    if (place === undefined) throw invalidDocument(tree.document, 'it has a note for a child that it does not have')
    if (notes[place] !== undefined) throw invalidDocument(tree.document, 'it has two notes for one child')
    const texts = [...(questions ?? []), ...(keywords ?? []), ...(context === undefined ? [] : [context])]
    if (texts.some((text) => typeof text !== 'string'))
      throw invalidDocument(tree.document, 'a note holds something other than text')
    notes[place] = canonical({ context, questions, keywords, provenance })
  }
  return notes
}

function checkEmbedding({ identity, vectors, contentKeys, windows = [] }: DocumentEmbedding, tree: Tree): CheckedEmbedding {
  const { children, document } = tree
  if (vectors.length !== children.length || contentKeys.length !== children.length) {
    throw invalidDocument(
      document,
      `it has ${children.length} children, and ${vectors.length} vectors and ${contentKeys.length} content keys of ${identity.model}`,
    )
  }
  if (contentKeys.some((key) => typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)))
    throw invalidDocument(document, 'a content key is not a text of 1 to 128 plain characters')
  const dimensions = identity.dimensions ?? vectors.find((vector) => vector !== undefined)?.length
  const checked = vectors.map((vector, index) =>
    vector === undefined ? undefined : unitVector(vector, dimensions, () => `${identity.model}, child ${index} of ${document}`),
  )
  checkWindows(windows, tree)
  return {
    identity: { ...identity, dimensions },
    key: embeddingKey(identity),
    vectors: checked,
    contentKeys,
    parents: tree.parents.map(({ first, after }) => sha256(contentKeys.slice(first, after).join(' '), 128)),
    windows,
  }
}

/**
 * A vector of length 1 in the same direction; the vector itself where it has that length.
 *
 * @throws AshlarError `EMBEDDING_MISMATCH` when it has other dimensions, `INVALID_DOCUMENT` when a number of it is none.
 */
export function unitVector(vector: Float32Array, dimensions: number | undefined, what: () => string): Float32Array {
  if (!(vector instanceof Float32Array) || vector.length === 0) {
    throw new AshlarError('INVALID_DOCUMENT', `A vector is a Float32Array with at least one number (${what()}).`)
  }
  if (vector.length !== dimensions) {
    throw new AshlarError('EMBEDDING_MISMATCH', `A vector has ${vector.length} numbers instead of ${dimensions} (${what()}).`, {
      details: { dimensions: vector.length, expected: dimensions },
    })
  }
  let sum = 0
  for (const number of vector) sum += number * number
  if (!Number.isFinite(sum)) throw new AshlarError('INVALID_DOCUMENT', `A vector has a number that is none (${what()}).`)
  if (sum === 0 || Math.abs(sum - 1) < 1e-6) return vector
  const scale = 1 / Math.sqrt(sum)
  return vector.map((number) => number * scale)
}

function checkWindows(windows: readonly StoredWindow[], { children, document }: Tree): void {
  let end = 0
  for (const { key, first, after, blob, pieces } of windows) {
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key))
      throw invalidDocument(document, 'the key of a window is not a text of 1 to 128 plain characters')
    if (!(Number.isInteger(first) && Number.isInteger(after) && first >= end && after > first && after <= children.length))
      throw invalidDocument(
        document,
        `the window from child ${first} to ${after} does not follow the one before, or is beyond the last child`,
      )
    if (blob !== undefined && !(blob instanceof Uint8Array))
      throw invalidDocument(document, 'the blob of a window is not a Uint8Array')
    if (pieces !== undefined && pieces.length !== after - first)
      throw invalidDocument(document, 'a window has word pieces for more or fewer children than it holds')
    end = after
  }
}

/** Hash of a parent's id and text and of its children's ids and places. */
function contentOf(tree: Tree, { id: parent, text, first, after }: TreePiece): string {
  const children = tree.children.slice(first, after).map(({ id, lead, start, end }) => [id, lead, end - start - lead])
  return sha256(`${JSON.stringify([parent, children])}${text}`, 128)
}

function hashOf(notes: readonly (string | undefined)[]): string {
  return notes.every((note) => note === undefined) ? '' : sha256(JSON.stringify(notes.map((note) => note ?? null)), 128)
}

function hashDocument(
  { title, format, sections, parents, children }: Tree,
  metadata: Metadata,
  fingerprints: readonly { readonly content: string; readonly notes: string }[],
): string {
  const place = ({ outline, header }: TreePiece): unknown => [outline, header === undefined ? null : [header.start, header.end]]
  return sha256(
    JSON.stringify([
      title,
      format,
      canonical(metadata),
      sections.map((section) => [section.id, section.after, place(section)]),
      parents.map((parent, index) => [parent.id, parent.after, place(parent), fingerprints[index]]),
      children.map(place),
    ]),
    128,
  )
}
