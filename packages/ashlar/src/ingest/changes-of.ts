import { AshlarError } from '../error/ashlar-error.ts'
import { checkDocumentId } from '../store/check-id.ts'
import { compareByCodePoint } from '../store/code-point-order.ts'
import type { Metadata } from '../store/filter.ts'
import { reserved } from '../store/reserved-metadata.ts'
import type { DocumentSummary } from '../store/store.ts'
import { batches } from './batches.ts'
import type { Change } from './change.ts'
import { hashBytes } from './hash-bytes.ts'
import { inProcessReader } from './in-process-reader.ts'
import type { Ingest } from './ingest.ts'
import { asItemError } from './item-failure.ts'
import { mapAhead } from './map-ahead.ts'
import { recipes } from './recipe.ts'
import type { Source, SourceGap, SourceItem } from './source.ts'
import { documentsByHash, storedDocuments } from './stored-documents.ts'

/** How {@link changesOf} compares. */
export interface ChangesOptions {
  /** Whether documents that other roots have become the source's own where it lists their ids. @default true */
  readonly claim?: boolean
  readonly signal?: AbortSignal
}

/** Items that are hashed and looked up together, and how many such groups at once. */
const group = { size: 128, ahead: 4 }

/**
 * Compares a source with what the store has of it, item by item, in the order of ids: what is new, moved, changed, unchanged, gone, or
 * cannot be read. Nothing is written.
 *
 * Both sides are read in the same order and side by side, so that memory does not grow with either. Whether an item is unchanged is
 * told by the hash of its bytes alone, never by its time of change.
 */
export async function* changesOf(
  source: Source,
  ingest: Ingest,
  options: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const { signal, claim = true } = options
  const { store, reader = inProcessReader() } = ingest
  const recipeOf = recipes(ingest)
  const isSame = (metadata: Metadata, item: SourceItem, hash: string | undefined): boolean =>
    metadata[reserved.hash] === hash &&
    metadata[reserved.recipe] === recipeOf(item) &&
    reader.isCurrent(String(metadata[reserved.loader]))
  /** What is new to this root and another one has: it stays there. */
  const leftWithOthers = async (changes: Change[], hashes: ReadonlyMap<SourceItem, string | AshlarError>): Promise<void> => {
    const fresh = changes.filter((change) => change.kind === 'new')
    const records =
      fresh.length === 0
        ? []
        : await store.get(
            fresh.map(({ id }) => id),
            signal === undefined ? {} : { signal },
          )
    for (const [at, { id, item }] of fresh.entries()) {
      const record = records[at]
      const root = record?.workspace === store.scope.workspace ? record.metadata[reserved.root] : undefined
      if (record === undefined || typeof root !== 'string') continue
      const hash = hashes.get(item) ?? (await hashItems(source, [item], signal))[0]
      const isUnchanged = !(hash instanceof AshlarError) && isSame(record.metadata, item, hash)
      changes[changes.indexOf(fresh[at] as Change)] = isUnchanged
        ? { kind: 'unchanged', id, item }
        : { kind: 'changed', id, item, root }
    }
  }
  const stored = new Stored(storedDocuments(store, source.root, signal))
  const isEmpty = (await stored.peek()) === undefined
  const gaps: string[] = []
  const compared = mapAhead(batches(inOrder(source, signal), group.size), { most: group.ahead }, async (entries) => {
    try {
      const items = entries.filter(isItem)
      // Where nothing is stored, nothing can be unchanged or moved, and who reads an item hashes it.
      if (isEmpty) return { entries, hashes: new Map<SourceItem, string | AshlarError>() }
      const hashes = await hashItems(source, items, signal)
      return { entries, hashes: new Map(items.map((item, at) => [item, hashes[at] as string | AshlarError])) }
    } catch (error) {
      return { error, entries, hashes: new Map<SourceItem, string | AshlarError>() }
    }
  })
  for await (const one of compared) {
    if ('error' in one) throw one.error
    const { entries, hashes } = one
    const fresh: { readonly place: number; readonly hash: string }[] = []
    const changes: Change[] = []
    for (const entry of entries) {
      signal?.throwIfAborted()
      const id = idOf(entry)
      for await (const gone of stored.before(id)) if (!isBehind(gone.id, gaps)) changes.push({ kind: 'gone', id: gone.id })
      const before = !isItem(entry) && entry.within ? undefined : await stored.at(id)
      if (!isItem(entry)) {
        if (entry.within) gaps.push(entry.gap)
        changes.push({ kind: 'failed', id, error: entry.error })
        continue
      }
      const hash = hashes.get(entry)
      if (hash instanceof AshlarError) changes.push({ kind: 'failed', id, item: entry, error: hash })
      else if (before !== undefined) {
        changes.push({ kind: isSame(before.metadata, entry, hash) ? 'unchanged' : 'changed', id, item: entry })
      } else {
        if (hash !== undefined) fresh.push({ place: changes.length, hash })
        changes.push({ kind: 'new', id, item: entry })
      }
    }
    const hashed = fresh.map(({ hash }) => hash)
    const twins = await documentsByHash(store, hashed, source.root, signal)
    for (const { place, hash } of fresh) {
      const twin = twins.get(hash)
      const { id, item } = changes[place] as Change & { readonly item: SourceItem }
      if (twin === undefined) continue
      const isGone =
        twin.id !== id && twin.metadata[reserved.root] === source.root && (await source.has?.(twin.id, signal)) !== true
      changes[place] = isGone ? { kind: 'moved', id, item, from: twin.id } : { kind: 'new', id, item, copyOf: twin.id }
    }
    if (!claim) await leftWithOthers(changes, hashes)
    yield* changes
  }
  for await (const gone of stored.before(undefined)) if (!isBehind(gone.id, gaps)) yield { kind: 'gone', id: gone.id }
}

/** What a root has in the store and its source does not: as many ids as asked for at most, and whether the source has new ones. */
export async function listedNow(
  source: Source,
  ingest: Pick<Ingest, 'store'>,
  most: number,
  signal?: AbortSignal,
): Promise<{ readonly gone: readonly string[]; readonly fresh: boolean }> {
  const stored = new Stored(storedDocuments(ingest.store, source.root, signal))
  const gaps: string[] = []
  const gone: string[] = []
  let fresh = false
  if ((await stored.peek()) === undefined) return { gone, fresh: true }
  const note = async (id: string | undefined): Promise<void> => {
    for await (const document of stored.before(id)) {
      if (gone.length >= most) return
      if (!isBehind(document.id, gaps)) gone.push(document.id)
    }
  }
  for await (const entry of inOrder(source, signal)) {
    if (gone.length >= most) break
    await note(idOf(entry))
    if (!isItem(entry) && entry.within) gaps.push(entry.gap)
    else if ((await stored.at(idOf(entry))) === undefined && isItem(entry)) fresh = true
  }
  await note(undefined)
  return { gone, fresh }
}

function isItem(entry: SourceItem | SourceGap): entry is SourceItem {
  return !('gap' in entry)
}

function idOf(entry: SourceItem | SourceGap): string {
  return isItem(entry) ? entry.id : entry.gap
}

function isBehind(id: string, gaps: readonly string[]): boolean {
  return gaps.some((gap) => id.startsWith(gap))
}

/** What a source lists, in the order of ids by code point, each id once; what cannot be a document is a gap. */
async function* inOrder(source: Source, signal?: AbortSignal): AsyncGenerator<SourceItem | SourceGap, void, undefined> {
  let entries: AsyncIterable<SourceItem | SourceGap> | Iterable<SourceItem | SourceGap> = source.list(signal)
  if (source.sorted !== true) {
    const all: (SourceItem | SourceGap)[] = []
    for await (const entry of entries) all.push(entry)
    entries = all.sort((left, right) => compareByCodePoint(idOf(left), idOf(right)))
  }
  let last: string | undefined
  for await (const entry of entries) {
    const id = idOf(entry)
    const order = last === undefined ? 1 : compareByCodePoint(id, last)
    if (order < 0)
      throw new AshlarError(
        'INVALID_OPTION',
        `The source ${source.root} says that it is sorted, and lists ${id} after ${last}.`,
        {
          details: { root: source.root, id, after: last },
        },
      )
    last = id
    const error = !isItem(entry) ? undefined : order === 0 ? listedTwice(id) : unfit(id)
    // What is listed twice was compared already.
    yield error === undefined ? entry : { gap: id, within: false, error }
  }
}

function listedTwice(id: string): AshlarError {
  return new AshlarError('INVALID_DOCUMENT', `The source lists ${JSON.stringify(id.slice(0, 60))} twice.`, { details: { id } })
}

function unfit(id: string): AshlarError | undefined {
  try {
    checkDocumentId(id)
    return undefined
  } catch (error) {
    return asItemError(error, 'Its id cannot be used')
  }
}

async function hashItems(
  source: Source,
  items: readonly SourceItem[],
  signal?: AbortSignal,
): Promise<readonly (string | AshlarError)[]> {
  if (source.hash !== undefined) return source.hash(items, signal)
  const hashes: (string | AshlarError)[] = []
  for (const item of items) {
    try {
      hashes.push(await hashBytes(await item.read(signal)))
    } catch (error) {
      signal?.throwIfAborted()
      hashes.push(asItemError(error, `${item.source} cannot be read`))
    }
  }
  return hashes
}

/** Stored documents, taken from the front in their order. */
class Stored {
  readonly #documents: AsyncGenerator<DocumentSummary, void, undefined>
  #next: DocumentSummary | undefined
  #isRead = false

  constructor(documents: AsyncGenerator<DocumentSummary, void, undefined>) {
    this.#documents = documents
  }

  async peek(): Promise<DocumentSummary | undefined> {
    if (!this.#isRead) {
      const { value, done } = await this.#documents.next()
      this.#next = done === true ? undefined : (value as DocumentSummary)
      this.#isRead = true
    }
    return this.#next
  }

  /** Takes those that come before an id; all that are left where there is none. */
  async *before(id: string | undefined): AsyncGenerator<DocumentSummary, void, undefined> {
    for (let next = await this.peek(); next !== undefined; next = await this.peek()) {
      if (id !== undefined && compareByCodePoint(next.id, id) >= 0) return
      this.#isRead = false
      yield next
    }
  }

  /** Takes the one with this id. */
  async at(id: string): Promise<DocumentSummary | undefined> {
    const next = await this.peek()
    if (next?.id !== id) return undefined
    this.#isRead = false
    return next
  }
}
