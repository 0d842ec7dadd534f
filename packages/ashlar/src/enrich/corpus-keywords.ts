import { AshlarError } from '../error/ashlar-error.ts'
import type { Span } from '../text/span.ts'
import { distinct } from './distinct.ts'
import type { EnrichmentSource } from './enrichment.ts'
import { type Term, terms } from './term.ts'

/** How many children there are and how many hold each term: plain data that can be saved and carried on. */
export interface TermStatistics {
  readonly children: number
  /** Terms of all children together, repeats counted. */
  readonly length: number
  readonly frequencies: Readonly<Record<string, number>>
}

/** How keywords are chosen. */
export interface CorpusKeywordsOptions {
  /** How many a child gets at most. @default 8 */
  readonly count?: number
  /** What is common in the corpus, if that is more than the given sources. @default termStatistics(sources) */
  readonly statistics?: TermStatistics
}

/** The keywords of one child, best first. */
export interface ChildKeywords {
  readonly id: string
  readonly document: string
  readonly index: number
  readonly keywords: readonly string[]
}

/** How fast repeats of a term stop counting, and how much long children are held back: the usual values of BM25. */
const saturation = 1.2
const lengthShare = 0.75
/** A term in this share of all children says nothing about any of them. */
const common = 0.5
const longestPhrase = 4

/**
 * Counts in how many children each term stands, over documents, and on top of earlier counts if those are given.
 *
 * A document that has left the corpus, or its old version, is taken off with `sign: -1`, so that statistics follow a corpus
 * without reading all of it again.
 *
 * @example
 * const children = [...identify(chunkText('Lime mortar sets slowly. Lime breathes.', { size: 25, overlap: 0 }))]
 * const { frequencies } = termStatistics([{ document: 'walls', title: '', text: '', children }])
 * console.log(frequencies['lime'], frequencies['mortar']) // => 2 1
 */
export function termStatistics(
  sources: Iterable<EnrichmentSource>,
  options: {
    /** What is counted on. @default nothing */
    readonly base?: TermStatistics
    /** -1 takes the sources off. @default 1 */
    readonly sign?: 1 | -1
  } = {},
): TermStatistics {
  const { base = { children: 0, length: 0, frequencies: {} }, sign = 1 } = options
  const frequencies = new Map(Object.entries(base.frequencies))
  let { children, length } = base
  for (const source of sources) {
    for (const child of source.children) {
      const counts = countTerms(child.text.slice(child.lead))
      children += sign
      length += sign * counts.length
      for (const term of counts.terms.keys()) {
        const frequency = (frequencies.get(term) ?? 0) + sign
        if (frequency > 0) frequencies.set(term, frequency)
        else frequencies.delete(term)
      }
    }
  }
  return {
    children: Math.max(0, children),
    length: Math.max(0, length),
    frequencies: Object.fromEntries(frequencies),
  }
}

/**
 * Keywords without a model: for each child the terms that are frequent in it and rare in the corpus, weighed as BM25 does.
 *
 * Words that every text has fall out by their statistics, in any language. Terms that stand side by side are given as one
 * phrase, spelt as in the text. The same input gives the same keywords everywhere.
 */
export function* corpusKeywords(
  sources: Iterable<EnrichmentSource>,
  options: CorpusKeywordsOptions = {},
): Generator<ChildKeywords, undefined> {
  const { count = 8 } = options
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new AshlarError('INVALID_OPTION', `count must be a whole number of at least 1, not ${String(count)}.`, {
      details: { count },
    })
  }
  const held = options.statistics === undefined ? [...sources] : sources
  const statistics = options.statistics ?? termStatistics(held)
  for (const source of held) {
    for (const [index, child] of source.children.entries()) {
      const text = child.text.slice(child.lead)
      yield { id: child.id, document: source.document, index, keywords: keywordsOf(text, count, statistics) }
    }
  }
}

interface TermCounts {
  readonly terms: ReadonlyMap<string, readonly Term[]>
  readonly length: number
}

function countTerms(text: string): TermCounts {
  const found = new Map<string, Term[]>()
  let length = 0
  for (const term of terms(text)) {
    length++
    const places = found.get(term.term)
    if (places === undefined) found.set(term.term, [term])
    else places.push(term)
  }
  return { terms: found, length }
}

function keywordsOf(text: string, count: number, { children, length, frequencies }: TermStatistics): string[] {
  const counts = countTerms(text)
  const mean = children === 0 ? 1 : length / children
  const pivot = saturation * (1 - lengthShare + (lengthShare * counts.length) / Math.max(1, mean))
  const weights = new Map<string, number>()
  for (const [term, places] of counts.terms) {
    // "constructor" is a word too.
    const frequency = Object.hasOwn(frequencies, term) ? (frequencies[term] as number) : 1
    const total = Math.max(children, frequency)
    // Of a few children a half is one or two, which says nothing about a term.
    if (total >= 4 && frequency > total * common) continue
    if (!/\p{L}/u.test(term)) continue
    const rarity = Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
    weights.set(term, (rarity * places.length) / (places.length + pivot))
  }
  const best = [...weights].sort(byWeight).slice(0, count)
  return asPhrases(
    text,
    best.map(([term]) => counts.terms.get(term) as readonly Term[]),
  )
}

/** By falling weight; equal ones in the order of code units, so that no locale matters. */
function byWeight([leftTerm, left]: [string, number], [rightTerm, right]: [string, number]): number {
  return right - left || (leftTerm < rightTerm ? -1 : 1)
}

/**
 * Joins chosen terms into phrases where they mostly stand next to each other, and gives each term in the longest phrase it is part
 * of, the best term's phrase first.
 */
function asPhrases(text: string, chosen: readonly (readonly Term[])[]): string[] {
  const places = chosen
    .flatMap((found, rank) => found.map(({ start, end }) => ({ start, end, rank })))
    .sort((left, right) => left.start - right.start)
  const pairs = new Map<string, number>()
  for (const [at, place] of places.entries()) {
    const next = places[at + 1]
    if (next === undefined || !isBeside(text, place, next)) continue
    const pair = `${place.rank} ${next.rank}`
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  const times = (rank: number): number => (chosen[rank] as readonly Term[]).length
  const joins = (left: (typeof places)[number], right: (typeof places)[number]): boolean =>
    isBeside(text, left, right) &&
    (pairs.get(`${left.rank} ${right.rank}`) ?? 0) * 2 > Math.max(times(left.rank), times(right.rank))
  const phrases: string[] = chosen.map(() => '')
  let run: typeof places = []
  for (const place of places) {
    const last = run.at(-1)
    run = last !== undefined && run.length < longestPhrase && joins(last, place) ? [...run, place] : [place]
    const phrase = text.slice(run[0]?.start, place.end)
    for (const { rank } of run) if (phrase.length > (phrases[rank] as string).length) phrases[rank] = phrase
  }
  return distinct(phrases)
}

function isBeside(text: string, left: Span, right: Span): boolean {
  return right.start <= left.end || text.slice(left.end, right.start) === ' '
}
