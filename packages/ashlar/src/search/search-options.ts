import { AshlarError } from '../error/ashlar-error.ts'
import type { WorkOptions } from '../model/ask-all.ts'
import type { Reranker } from '../model/reranker.ts'
import type { FieldTypes, Filter, Metadata } from '../store/filter.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import type { Counter } from '../text/counter.ts'
import type { LateOptions } from '../vector/late-options.ts'
import { type NominationLimits, nominationLimits } from './configuration.ts'
import { compileWhere, type Where } from './where.ts'

/** What the vectors in the store were made with: the options that `embedLate` was given, or an embedder alone. */
export type SearchEmbedding = LateOptions & Omit<WorkOptions, 'signal'>

/**
 * What a hit is made of.
 *
 * - `child`: the child that was found, and nothing else
 * - `parent`: the whole parent of the child; children of one parent make one hit
 * - `segment`: children that were found and stand next to each other, joined
 */
export type Expand = 'child' | 'parent' | 'segment'

/** What a question wants: a fact that stands somewhere, or all that is said about something. */
export type Scope = 'fact' | 'topic'

/** A cross-encoder that puts the best hits in order once more. It reads each with what stands around it. */
export interface SearchRerank extends Omit<WorkOptions, 'signal'> {
  readonly reranker: Reranker
  /** How many of the best children it reads. @default 30 */
  readonly top?: number
  /**
   * What its judgement weighs beside the score. Alone it is worse than the score, and it does not pay for source code.
   * @default 0.1
   */
  readonly weight?: number
}

/** Asks why one child was not returned, or why it was. */
export interface ExplainChild {
  /** Its id. */
  readonly child: string
  /** The document it is in: needed to find a child that nothing nominated. */
  readonly document?: string
}

/** How a store is searched. `Data` is the metadata that `where` may ask about. */
export interface SearchOptions<Data extends object = Metadata> {
  /**
   * What embeds the query. Several while a store moves from one embedder to another: the one is used that the store's searches use at
   * that moment. @default none: only words are searched
   */
  readonly embedding?: SearchEmbedding | readonly SearchEmbedding[]
  /**
   * What to do when the embedder or the reranker fails: go on without it and say so in `degraded`, or fail. A store whose vectors another
   * model made is an error in any case. @default 'degrade'
   */
  readonly whenModelFails?: 'degrade' | 'throw'
  /** Only documents that satisfy this: `{ year: { gte: 2020 } }`, or a {@link Filter}. @default all */
  readonly where?: Where<Data> | Filter
  /**
   * Whether the words of whole documents count too. That helps where a document is about one thing, such as a file of source code.
   * @default false
   */
  readonly documents?: boolean
  /**
   * What the question wants: `fact`, something that stands in one place, or `topic`, all that is said about something, as in “what did
   * they think of the new battery?”. For a topic, hits with other hits around them come first. Scores are the same. @default 'fact'
   */
  readonly scope?: Scope
  /** Most hits, counted after joining and leaving out what is there twice. @default 10 */
  readonly limit?: number
  /** What a hit is made of. @default 'child' */
  readonly expand?: Expand
  /** Leaves out hits with a lower score, unless they hold a phrase of the query literally. @default 0 */
  readonly minScore?: number
  /** Most tokens of all hits together. What does not fit is tried as its best child alone, then left out. @default no limit */
  readonly maxTokens?: number
  /** Counts those tokens. @default approximateTokens */
  readonly counter?: Counter
  /** `merge` tells where else the same text was found instead of giving it again. @default 'merge' */
  readonly duplicates?: 'merge' | 'keep'
  /** Whether hits say their line or page, for which their documents are read. @default true */
  readonly places?: boolean
  /** @default no reranker */
  readonly rerank?: SearchRerank
  /** Explains the result, and where asked for what became of one child. @default false */
  readonly explain?: boolean | ExplainChild
  /** Changes how many pieces are nominated by each leg and scored in full. @default nominationLimits */
  readonly nominate?: Partial<NominationLimits>
  readonly signal?: AbortSignal
}

/** {@link SearchOptions} checked and with every default filled in. */
export interface ResolvedSearchOptions
  extends Required<
    Pick<
      SearchOptions,
      'whenModelFails' | 'documents' | 'scope' | 'limit' | 'expand' | 'minScore' | 'counter' | 'duplicates' | 'places' | 'explain'
    >
  > {
  readonly embedding: readonly SearchEmbedding[]
  readonly where: Filter | undefined
  readonly maxTokens: number | undefined
  readonly rerank: SearchRerank | undefined
  readonly nominate: NominationLimits
  readonly signal: AbortSignal | undefined
}

export function resolveSearchOptions(options: SearchOptions, fields: FieldTypes): ResolvedSearchOptions {
  const { embedding = [], limit = 10, expand = 'child', minScore = 0, maxTokens, rerank, duplicates = 'merge' } = options
  const { whenModelFails = 'degrade', scope = 'fact' } = options
  checkCount('limit', limit)
  if (maxTokens !== undefined) checkCount('maxTokens', maxTokens)
  if (rerank?.top !== undefined) checkCount('rerank.top', rerank.top)
  if (!Number.isFinite(minScore)) throw invalid('minScore', 'a number', minScore)
  if (rerank?.weight !== undefined && !(rerank.weight >= 0 && Number.isFinite(rerank.weight)))
    throw invalid('rerank.weight', 'a number of at least 0', rerank.weight)
  checkOneOf('expand', expand, ['child', 'parent', 'segment'])
  checkOneOf('scope', scope, ['fact', 'topic'])
  checkOneOf('duplicates', duplicates, ['merge', 'keep'])
  checkOneOf('whenModelFails', whenModelFails, ['degrade', 'throw'])
  return {
    embedding: Array.isArray(embedding) ? (embedding as readonly SearchEmbedding[]) : [embedding as SearchEmbedding],
    whenModelFails,
    where: options.where === undefined ? undefined : compileWhere(options.where, fields),
    documents: options.documents ?? false,
    scope,
    limit,
    expand,
    minScore,
    maxTokens,
    counter: options.counter ?? approximateTokens,
    duplicates,
    places: options.places ?? true,
    rerank,
    explain: options.explain ?? false,
    nominate: { ...nominationLimits, ...options.nominate },
    signal: options.signal,
  }
}

function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw invalid(name, 'a whole number of at least 1', value)
}

function checkOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw invalid(name, `one of ${known.join(', ')}`, value)
}

function invalid(name: string, wanted: string, value: unknown): AshlarError {
  return new AshlarError('INVALID_OPTION', `${name} must be ${wanted}, not ${String(value)}.`, { details: { [name]: value } })
}
