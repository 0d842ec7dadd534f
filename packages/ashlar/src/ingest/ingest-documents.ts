import { AshlarError } from '../error/ashlar-error.ts'
import { checkDocumentId } from '../store/check-id.ts'
import { reserved } from '../store/reserved-metadata.ts'
import { storableText } from '../store/storable-text.ts'
import type { DocumentSummary } from '../store/store.ts'
import { sha256 } from '../text/sha-256.ts'
import { buildTree } from '../tree/build-tree.ts'
import { standardTree } from '../tree/standard-tree.ts'
import type { Tree } from '../tree/tree.ts'
import { treeFromChunks } from '../tree/tree-from-chunks.ts'
import { batches } from './batches.ts'
import { documentMetadata } from './document-metadata.ts'
import { formatOf } from './formats.ts'
import type { GivenDocument } from './given-document.ts'
import { hashBytes } from './hash-bytes.ts'
import { inProcessReader } from './in-process-reader.ts'
import type { Ingest } from './ingest.ts'
import type { IngestEvent } from './ingest-event.ts'
import type { IngestReceipt } from './ingest-receipt.ts'
import { asItemError } from './item-failure.ts'
import type { LoadedDocument } from './loader.ts'
import { mapAhead } from './map-ahead.ts'
import { storedTwin } from './prepare-item.ts'
import type { FailedDocument, PreparedDocument } from './prepared-document.ts'
import { recipes } from './recipe.ts'
import { checkEmbedding, pipeline } from './run-ingest.ts'
import { Tally } from './tally.ts'

/** How {@link ingestDocuments} runs. */
export interface IngestDocumentsOptions {
  readonly onEvent?: (event: IngestEvent) => void
  readonly signal?: AbortSignal
}

/** Documents that are compared with the store together. */
const group = 64

/**
 * Stores documents that you have in hand. What the store has already is neither embedded nor written again; nothing is removed.
 *
 * Resolves when all are committed or have failed; a document that fails is in the receipt and stops nothing.
 */
export async function ingestDocuments(
  documents: Iterable<GivenDocument> | AsyncIterable<GivenDocument>,
  ingest: Ingest,
  options: IngestDocumentsOptions = {},
): Promise<IngestReceipt> {
  const { signal } = options
  signal?.throwIfAborted()
  await checkEmbedding(ingest, signal)
  const tally = new Tally(options.onEvent)
  const { reader = inProcessReader() } = ingest
  const recipeOf = recipes(ingest)
  await pipeline(ingest, tally, signal, (stage) => {
    async function* changed(): AsyncGenerator<Found, void, undefined> {
      for await (const given of batches(documents, group)) {
        for (const found of await compare(given, ingest, recipeOf, signal)) {
          const { id, kind } = found
          const item = { id, source: found.given.source ?? id, size: found.size, read: async () => new Uint8Array() }
          if (kind === 'failed') tally.found({ kind, id, error: found.error, item })
          else tally.found({ kind, id, item })
          if (kind === 'new' || kind === 'changed') yield found
        }
      }
      tally.foundAll()
    }
    const ahead = { most: reader.concurrency * 2, weight: { most: 32_000_000, of: ({ size }: Found) => size } }
    return mapAhead(changed(), ahead, (found) => tally.during('read', () => prepare(found, ingest, stage.signal)))
  })
  return tally.receipt(undefined)
}

type Found = {
  readonly id: string
  readonly given: GivenDocument
  readonly size: number
  readonly hash: string
  readonly recipe: string
} & (
  | { readonly kind: 'new' | 'changed' | 'unchanged'; readonly error?: undefined }
  | { readonly kind: 'failed'; readonly error: AshlarError }
)

async function compare(
  documents: readonly GivenDocument[],
  ingest: Ingest,
  recipeOf: ReturnType<typeof recipes>,
  signal: AbortSignal | undefined,
): Promise<readonly Found[]> {
  const { store, reader = inProcessReader() } = ingest
  const ids = documents.map(({ id }) => id).filter((id) => isSound(id))
  const where = { op: 'document' as const, ids: [...new Set(ids)] }
  const { items } =
    ids.length === 0 ? { items: [] } : await store.list({ where, limit: 1000, ...(signal !== undefined && { signal }) })
  const own = items.filter(({ workspace }) => workspace === store.scope.workspace)
  const stored = new Map(own.map((item): [string, DocumentSummary] => [item.id, item]))
  const seen = new Set<string>()
  const found: Found[] = []
  for (const given of documents) {
    const { id } = given
    const base = { id: String(id), given, size: sizeOf(given), hash: '', recipe: '' }
    try {
      checkDocumentId(id)
      const hash = await hashOf(given)
      const recipe = sha256(`${recipeOf(given)}${formatName(given)}`, 64)
      const before = stored.get(id)?.metadata
      const isCurrent = before?.[reserved.loader] === undefined || reader.isCurrent(String(before[reserved.loader]))
      const isSame = before?.[reserved.hash] === hash && before[reserved.recipe] === recipe && isCurrent
      // Of two with one id in a row the later one counts, so it has to be looked at again.
      const kind = before === undefined && !seen.has(id) ? 'new' : isSame && !seen.has(id) ? 'unchanged' : 'changed'
      seen.add(id)
      found.push({ ...base, hash, recipe, kind })
    } catch (error) {
      found.push({ ...base, kind: 'failed', error: asItemError(error, `${id} cannot be read`) })
    }
  }
  return found
}

async function prepare(
  { id, given, kind, hash, recipe, size }: Found,
  ingest: Ingest,
  signal: AbortSignal,
): Promise<PreparedDocument | FailedDocument> {
  const { source } = given
  const common = {
    id,
    source,
    change: kind === 'changed' ? ('changed' as const) : ('new' as const),
    from: undefined,
    bytes: size,
  }
  try {
    const { tree, loaded } = await treeOf(given, ingest, signal)
    const known = { source, hash, recipe, metadata: given.metadata, ...(loaded !== undefined && { loaded }) }
    const metadata = documentMetadata(known, ingest.store.scope.fields)
    const stored = kind === 'changed' ? await storedTwin(ingest, id, signal) : undefined
    return { ...common, tree, metadata, remarks: loaded?.notes ?? [], stored, notes: [] }
  } catch (error) {
    return { ...common, error: asItemError(error, `${id} cannot be read`) }
  }
}

async function treeOf(
  given: GivenDocument,
  ingest: Ingest,
  signal: AbortSignal,
): Promise<{ readonly tree: Tree; readonly loaded?: Omit<LoadedDocument, 'text'> }> {
  const { id: document, title } = given
  const named = { document, ...(title !== undefined && { title }) }
  if (given.bytes !== undefined) {
    const { bytes, name, mediaType } = given
    const { reader = inProcessReader() } = ingest
    // A reader may hand the bytes over to a thread, and these are the caller's.
    const input = { ...named, name, bytes: bytes.slice(), ...(mediaType !== undefined && { mediaType }) }
    return reader.read({ ...input, ...(ingest.tree !== undefined && { tree: ingest.tree }) }, signal)
  }
  if (given.text === undefined) return { tree: standardTree(given.chunks.map(sound), named) }
  const text = sound(given.text)
  if (given.chunks !== undefined) {
    const chunks = typeof given.chunks === 'function' ? await given.chunks(text) : given.chunks
    return { tree: treeFromChunks(text, chunks, { ...ingest.tree, ...named }) }
  }
  const { format = 'plain' } = given
  return {
    tree: buildTree(text, { ...ingest.tree, ...named, format: typeof format === 'string' ? await formatOf(format) : format }),
  }
}

/** What every store can hold, and every offset stays where it is. */
function sound(text: string): string {
  if (typeof text !== 'string') throw new AshlarError('INVALID_DOCUMENT', `A document's text is a text, not ${typeof text}.`)
  return storableText(text)
}

function sizeOf({ text, chunks, bytes }: GivenDocument): number {
  if (bytes !== undefined) return bytes.length
  return text === undefined ? chunks.reduce((sum, chunk) => sum + chunk.length, 0) : text.length
}

async function hashOf(given: GivenDocument): Promise<string> {
  if (given.bytes !== undefined) return hashBytes(given.bytes)
  if (given.text === undefined) return sha256(JSON.stringify(given.chunks))
  // A chunker of one's own may cut another way at any time: only what it cuts can be compared.
  if (typeof given.chunks === 'function')
    return sha256(`${given.text}${JSON.stringify([...(await given.chunks(sound(given.text)))])}`)
  return sha256(given.chunks === undefined ? given.text : `${given.text}${JSON.stringify(given.chunks)}`)
}

function formatName(given: GivenDocument): string {
  if (given.bytes !== undefined) return `bytes ${given.name}`
  if (given.chunks !== undefined) return 'chunks'
  const { format = 'plain' } = given
  return typeof format === 'string' ? format : format.id
}

function isSound(id: unknown): boolean {
  try {
    checkDocumentId(id)
    return true
  } catch {
    return false
  }
}
