import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAshlarError } from '../../error/ashlar-error.ts'
import { ingestFields } from '../../ingest/ingest-fields.ts'
import type { IngestPlan } from '../../ingest/ingest-plan.ts'
import type { IngestReceipt } from '../../ingest/ingest-receipt.ts'
import { type FolderOptions, folderSource } from '../../ingest/node/folder-source.ts'
import { ThreadedIngest } from '../../ingest/node/threaded-ingest.ts'
import { workerReader } from '../../ingest/node/worker-reader.ts'
import type { RunIngestOptions } from '../../ingest/run-ingest.ts'
import type { Source } from '../../ingest/source.ts'
import type { Embedder } from '../../model/embedder.ts'
import type { Journal } from '../../model/journal.ts'
import { memoryCache } from '../../model/memory-cache.ts'
import { optionalPackage } from '../../model/optional-package.ts'
import { sqliteCache } from '../../model/sqlite-cache.ts'
import type { FieldTypes, Metadata } from '../../store/filter.ts'
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Store, StoreScope } from '../../store/store.ts'
import { Closing } from '../closing.ts'
import { feedbackFields } from '../feedback-fields.ts'
import type { Library, PlanOptions, SyncOptions } from '../library.ts'
import type { OpenOptions } from '../open-options.ts'
import { TreeLibrary } from '../tree-library.ts'

/** How a library is opened by its place. */
export interface OpenPlaceOptions extends Omit<OpenOptions, 'store' | 'feedback' | 'embedder'> {
  /** The workspace that is written and read. @default 'default' */
  readonly workspace?: string
  /** Workspaces that are read as well. @default none */
  readonly alsoRead?: readonly string[]
  /** The metadata fields that filters may name, and what they hold. @default none */
  readonly fields?: FieldTypes
  /** What embeds; `none` searches words alone. @default the static vectors of `ashlar-potion` where it is installed, else none */
  readonly embedder?: Embedder | 'none'
  /**
   * The folder that ids of synced files begin at: `docs/guide.md`. @default where the SQLite file is; for a database, the working directory
   */
  readonly base?: string
}

/** A {@link Library} whose `plan` and `sync` take a folder's path as well. */
export interface NodeLibrary<Fields extends object = Metadata> extends Library<Fields> {
  plan(source: Source | string, options?: PlanOptions & FolderOptions): Promise<IngestPlan>
  sync(source: Source | string, options?: SyncOptions & FolderOptions): Promise<IngestReceipt>
}

/**
 * Opens a library at a place: a path keeps it in one SQLite file, made if it is not there; a URL that begins with `postgres:` in that
 * database.
 *
 * Files are parsed and cut in worker threads. A folder is synced into a SQLite file in a thread of its own where models and settings are
 * data, as those of `ashlar-potion` are; else in this one. Beside a SQLite file a second one, `….journal`, holds vectors that were paid for
 * until their documents are stored, so that a run which was killed goes on where it was. Close the library when done.
 *
 * @throws AshlarError as `sqliteStore` and `postgresStore` do.
 */
export async function open<Fields extends object = Metadata>(
  place: string | URL,
  options: OpenPlaceOptions = {},
): Promise<NodeLibrary<Fields>> {
  const { workspace = 'default', alsoRead = [], fields = {}, embedder, base = baseOf(String(place)), ...rest } = options
  await using opened = new Closing()
  const openStore = await storesAt(String(place), opened)
  const scope = { workspace, alsoRead, fields: { ...fields, ...ingestFields } }
  const store = opened.use(await openStore(scope))
  const chosen = embedder === undefined ? await installedEmbedder() : embedder
  const made = {
    ...rest,
    store,
    feedback: () => openStore({ workspace: `${workspace}/feedback`, fields: feedbackFields }),
    journal: rest.journal ?? opened.use(journalAt(String(place))),
    reader: rest.reader ?? opened.use(workerReader()),
    ...(chosen === 'none' ? {} : { embedder: chosen }),
  }
  const thread = threadFor(String(place), scope, { ...rest, embedder: chosen })
  if (thread !== undefined) opened.use(thread)
  return new PlaceLibrary<Fields>({ ...made, closes: [...(rest.closes ?? []), opened.move()] }, base, thread)
}

/** A thread that ingests as the library does; undefined where some of what that takes is more than data. */
function threadFor(place: string, scope: StoreScope, options: OpenPlaceOptions): ThreadedIngest | undefined {
  const { embedder, tree, late, price, reader, enrich, journal, caller } = options
  const isOwn = reader !== undefined || enrich !== undefined || journal !== undefined || caller !== undefined
  if (isOwn || isDatabase(place) || tree?.counter !== undefined) return undefined
  const { tokensFrom, codec, ...windows } = late === false ? {} : (late ?? {})
  const model = embedder === undefined || embedder === 'none' ? undefined : embedder.forThread
  if (tokensFrom !== undefined || codec !== undefined || (embedder !== 'none' && model === undefined)) return undefined
  const path = pathOf(place)
  return new ThreadedIngest(path, () => ({
    path,
    journal: `${path}.journal`,
    scope,
    ...(late !== undefined && { late: late === false ? late : windows }),
    ...(model !== undefined && { model: model() }),
    ...(tree !== undefined && { tree }),
    ...(price !== undefined && { price }),
  }))
}

class PlaceLibrary<Fields extends object> extends TreeLibrary<Fields> implements NodeLibrary<Fields> {
  readonly #base: string
  readonly #thread: ThreadedIngest | undefined

  constructor(options: OpenOptions, base: string, thread: ThreadedIngest | undefined) {
    super(options)
    this.#base = resolve(base)
    this.#thread = thread
  }

  override plan(source: Source | string, options: PlanOptions & FolderOptions = {}): Promise<IngestPlan> {
    return super.plan(this.#source(source, options), options)
  }

  override sync(source: Source | string, options: SyncOptions & FolderOptions = {}): Promise<IngestReceipt> {
    return super.sync(this.#source(source, options), options)
  }

  protected override run(source: Source, options: RunIngestOptions): Promise<IngestReceipt> {
    const data = this.#thread === undefined ? undefined : source.forThread?.()
    return data === undefined ? super.run(source, options) : (this.#thread as ThreadedIngest).run(data, options)
  }

  /** Ids and the root's name come from the way from the base to the folder, so that both can be moved together. */
  #source(source: Source | string, options: FolderOptions): Source {
    if (typeof source !== 'string') return source
    const way = relative(this.#base, resolve(source)).split(sep).join('/')
    return folderSource(source, { root: `file:${way}`, prefix: way === '' ? '' : `${way}/`, ...options })
  }
}

/** What opens the stores of a place; whatever they share is left to `opened`. */
async function storesAt(place: string, opened: Closing): Promise<(scope: StoreScope) => Promise<Store>> {
  if (!isDatabase(place)) return (scope) => sqliteStore(pathOf(place), scope)
  const { postgresStore } = await import('../../store/postgres/postgres-store.ts')
  const { openPool } = await import('../../store/postgres/open-pool.ts')
  const pool = await openPool(place, 10, 'open')
  opened.defer(() => pool.end())
  return (scope) => postgresStore(pool, scope)
}

/** A database has no file beside it: what is on its way there is kept in memory, and asked for again after a crash. */
function journalAt(place: string): Journal {
  return isDatabase(place) ? memoryCache() : sqliteCache(`${pathOf(place)}.journal`)
}

function baseOf(place: string): string {
  return isDatabase(place) ? '.' : dirname(resolve(pathOf(place)))
}

function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place)
}

function pathOf(place: string): string {
  return place.startsWith('file:') ? fileURLToPath(place) : place
}

async function installedEmbedder(): Promise<Embedder | 'none'> {
  // Not written out, so that nobody's bundler or compiler looks for what need not be there.
  const name = 'ashlar-potion'
  try {
    const { potion } = (await optionalPackage(name, () => import(name), 'open')) as { potion(): Promise<Embedder> }
    return await potion()
  } catch (error) {
    if (isAshlarError(error) && error.code === 'MISSING_PACKAGE') return 'none'
    throw error
  }
}
