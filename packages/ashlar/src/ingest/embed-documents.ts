import { contentKey } from '../model/content-key.ts'
import type { Embedder, EmbedderIdentity } from '../model/embedder.ts'
import { identityKey } from '../model/identity-key.ts'
import type { Journal } from '../model/journal.ts'
import { memoryCache } from '../model/memory-cache.ts'
import type { ModelCache } from '../model/model-cache.ts'
import type { StoredWindow } from '../store/store.ts'
import { embedLate } from '../vector/embed-late.ts'
import { type LateOptions, lateIdentity } from '../vector/late-options.ts'
import { type PlannedWindow, planLate } from '../vector/plan-late.ts'
import { childTexts } from './child-text.ts'
import { embedAcross } from './embed-across.ts'
import type { EmbeddedDocument } from './embedded-document.ts'
import { lateOptions } from './embedding-identity.ts'
import type { Ingest } from './ingest.ts'
import { asItemError } from './item-failure.ts'
import { packWindow, unpackWindow, type WindowContent } from './packed-window.ts'
import type { FailedDocument, PreparedDocument } from './prepared-document.ts'
import type { Tally } from './tally.ts'

/** What embedding needs besides documents. */
export interface EmbedStage {
  readonly ingest: Ingest
  readonly tally: Tally
  readonly signal: AbortSignal
  /** Hears of documents that failed. */
  readonly onFailed: (document: Pick<FailedDocument, 'id' | 'from'>) => void
}

/** Gives documents their vectors: what the store or the journal has of them is taken from there, and only the rest is embedded. */
export function embedDocuments(
  documents: AsyncIterable<PreparedDocument>,
  stage: EmbedStage,
): AsyncGenerator<EmbeddedDocument | FailedDocument, void, undefined> {
  const { embedder } = stage.ingest
  if (embedder === undefined) return withoutVectors(documents)
  const late = lateOptions(stage.ingest)
  return late === undefined ? embedChildren(documents, embedder, stage) : embedWindows(documents, late, stage)
}

async function* withoutVectors(documents: AsyncIterable<PreparedDocument>): AsyncGenerator<EmbeddedDocument, void, undefined> {
  for await (const prepared of documents) {
    const { tree, metadata, notes } = prepared
    yield { prepared, document: { tree, metadata, notes }, journaled: [], embedded: 0, reused: 0, windows: 0 }
  }
}

/** A static embedder's vectors are made faster than they could be kept. */
function journalFor(embedder: Embedder, journal: Journal | undefined): Journal | undefined {
  return embedder.tokenTable === undefined ? journal : undefined
}

/** The content key of each text: what a journal and a store know its vector by. */
function textKeys(texts: readonly string[], { identity }: Embedder): readonly string[] {
  const model = identityKey(identity)
  return texts.map((text) => contentKey(model, 'document', text))
}

async function* embedChildren(
  documents: AsyncIterable<PreparedDocument>,
  embedder: Embedder,
  { ingest, tally, signal }: EmbedStage,
): AsyncGenerator<EmbeddedDocument | FailedDocument, void, undefined> {
  const journal = journalFor(embedder, ingest.journal)
  async function* planned(): AsyncGenerator<PlannedChildren, void, undefined> {
    for await (const prepared of documents) yield planChildren(prepared, embedder)
  }
  const outcomes = embedAcross(embedder, planned(), ({ missing, texts }) => missing.map((at) => texts[at] as string), {
    ...callOptions(ingest, tally),
    cache: journal ?? memoryCache(),
    signal,
  })
  for await (const { document, vectors: made, cached, error } of outcomes) {
    const { prepared, known, keys, missing } = document
    const { tree, metadata, notes } = prepared
    if (error !== undefined) {
      yield failed(prepared, error)
      continue
    }
    const vectors = [...known]
    for (const [order, at] of missing.entries()) vectors[at] = made[order]
    const embedding = { identity: embedder.identity, vectors, contentKeys: keys }
    yield {
      prepared,
      document: { tree, metadata, notes, embeddings: [embedding] },
      journaled: journal === undefined ? [] : missing.map((at) => keys[at] as string),
      embedded: missing.length - cached,
      reused: keys.length - missing.length + cached,
      windows: 0,
    }
  }
}

/** What is to be embedded of a document, child by child. */
export interface PlannedChildren {
  readonly prepared: PreparedDocument
  readonly texts: readonly string[]
  readonly keys: readonly string[]
  /** Vectors that the store has. */
  readonly known: readonly (Float32Array | undefined)[]
  /** Indices of the others. */
  readonly missing: readonly number[]
}

export function planChildren(prepared: PreparedDocument, embedder: Embedder): PlannedChildren {
  const { tree, notes, stored, spare } = prepared
  const texts = childTexts(tree, notes, embedder)
  const keys = textKeys(texts, embedder)
  const { contentKeys = [], vectors = [] } = stored?.embedding ?? {}
  const byKey = new Map(contentKeys.map((key, at) => [key, vectors[at]]))
  const known = keys.map((key) => byKey.get(key) ?? spare?.vectors.get(key))
  return { prepared, texts, keys, known, missing: [...keys.keys()].filter((at) => known[at] === undefined) }
}

/** What is to be embedded of a document, window by window. */
export interface PlannedWindows {
  readonly prepared: PreparedDocument
  readonly options: LateOptions
  readonly windows: readonly PlannedWindow[]
  /** Windows that the store has. */
  readonly known: Map<string, WindowContent>
  /** The others. */
  readonly missing: readonly PlannedWindow[]
  /** What a paired embedder reads of the children of the missing windows. */
  readonly texts: readonly string[]
}

export function planWindows(prepared: PreparedDocument, late: LateOptions): PlannedWindows {
  const { tree, notes, stored, spare } = prepared
  const paired = late.tokensFrom !== undefined && late.tokensFrom !== late.embedder
  const texts = paired ? childTexts(tree, notes, late.embedder) : []
  const options = paired ? { ...late, textOf: ({ index }: { readonly index: number }) => texts[index] as string } : late
  const windows = prepared.windows ?? planLate(tree, options)
  const known = new Map<string, WindowContent>()
  const { vectors = [], windows: kept = [] } = stored?.embedding ?? {}
  for (const { key, first, after, blob, pieces } of kept) {
    const own = vectors.slice(first, after).filter((vector) => vector !== undefined)
    if (own.length === after - first) known.set(key, { vectors: own, blob, pieces })
  }
  for (const { key } of windows) {
    const content = known.has(key) ? undefined : spare?.windows.get(key)
    if (content !== undefined) known.set(key, content)
  }
  const missing = windows.filter(({ key }) => !known.has(key))
  return {
    prepared,
    options,
    windows,
    known,
    missing,
    texts: paired ? missing.flatMap(({ first, after }) => texts.slice(first, after)) : [],
  }
}

async function* embedWindows(
  documents: AsyncIterable<PreparedDocument>,
  late: LateOptions,
  stage: EmbedStage,
): AsyncGenerator<EmbeddedDocument | FailedDocument, void, undefined> {
  const { ingest, signal, tally } = stage
  const { embedder, tokensFrom = embedder } = late
  const identity = lateIdentity(late)
  const journal = journalFor(tokensFrom, ingest.journal)
  const cache = journalFor(embedder, ingest.journal) ?? memoryCache()
  async function* planned(): AsyncGenerator<PlannedWindows, void, undefined> {
    for await (const prepared of documents) yield planWindows(prepared, late)
  }
  // A paired embedder is asked first, for many documents at once: `embedLate` then finds its answers in the cache.
  const texts = embedAcross(embedder, planned(), (document) => document.texts, { ...callOptions(ingest, tally), cache, signal })
  const ready = tokensFrom === embedder ? planned() : asked(texts)
  for await (const document of ready) {
    if ('error' in document) yield document
    else {
      try {
        yield await makeWindows(document, { identity, journal, cache, stage })
      } catch (error) {
        signal.throwIfAborted()
        yield failed(document.prepared, error)
      }
    }
  }
}

async function* asked(
  texts: ReturnType<typeof embedAcross<PlannedWindows>>,
): AsyncGenerator<PlannedWindows | FailedDocument, void, undefined> {
  for await (const { document, error } of texts) yield error === undefined ? document : failed(document.prepared, error)
}

interface WindowStage {
  readonly identity: EmbedderIdentity
  readonly journal: Journal | undefined
  readonly cache: ModelCache
  readonly stage: EmbedStage
}

async function makeWindows(
  { prepared, options, windows, known, missing, texts }: PlannedWindows,
  { identity, journal, cache, stage: { ingest, tally, signal } }: WindowStage,
): Promise<EmbeddedDocument> {
  const { tree, metadata, notes } = prepared
  const { price = ingest.caller?.price } = ingest
  const kept = journal === undefined || missing.length === 0 ? [] : await journal.get(missing.map(({ key }) => key))
  for (const [at, bytes] of kept.entries()) {
    const { key, first, after } = missing[at] as PlannedWindow
    const window = bytes === undefined ? undefined : unpackWindow(bytes, after - first)
    if (window !== undefined) known.set(key, window)
  }
  let made = 0
  let embedded = 0
  const rest = { cache, signal, tooLong: 'split' as const, known: (key: string) => known.has(key) }
  const paired = options.tokensFrom !== undefined && options.tokensFrom !== options.embedder
  const work = { ...options, ...rest, ...(paired ? callOptions(ingest, tally) : {}) }
  const ready = prepared.windows?.filter(({ key }) => !known.has(key))
  for await (const window of ready ?? (missing.every(({ key }) => known.has(key)) ? [] : embedLate(tree, work))) {
    const { key, vectors, pieces, blob, usage } = window
    known.set(key, { vectors, pieces, blob })
    made++
    embedded += vectors.length
    tally.spent(usage, paired ? undefined : price)
    await journal?.set([{ key, value: packWindow(window) }])
  }
  const contents = windows.map(({ key }) => known.get(key) as WindowContent)
  const stored = windows.map(({ key, first, after }, at): StoredWindow => {
    const { blob, pieces } = contents[at] as WindowContent
    return { key, first, after, blob, pieces }
  })
  const embedding = {
    identity,
    vectors: contents.flatMap(({ vectors }) => vectors),
    contentKeys: windows.flatMap(({ key, first, after }) => Array.from({ length: after - first }, (_, at) => `${key}/${at}`)),
    windows: stored,
  }
  return {
    prepared,
    document: { tree, metadata, notes, embeddings: [embedding] },
    journaled: ingest.journal === undefined ? [] : [...missing.map(({ key }) => key), ...textKeys(texts, options.embedder)],
    embedded,
    reused: tree.children.length - embedded,
    windows: made,
  }
}

function callOptions(
  { caller, price }: Ingest,
  tally: Tally,
): { readonly onEvent: ReturnType<Tally['heard']> } & Pick<Ingest, 'caller' | 'price'> {
  return {
    onEvent: tally.heard(price ?? caller?.price),
    ...(caller !== undefined && { caller }),
    ...(price !== undefined && { price }),
  }
}

function failed({ id, source, from, bytes, change }: PreparedDocument, error: unknown): FailedDocument {
  return { id, source, from, bytes, change, error: asItemError(error, `${id} cannot be embedded`) }
}
