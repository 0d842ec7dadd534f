import type { DocumentRecord } from '../store/store.ts'
import type { Change } from './change.ts'
import { documentMetadata } from './document-metadata.ts'
import { embeddingIdentity, threadLate } from './embedding-identity.ts'
import { inProcessReader } from './in-process-reader.ts'
import type { Ingest } from './ingest.ts'
import { asItemError } from './item-failure.ts'
import type { FailedDocument, PreparedDocument } from './prepared-document.ts'
import { recipes } from './recipe.ts'
import type { SpareVectors } from './spare-vectors.ts'

/** A change of an item that has to be read. */
export type ChangeToRead = Extract<Change, { readonly kind: 'new' | 'moved' | 'changed' }>

/** Makes the function that reads items and gets what is stored of them. It does not reject, unless aborted. */
export function preparing(
  root: string,
  ingest: Ingest,
  signal?: AbortSignal,
  spareOf?: () => Promise<SpareVectors | undefined>,
): (change: ChangeToRead) => Promise<PreparedDocument | FailedDocument> {
  const { store, reader = inProcessReader() } = ingest
  const recipeOf = recipes(ingest)
  const late = threadLate(ingest)
  return async (change) => {
    const { item, id } = change
    const { source } = item
    const from = change.kind === 'moved' ? change.from : undefined
    let size = item.size ?? 0
    try {
      const bytes = await item.read(signal)
      size = bytes.length
      const { name = id, mediaType, title } = item
      const { tree, hash, loaded, windows } = await reader.read(
        {
          document: id,
          name,
          bytes,
          ...(mediaType !== undefined && { mediaType }),
          ...(title !== undefined && { title }),
          ...(ingest.tree !== undefined && { tree: ingest.tree }),
          ...(late !== undefined && { late }),
        },
        signal,
      )
      const keeper = change.kind === 'changed' ? (change.root ?? root) : root
      const known = { source, root: keeper, hash, recipe: recipeOf(item), metadata: item.metadata, loaded }
      const metadata = documentMetadata(known, store.scope.fields)
      const twin = change.kind === 'changed' ? id : change.kind === 'moved' ? change.from : change.copyOf
      const stored = twin === undefined ? undefined : await storedTwin(ingest, twin, signal)
      const spare = twin === undefined ? await spareOf?.() : undefined
      return {
        id,
        source,
        change: change.kind,
        from,
        bytes: size,
        tree,
        metadata,
        remarks: loaded.notes,
        stored,
        spare,
        windows,
        notes: [],
      }
    } catch (error) {
      return { id, source, change: change.kind, from, bytes: size, error: asItemError(error, `${source} cannot be read`) }
    }
  }
}

/** A stored document with its vectors, where the workspace that is written has it. */
export async function storedTwin(ingest: Ingest, id: string, signal?: AbortSignal): Promise<DocumentRecord | undefined> {
  const { store } = ingest
  const embedding = embeddingIdentity(ingest)
  const [record] = await store.get([id], {
    ...(embedding !== undefined && { embedding }),
    ...(signal !== undefined && { signal }),
  })
  return record?.workspace === store.scope.workspace ? record : undefined
}
