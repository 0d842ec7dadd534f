import { plain } from '../chunk/plain.ts'
import type { Format } from '../chunk/seam.ts'
import { AshlarError } from '../error/ashlar-error.ts'
import type { IngestEvent } from '../ingest/ingest-event.ts'
import { ingestFields } from '../ingest/ingest-fields.ts'
import type { IngestReceipt } from '../ingest/ingest-receipt.ts'
import type { Library } from '../library/library.ts'
import { open } from '../library/open.ts'
import type { OpenOptions } from '../library/open-options.ts'
import { memoryStore } from '../store/memory-store.ts'
import { resolveTreeOptions } from '../tree/tree-options.ts'
import { semanticFormat } from '../vector/semantic-format.ts'
import { type CorpusDocument, formatNamed } from './corpus.ts'
import type { EvaluateOptions } from './evaluate.ts'

/** One way to cut, embed and search documents. What is left out is as the library has it by default. */
export interface Configuration {
  /** What it is called in the report. */
  readonly name: string
  /** Sizes of the pieces. @default those of `buildTree` */
  readonly tree?: OpenOptions['tree']
  /** @default none: words alone */
  readonly embedder?: OpenOptions['embedder']
  /** How windows of token states are made; `false` makes none. @default windows where the embedder gives token states */
  readonly late?: OpenOptions['late']
  /** Whether pieces end where the topic changes, as the embedder sees it. @default false */
  readonly semantic?: boolean
  /** Whether titles and headings are indexed with every piece below them. @default true */
  readonly headings?: boolean
  /** What a model writes about each piece. @default nothing */
  readonly enrich?: OpenOptions['enrich']
  /** Reads the best hits once more. @default none */
  readonly reranker?: OpenOptions['reranker']
  /** How is searched. */
  readonly search?: EvaluateOptions['search']
}

/** Whether two configurations can be asked in one index: they differ in nothing but how is searched. */
export function sameIndex(left: Configuration, right: Configuration): boolean {
  const sizes = ({ tree }: Configuration): unknown[] => {
    const { child, parent, section, least, overlap, counter } = resolveTreeOptions(tree ?? {})
    return [child, parent, section, least, overlap, counter.id]
  }
  return (
    String(sizes(left)) === String(sizes(right)) &&
    left.embedder === right.embedder &&
    left.late === right.late &&
    (left.semantic ?? false) === (right.semantic ?? false) &&
    (left.headings ?? true) === (right.headings ?? true) &&
    left.enrich === right.enrich &&
    left.reranker === right.reranker
  )
}

/** What indexing needs besides a configuration. */
export interface IndexOptions extends Pick<OpenOptions, 'caller' | 'price' | 'journal'> {
  readonly onEvent?: (event: IngestEvent) => void
  readonly signal?: AbortSignal
}

/** Documents cut, embedded and stored in memory the way a configuration says. */
export async function indexDocuments(
  documents: readonly CorpusDocument[],
  configuration: Configuration,
  { onEvent, signal, ...shared }: IndexOptions = {},
): Promise<{ readonly library: Library; readonly receipt: IngestReceipt }> {
  const { tree, embedder, late, semantic = false, headings = true, enrich, reranker } = configuration
  if (semantic && embedder === undefined)
    throw new AshlarError('INVALID_OPTION', 'Topics cannot be told apart without an embedder.')
  const library = await open({
    ...shared,
    store: memoryStore({ workspace: 'evaluation', fields: ingestFields }),
    ...(tree === undefined ? {} : { tree }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(late === undefined ? {} : { late }),
    ...(enrich === undefined ? {} : { enrich }),
    ...(reranker === undefined ? {} : { reranker }),
  })
  try {
    const given = async function* () {
      for (const { id, title, text, format: name } of documents) {
        const own = await formatNamed(name)
        const format = semantic && embedder !== undefined ? await semanticFormat(text, { embedder, format: own, ...shared }) : own
        yield { id, text, title: headings ? title : '', format: headings ? format : withoutHeadings(format) }
      }
    }
    const receipt = await library.add(given(), { ...(onEvent && { onEvent }), ...(signal && { signal }) })
    const [failure] = receipt.failures
    if (failure !== undefined) throw new AshlarError(failure.code, `${failure.id} cannot be indexed: ${failure.message}`)
    return { library, receipt }
  } catch (error) {
    await library.close()
    throw error
  }
}

/** The same cuts, with nothing known of what stands above them. */
function withoutHeadings(format: Format): Format {
  if (format.id === plain.id) return format
  return {
    id: `${format.id}-bare`,
    *seams(text) {
      for (const { heading: _heading, ...seam } of format.seams(text)) yield seam
    },
  }
}
