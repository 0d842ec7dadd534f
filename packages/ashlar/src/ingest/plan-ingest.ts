import { planEnrichment } from '../enrich/plan-enrichment.ts'
import { addUsage, costOf, noUsage, type Usage } from '../model/usage.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import { type Change, type ChangeKind, noChanges } from './change.ts'
import { changesOf } from './changes-of.ts'
import { planChildren, planWindows } from './embed-documents.ts'
import { lateOptions } from './embedding-identity.ts'
import { keptNotes } from './enrich-documents.ts'
import { inProcessReader } from './in-process-reader.ts'
import type { Ingest } from './ingest.ts'
import type { IngestEvent } from './ingest-event.ts'
import type { EmbeddingEstimate, EnrichmentEstimate, IngestPlan } from './ingest-plan.ts'
import { mapAhead } from './map-ahead.ts'
import { type ChangeToRead, preparing } from './prepare-item.ts'
import { type FailedDocument, hasFailed, type PreparedDocument } from './prepared-document.ts'
import type { Source } from './source.ts'
import { Tally } from './tally.ts'

/** How {@link planIngest} plans. */
export interface PlanIngestOptions {
  /** Changes of each kind that are named. @default 10 */
  readonly examples?: number
  /** Reads and cuts what is new or changed, to say what embedding and enriching it comes to. @default true */
  readonly estimate?: boolean
  /** Whether documents that other roots have become the source's own where it lists their ids. @default true */
  readonly claim?: boolean
  readonly onEvent?: (event: IngestEvent) => void
  readonly signal?: AbortSignal
}

/**
 * Says what `runIngest` would do now with the same source and options, and what it would cost. Nothing is written, no model is asked.
 *
 * What the store and the journal have is left out, exactly. Where a model writes about children first, what it will write is not part of
 * the tokens to embed.
 */
export async function planIngest(source: Source, ingest: Ingest, options: PlanIngestOptions = {}): Promise<IngestPlan> {
  const { examples: most = 10, estimate = true, signal } = options
  const { reader = inProcessReader() } = ingest
  const tally = new Tally(options.onEvent)
  const examples: Record<ChangeKind, Change[]> = { new: [], moved: [], changed: [], unchanged: [], gone: [], failed: [] }
  let bytes = 0
  async function* toRead(): AsyncGenerator<ChangeToRead, void, undefined> {
    for await (const change of changesOf(source, ingest, options)) {
      tally.found(change)
      if (examples[change.kind].length < most) examples[change.kind].push(change)
      if (change.kind !== 'new' && change.kind !== 'moved' && change.kind !== 'changed') continue
      bytes += change.item.size ?? 0
      if (estimate) yield change
    }
    tally.foundAll()
  }
  const sums = new Estimate(ingest)
  const work = async (change: ChangeToRead): Promise<FailedDocument | undefined> => {
    const document = await prepare(change)
    if (hasFailed(document)) return document
    await sums.add(document, signal)
    return undefined
  }
  const prepare = preparing(source.root, ingest, signal)
  // Each is counted where it is read, so that no tree waits for another.
  const settled = mapAhead(toRead(), { most: reader.concurrency * 2 }, async (change) => {
    try {
      return await work(change)
    } catch (error) {
      return { error }
    }
  })
  for await (const failure of settled) {
    signal?.throwIfAborted()
    if (failure === undefined) continue
    if (!('id' in failure)) throw failure.error
    tally.failed(failure.change, failure.id, failure.error, failure.source, failure.bytes)
  }
  const { counts, failures } = tally.receipt(source.root)
  const { embedding, enrichment } = estimate ? sums : { embedding: undefined, enrichment: undefined }
  const parts = [embedding, enrichment].filter((part) => part !== undefined)
  const cost = parts.some((part) => part.cost === undefined) ? undefined : parts.reduce((sum, part) => sum + (part.cost ?? 0), 0)
  return {
    root: source.root,
    counts: { ...noChanges, ...counts },
    examples,
    bytes,
    embedding,
    enrichment,
    cost: estimate && parts.length > 0 ? cost : undefined,
    failures,
  }
}

/** Sums up what documents would take. */
class Estimate {
  readonly #ingest: Ingest
  readonly #sums = { children: 0, toEmbed: 0, windows: 0, stored: 0, journaled: 0 }
  #usage: Usage = noUsage
  #written = { children: 0, calls: 0, cost: 0 }
  #writtenUsage: Usage = noUsage
  #isPriced = true

  constructor(ingest: Ingest) {
    this.#ingest = ingest
  }

  get embedding(): EmbeddingEstimate | undefined {
    const { embedder, price, caller } = this.#ingest
    const own = price ?? caller?.price
    if (embedder === undefined) return undefined
    return { ...this.#sums, usage: this.#usage, cost: own === undefined ? undefined : costOf(this.#usage, own) }
  }

  get enrichment(): EnrichmentEstimate | undefined {
    if (this.#ingest.enrich === undefined) return undefined
    return { ...this.#written, usage: this.#writtenUsage, cost: this.#isPriced ? this.#written.cost : undefined }
  }

  async add(document: PreparedDocument, signal: AbortSignal | undefined): Promise<void> {
    const { enrich } = this.#ingest
    const kept = enrich === undefined ? [] : [...keptNotes(document).values()]
    if (enrich !== undefined) await this.#addWriting(document, enrich, new Set(kept.map(({ child }) => child)), signal)
    await this.#addEmbedding({ ...document, notes: kept })
  }

  async #addWriting(
    { tree }: PreparedDocument,
    enrich: NonNullable<Ingest['enrich']>,
    kept: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const children = tree.children.filter(({ id }) => !kept.has(id))
    const { cache = this.#ingest.journal, price = enrich.caller?.price } = enrich
    const { document, title, text } = tree
    const plan = await planEnrichment(
      { document, title, text, children },
      {
        ...enrich,
        ...(cache !== undefined && { cache }),
        ...(price !== undefined && { price }),
        ...(signal !== undefined && { signal }),
      },
    )
    this.#written.children += tree.children.length
    this.#written.calls += plan.calls
    this.#written.cost += plan.cost ?? 0
    this.#isPriced &&= plan.cost !== undefined
    this.#writtenUsage = addUsage(this.#writtenUsage, plan.usage)
  }

  async #addEmbedding(document: PreparedDocument): Promise<void> {
    const { embedder, journal } = this.#ingest
    this.#sums.children += document.tree.children.length
    if (embedder === undefined) return
    const { identity, counter = approximateTokens } = embedder
    const late = lateOptions(this.#ingest)
    const parts =
      late === undefined
        ? childParts(planChildren(document, embedder))
        : windowParts(planWindows(document, late), document.tree.text)
    const known = journal === undefined || parts.length === 0 ? [] : await journal.get(parts.map(({ key }) => key))
    this.#sums.stored += document.tree.children.length - parts.reduce((sum, { children }) => sum + children, 0)
    for (const [at, { text, children }] of parts.entries()) {
      if (known[at] !== undefined) {
        this.#sums.journaled += children
        continue
      }
      this.#sums.toEmbed += children
      if (late !== undefined) this.#sums.windows++
      this.#usage = addUsage(this.#usage, { ...noUsage, inputTokens: counter(identity.documentPrefix + text) })
    }
  }
}

/** Something that is embedded in one piece. */
interface Part {
  readonly key: string
  readonly text: string
  readonly children: number
}

function childParts({ missing, keys, texts }: ReturnType<typeof planChildren>): Part[] {
  return missing.map((at) => ({ key: keys[at] as string, text: texts[at] as string, children: 1 }))
}

function windowParts({ missing }: ReturnType<typeof planWindows>, text: string): Part[] {
  return missing.map(({ key, start, end, first, after }) => ({ key, text: text.slice(start, end), children: after - first }))
}
