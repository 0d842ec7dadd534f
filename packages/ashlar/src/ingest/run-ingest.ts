import { AshlarError } from '../error/ashlar-error.ts'
import { embeddingKey } from '../store/checked-document.ts'
import type { ChangeCounts } from './change.ts'
import { changesOf, listedNow } from './changes-of.ts'
import { Channel } from './channel.ts'
import { type EmbedStage, embedDocuments } from './embed-documents.ts'
import type { EmbeddedDocument } from './embedded-document.ts'
import { embeddingIdentity } from './embedding-identity.ts'
import { enrichDocuments } from './enrich-documents.ts'
import { inProcessReader } from './in-process-reader.ts'
import type { Ingest } from './ingest.ts'
import type { IngestEvent } from './ingest-event.ts'
import type { IngestReceipt } from './ingest-receipt.ts'
import { mapAhead } from './map-ahead.ts'
import { type ChangeToRead, preparing } from './prepare-item.ts'
import { type FailedDocument, hasFailed, type PreparedDocument } from './prepared-document.ts'
import type { Source } from './source.ts'
import { type SpareVectors, spareVectors } from './spare-vectors.ts'
import { storeDocuments } from './store-documents.ts'
import { Tally } from './tally.ts'

/** Says whether this many documents, of all that the root had, are removed. What moved is not among them. */
export type MayRemove = (gone: number, of: number) => boolean | Promise<boolean>

/** How {@link runIngest} runs. */
export interface RunIngestOptions {
  /**
   * Whether documents that the source does not list any more are removed; a function is asked once, before the first of them is, and after
   * all else is stored. @default true
   */
  readonly remove?: boolean | MayRemove
  /** Whether documents that other roots have become the source's own where it lists their ids. @default true */
  readonly claim?: boolean
  readonly onEvent?: (event: IngestEvent) => void
  /** Ends the run; what is committed stays, and the next run goes on from there. */
  readonly signal?: AbortSignal
}

/** Bytes of files that are read at once, and units of text that wait to be stored: what bounds the memory of a run. */
const room = { bytes: 4_000_000, text: 200_000 }

/** What a document weighs besides its bytes: its pieces and vectors. */
const documentWeight = 100_000

/** How often a source is gone through because it changed meanwhile, before that is left to the next run. */
const mostPasses = 3

/** How long a journal keeps what no run has asked for, in milliseconds: a document that was paid for may come back under another name. */
const keptFor = 86_400_000

/** Documents that are removed in one call, and ids of them that are kept in mind. */
const removal = { batch: 200, most: 10_000 }

/**
 * Makes the store hold what the source holds: reads what is new or changed, embeds what is not known yet, stores each document in one
 * atomic step, then removes what is gone. Calling it again is how a run is resumed: the store is the truth, and what was paid for and not
 * stored waits in the journal.
 *
 * A document that cannot be read or embedded is reported and stops nothing; what was stored of it stays. Other writers of the same
 * documents are safe: the last one to put a document has it, whole.
 *
 * @throws AshlarError `EMBEDDING_MISMATCH` before anything is read, when the workspace uses another embedder.
 * @throws the signal's reason.
 */
export async function runIngest(source: Source, ingest: Ingest, options: RunIngestOptions = {}): Promise<IngestReceipt> {
  const { remove = true, claim = true, signal } = options
  const begun = Date.now()
  signal?.throwIfAborted()
  await checkEmbedding(ingest, signal)
  const tally = new Tally(options.onEvent)
  // Of moves that failed: what they moved from is all there is of the document.
  const needed = new Set<string>()
  const failed = new Set<string>()
  let gone = await onePass(source, ingest, { tally, signal, claim, needed, failed, isFirst: true })
  let agreed = remove === true
  for (let pass = 1; remove !== false && gone.size > 0; pass++) {
    // A file that is renamed while the folder is listed can be missing at both places: what is gone is so in two listings.
    const now = await listedNow(source, ingest, removal.most, signal)
    if (now.gone.length === 0) break
    if (pass < mostPasses && now.fresh && failed.size === 0) {
      gone = await onePass(source, ingest, { tally, signal, claim, needed, failed, isFirst: false })
      continue
    }
    const removable = now.gone.filter((id) => gone.has(id) && !needed.has(id))
    if (typeof remove === 'function' && !agreed && removable.length > 0) {
      agreed = await mayRemove(remove, tally.counts)
      if (!agreed) break
    }
    await removeGone(source, ingest, removable, tally, signal)
    if (now.gone.length < removal.most && now.gone.every((id) => gone.has(id))) break
    if (pass > mostPasses && removable.length === 0) break
    gone = new Set(now.gone)
  }
  if (tally.failedItems === 0) await ingest.journal?.sweep(begun - keptFor).catch(() => {})
  return tally.receipt(source.root)
}

/** What was moved is gone from where it was, and nobody needs to be asked about that. */
async function mayRemove(ask: MayRemove, { gone, moved, changed, unchanged }: ChangeCounts): Promise<boolean> {
  return gone <= moved || (await ask(gone - moved, gone + changed + unchanged))
}

interface Pass {
  readonly tally: Tally
  readonly signal: AbortSignal | undefined
  readonly claim: boolean
  readonly needed: Set<string>
  readonly failed: Set<string>
  readonly isFirst: boolean
}

/** Stores what is new or changed now, and gives ids of what is gone. */
async function onePass(
  source: Source,
  ingest: Ingest,
  { tally, signal, claim, needed, failed, isFirst }: Pass,
): Promise<Set<string>> {
  const gone = new Set<string>()
  let spare: Promise<SpareVectors | undefined> | undefined
  // Asked for by the first document that is new: most runs have none.
  const spareOf = (): Promise<SpareVectors | undefined> => {
    spare ??= listedNow(source, ingest, removal.most, signal).then((now) =>
      now.gone.length === 0 ? undefined : spareVectors(ingest, now.gone, signal),
    )
    return spare
  }
  const { reader = inProcessReader() } = ingest
  const onFailed = ({ id, from }: Pick<FailedDocument, 'id' | 'from'>): void => {
    failed.add(id)
    if (from !== undefined) needed.add(from)
  }
  async function* toRead(stage: EmbedStage): AsyncGenerator<ChangeToRead, void, undefined> {
    const changes = changesOf(source, ingest, { signal: stage.signal, claim })
    for (;;) {
      const { value: change, done } = await tally.during('list', () => changes.next())
      if (done === true) break
      const { kind, id } = change
      if (kind === 'failed') failed.add(id)
      if (kind === 'gone' && gone.size < removal.most) gone.add(id)
      const isToRead = kind === 'new' || kind === 'moved' || kind === 'changed'
      // A second pass sees again what the first one has counted.
      if (isFirst || isToRead) tally.found(change)
      if (isToRead) yield change
    }
    tally.foundAll()
  }
  await pipeline(
    ingest,
    tally,
    signal,
    (stage) => {
      const prepare = preparing(source.root, ingest, stage.signal, spareOf)
      const weight = { most: room.bytes, of: ({ item }: ChangeToRead) => (item.size ?? 65_536) + documentWeight }
      // Far enough that threads have work while a batch is stored.
      return mapAhead(toRead(stage), { most: reader.concurrency * 16, weight }, (change) =>
        tally.during('read', () => prepare(change)),
      )
    },
    onFailed,
  )
  return gone
}

/** Documents through enriching, embedding and storing; resolves when all are stored or have failed. */
export async function pipeline(
  ingest: Ingest,
  tally: Tally,
  outer: AbortSignal | undefined,
  documents: (stage: EmbedStage) => AsyncIterable<PreparedDocument | FailedDocument>,
  onFailed: (document: Pick<FailedDocument, 'id' | 'from'>) => void = () => {},
): Promise<void> {
  const failure = new AbortController()
  const signal = outer === undefined ? failure.signal : AbortSignal.any([outer, failure.signal])
  const stage: EmbedStage = { ingest, tally, signal, onFailed }
  const fail = ({ change, id, error, source, bytes, from }: FailedDocument): void => {
    onFailed({ id, from })
    tally.failed(change, id, error, source, bytes)
  }
  async function* read(): AsyncGenerator<PreparedDocument, void, undefined> {
    for await (const document of documents(stage)) {
      signal.throwIfAborted()
      if (hasFailed(document)) {
        fail(document)
        continue
      }
      tally.read(document.bytes, document.tree.children.length)
      yield document
    }
  }
  async function* enriched(enrich: NonNullable<Ingest['enrich']>): AsyncGenerator<PreparedDocument, void, undefined> {
    for await (const document of enrichDocuments(read(), enrich, stage)) {
      if (hasFailed(document)) fail(document)
      else yield document
    }
  }
  const ready = new Channel<EmbeddedDocument>(room.text, ({ document }) => document.tree.text.length)
  const embedding = async (): Promise<void> => {
    const source = ingest.enrich === undefined ? read() : enriched(ingest.enrich)
    for await (const document of embedDocuments(source, stage)) {
      if (hasFailed(document)) fail(document)
      else await ready.put(document)
    }
    ready.close()
  }
  const stop = (error: unknown): never => {
    failure.abort(error)
    ready.fail(error)
    throw error
  }
  const results = await Promise.allSettled([embedding().catch(stop), storeDocuments(ready, stage).catch(stop)])
  outer?.throwIfAborted()
  if (failure.signal.aborted) throw failure.signal.reason
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function removeGone(
  source: Source,
  { store }: Ingest,
  gone: readonly string[],
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let from = 0; from < gone.length; from += removal.batch) {
    signal?.throwIfAborted()
    const ids: string[] = []
    for (const id of gone.slice(from, from + removal.batch)) {
      // It may have come back since it was listed.
      if ((await source.has?.(id, signal)) !== true) ids.push(id)
    }
    const receipts = await tally.during('store', () => store.remove(ids))
    for (const { document, rows } of receipts) tally.removed(document, rows)
  }
}

/** Found before anything is paid for: vectors of two models cannot be searched together. */
export async function checkEmbedding(ingest: Ingest, signal: AbortSignal | undefined): Promise<void> {
  const identity = embeddingIdentity(ingest)
  if (identity === undefined) return
  const key = embeddingKey(identity)
  const states = await ingest.store.embeddings(signal === undefined ? {} : { signal })
  const active = states.find((state) => state.active && state.children > 0)
  if (active === undefined || embeddingKey(active.identity) === key) return
  if (states.some((state) => embeddingKey(state.identity) === key)) return
  throw new AshlarError(
    'EMBEDDING_MISMATCH',
    `The workspace ${JSON.stringify(ingest.store.scope.workspace)} has vectors of ${active.identity.model}${active.identity.tokenCodec === undefined ? '' : ` (${active.identity.tokenCodec})`}, and this ingest makes those of ${identity.model}. Open it with the embedder it was made with, or add the new one first: store.embedding(identity, 'add').`,
    { details: { active: active.identity, given: identity } },
  )
}
