import { enrichSources } from '../enrich/enrich.ts'
import type { Enrichment, EnrichmentSource } from '../enrich/enrichment.ts'
import type { ChildNote } from '../store/store.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import { Channel } from './channel.ts'
import type { EmbedStage } from './embed-documents.ts'
import type { Ingest } from './ingest.ts'
import { asItemError } from './item-failure.ts'
import type { FailedDocument, PreparedDocument } from './prepared-document.ts'

interface Job {
  readonly prepared: PreparedDocument
  readonly notes: Map<string, ChildNote>
  missing: number
  error: unknown
}

/**
 * Has a model write about the children of documents. What is stored about a child of the same text under the same headings is kept; a
 * child that the model declined to write about goes without.
 */
export async function* enrichDocuments(
  documents: AsyncIterable<PreparedDocument>,
  enrich: NonNullable<Ingest['enrich']>,
  { ingest, tally, signal }: EmbedStage,
): AsyncGenerator<PreparedDocument | FailedDocument, void, undefined> {
  const ready = new Channel<PreparedDocument | FailedDocument>(32, () => 1)
  const left = new AbortController()
  const jobs = new Map<EnrichmentSource, Job>()
  async function* sources(): AsyncGenerator<EnrichmentSource, void, undefined> {
    for await (const prepared of documents) {
      const { tree } = prepared
      const notes = keptNotes(prepared)
      const children = tree.children.filter(({ id }) => !notes.has(id))
      const job: Job = { prepared, notes, missing: children.length, error: undefined }
      const source = { document: tree.document, title: tree.title, text: tree.text, children }
      if (children.length === 0) await ready.put(finished(job))
      else {
        jobs.set(source, job)
        yield source
      }
    }
  }
  const work = async (): Promise<void> => {
    const cache = enrich.cache ?? ingest.journal
    const outcomes = enrichSources(sources(), {
      ...enrich,
      ...(cache !== undefined && { cache }),
      onEvent: tally.heard(enrich.price ?? enrich.caller?.price),
      signal: AbortSignal.any([signal, left.signal]),
    })
    for await (const { source, outcome } of outcomes) {
      const job = jobs.get(source) as Job
      if (outcome.enrichment !== undefined) job.notes.set(outcome.id, noteOf(outcome.id, outcome.enrichment))
      else if (outcome.error.code !== 'REFUSED') job.error ??= outcome.error
      if (--job.missing > 0) continue
      jobs.delete(source)
      await ready.put(finished(job))
    }
    ready.close()
  }
  const working = work().catch((error: unknown) => ready.fail(error))
  try {
    yield* ready
  } finally {
    left.abort(new DOMException('The texts are not wanted any more', 'AbortError'))
    ready.fail(left.signal.reason)
    await working
  }
}

function noteOf(child: string, { provenance, ...written }: Enrichment): ChildNote {
  return { child, ...written, provenance: { ...provenance } }
}

function finished({ prepared, notes, error }: Job): PreparedDocument | FailedDocument {
  if (error === undefined) return { ...prepared, notes: [...notes.values()] }
  const { id, source, change, from, bytes } = prepared
  return { id, source, change, from, bytes, error: asItemError(error, `${id} cannot be enriched`) }
}

/** What is stored about children that are the same now, by their ids now. */
export function keptNotes({ tree, stored }: PreparedDocument): Map<string, ChildNote> {
  const kept = new Map<string, ChildNote>()
  if (stored === undefined || stored.notes.length === 0) return kept
  const notes = new Map(stored.notes.map((note) => [note.child, note]))
  const byContent = new Map<string, ChildNote>()
  for (const child of stored.tree.children) {
    const note = notes.get(child.id)
    if (note !== undefined) byContent.set(contentOf(stored.tree, child), note)
  }
  for (const child of tree.children) {
    const note = byContent.get(contentOf(tree, child))
    if (note !== undefined) kept.set(child.id, { ...note, child: child.id })
  }
  return kept
}

function contentOf({ title }: Tree, { text, lead, outline }: TreePiece): string {
  return JSON.stringify([title, outline, text.slice(lead)])
}
