import type { IngestEvent } from '../ingest/ingest-event.ts'
import type { Library } from '../library/library.ts'
import type { Usage } from '../model/usage.ts'
import { type BootstrapOptions, comparePaired, type PairedComparison } from './bootstrap.ts'
import { type Configuration, type IndexOptions, indexDocuments, sameIndex } from './configuration.ts'
import type { CorpusDocument } from './corpus.ts'
import { type Asked, clustersOf, type EvaluateOptions, type Evaluation, evaluate } from './evaluate.ts'
import type { Question } from './question.ts'
import { recommend } from './recommend.ts'

/** Where a comparison stands. */
export type ComparisonEvent =
  | { readonly type: 'indexing'; readonly configuration: string; readonly event: IngestEvent }
  | { readonly type: 'asking'; readonly configuration: string; readonly asked: number; readonly of: number }

export interface CompareOptions extends Omit<EvaluateOptions, 'search' | 'onProgress'>, Omit<IndexOptions, 'onEvent'> {
  /** A library to ask as it stands, where configurations differ in nothing but how is searched. @default documents are indexed anew */
  readonly library?: Pick<Library, 'search'>
  readonly bootstrap?: BootstrapOptions
  readonly onEvent?: (event: ComparisonEvent) => void
}

/** What making an index took. Configurations that share one have the same. */
export interface IndexCost {
  readonly pieces: number
  readonly milliseconds: number
  readonly usage: Usage
  /** Undefined where no price is known. */
  readonly money: number | undefined
}

export interface ConfigurationResult {
  readonly name: string
  /** Undefined where a library was asked as it stands. */
  readonly index: IndexCost | undefined
  readonly evaluation: Evaluation
}

/** A configuration beside the first one. */
export interface ConfigurationComparison {
  readonly first: string
  readonly second: string
  readonly completeness: PairedComparison
  readonly withinTokens: PairedComparison
  /** Tokens handed over, as a multiple of the first one's. */
  readonly tokens: number
  /** In plain words; claims nothing that an interval does not bear out. */
  readonly recommendation: string
}

export interface ComparisonReport {
  readonly questions: number
  readonly documents: number
  readonly hits: number
  readonly tokens: number
  readonly results: readonly ConfigurationResult[]
  readonly comparisons: readonly ConfigurationComparison[]
}

/**
 * Asks the same questions of several configurations and compares each with the first: how much of the evidence is handed over, at which
 * cost, and whether the difference is more than chance. Indexes are made in memory, one after another.
 */
export async function compareConfigurations(
  documents: readonly CorpusDocument[],
  questions: readonly Question[],
  configurations: readonly Configuration[],
  options: CompareOptions = {},
): Promise<ComparisonReport> {
  const { hits = 5, tokens = 800, counter, library, bootstrap = {}, onEvent, signal, ...indexing } = options
  const judging = { hits, tokens, ...(counter && { counter }), ...(signal && { signal }) }
  const ask = async (at: Pick<Library, 'search'>, { name, search }: Configuration): Promise<Evaluation> =>
    evaluate(at, questions, {
      ...judging,
      ...(search && { search }),
      onProgress: (asked) => onEvent?.({ type: 'asking', configuration: name, asked, of: questions.length }),
    })
  const results = new Map<Configuration, ConfigurationResult>()
  for (const configuration of configurations) {
    if (results.has(configuration)) continue
    const together = configurations.filter((one) => sameIndex(one, configuration))
    if (library !== undefined && together.length === configurations.length) {
      for (const one of together) results.set(one, { name: one.name, index: undefined, evaluation: await ask(library, one) })
      continue
    }
    const made = await indexDocuments(documents, configuration, {
      ...indexing,
      ...(signal && { signal }),
      onEvent: (event) => onEvent?.({ type: 'indexing', configuration: configuration.name, event }),
    })
    await using own = made.library
    const { children, times, usage, money } = made.receipt
    const index = { pieces: children.all, milliseconds: times.total, usage, money }
    for (const one of together) results.set(one, { name: one.name, index, evaluation: await ask(own, one) })
  }
  const inOrder = configurations.map((one) => results.get(one) as ConfigurationResult)
  const [first, ...others] = inOrder as [ConfigurationResult, ...ConfigurationResult[]]
  return {
    questions: questions.length,
    documents: documents.length,
    hits,
    tokens,
    results: inOrder,
    comparisons: others.map((other) => compared(first, other, { ...clustersOf(questions), ...bootstrap }, tokens)),
  }
}

function compared(
  first: ConfigurationResult,
  second: ConfigurationResult,
  options: BootstrapOptions,
  budget: number,
): ConfigurationComparison {
  const pair = (value: (asked: Asked) => number): PairedComparison =>
    comparePaired(first.evaluation.asked.map(value), second.evaluation.asked.map(value), options)
  const comparison = {
    first: first.name,
    second: second.name,
    completeness: pair(({ completeness }) => completeness),
    withinTokens: pair(({ withinTokens }) => withinTokens),
    tokens: second.evaluation.tokens / Math.max(1, first.evaluation.tokens),
  }
  const found = Math.min(first.evaluation.completeness.mean, second.evaluation.completeness.mean)
  return { ...comparison, recommendation: recommend({ ...comparison, found }, budget) }
}
