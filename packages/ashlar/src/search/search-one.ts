import type { NominatedChild, NominationQuery, Nominations, Store } from '../store/store.ts'
import { analyseQuery } from '../text/analyse-query.ts'
import { termKind } from '../text/term-kind.ts'
import { orderByCompany } from './company.ts'
import type { Leg, LegScores } from './configuration.ts'
import { addressOf, type ChildExplanation, passes, type SearchExplanation, wideLimit, widePlaces, withId } from './explanation.ts'
import { matchFinder } from './find-matches.ts'
import { firstStage, rankFirst } from './first-stage.ts'
import { fitBudget } from './fit-budget.ts'
import type { Hit } from './hit.ts'
import { lexicalLegs, type WordScores } from './lexical-legs.ts'
import { makePassages, type Passage, type Passages } from './passages.ts'
import { cite, placesOf } from './places.ts'
import type { ReadQuery } from './read-query.ts'
import { type Evidence, evidenceOf, nothingBelow, relevanceOf } from './relevance.ts'
import { rerankChildren } from './rerank-children.ts'
import { byOrder, phrasesIn, rankByLeg, type ScoredChild, scoreChildren } from './scored-child.ts'
import type { ExplainChild, ResolvedSearchOptions } from './search-options.ts'
import type { Degraded, SearchResult } from './search-result.ts'
import { reach } from './token-legs.ts'

/** Children that are looked at for each phrase. Those that hold all of its words come first, so that few are enough. */
const mostForPhrase = 500

/** Everything that is known when hits are made. */
interface Ranking {
  readonly nominations: Nominations
  readonly pool: readonly NominatedChild[]
  readonly wordsOf: (child: NominatedChild) => WordScores
  readonly ranked: readonly ScoredChild[]
  readonly degraded: readonly Degraded[]
}

/** Answers one query that was read. */
export async function searchOne(store: Store, read: ReadQuery, options: ResolvedSearchOptions): Promise<SearchResult> {
  const degraded = read.degraded === undefined ? [] : [read.degraded]
  const ranking: Ranking =
    read.text.trim() === ''
      ? { nominations: noNominations, pool: [], wordsOf: () => ({ child: 0, parent: 0, section: 0 }), ranked: [], degraded }
      : await rank(store, read, options, degraded)
  const { ranked, nominations } = ranking
  const top = ranked.reduce<ScoredChild | undefined>(
    (best, one) => (best === undefined || one.score > best.score ? one : best),
    undefined,
  )
  const evidence = evidenceOf(top?.scores ?? {})
  const enough = ranked.filter(({ score, phrases }) => score >= options.minScore || phrases > 0)
  const made = makePassages(enough, options)
  const { kept, left } =
    options.maxTokens === undefined
      ? { kept: made.passages.map((passage) => ({ passage, tokens: undefined })), left: [] }
      : fitBudget(made.passages, options.maxTokens, options.counter)
  const hits = await toHits(store, kept, read, ranked, options)
  const fates = [...made.fates.values()]
  const tokens = kept.reduce((sum, one) => sum + (one.tokens ?? 0), 0)
  const explanation =
    options.explain === false ? undefined : await explain(store, read, options, { ranking, made, left, hits, evidence })
  return {
    query: read.text,
    hits,
    nothing: top === undefined || (top.score < nothingBelow(evidence) && !ranked.some(({ phrases }) => phrases > 0)),
    best: { score: top?.score ?? 0, relevance: top === undefined ? 0 : relevanceOf(top.score, evidence) },
    legs: Object.keys(top?.scores ?? {}) as Leg[],
    degraded: ranking.degraded,
    counts: {
      nominated: nominations.children.length,
      scored: ranked.length,
      belowMinScore: ranked.length - enough.length,
      merged: fates.filter((fate) => fate === 'merged').length,
      duplicates: fates.filter((fate) => fate === 'duplicate').length,
      outOfBudget: left.length,
      ...(options.maxTokens === undefined ? {} : { tokens }),
    },
    ...(explanation === undefined ? {} : { explanation }),
  }
}

const noNominations: Nominations = { children: [], count: 0, frequencies: new Map(), pieceFrequencies: new Map() }

async function rank(
  store: Store,
  read: ReadQuery,
  options: ResolvedSearchOptions,
  degraded: readonly Degraded[],
): Promise<Ranking> {
  const { documents, nominate: limits, signal } = options
  const literal = await childrenWithPhrases(store, read, options)
  const nominations = await store.nominate(nominationQuery(read, options, limits, literal))
  const wordsOf = lexicalLegs(read.terms, nominations, documents)
  const chosen = firstStage(nominations, limits, wordsOf)
  const keys = new Set(chosen.map(({ key }) => key))
  const pool = [...chosen, ...nominations.children.filter(({ key }) => literal.includes(key) && !keys.has(key))]
  const { embedded } = read
  const records = await store.children(pool, {
    ...(embedded === undefined ? {} : { vectors: embedded.identity }),
    ...(embedded?.tokens === undefined ? {} : { windows: embedded.identity, neighbours: reach }),
    ...(signal === undefined ? {} : { signal }),
  })
  const scored = orderByCompany(scoreChildren(records, pool, read, nominations, wordsOf), options.scope).sort(byOrder)
  if (options.rerank === undefined) return { nominations, pool, wordsOf, ranked: scored, degraded }
  const reranked = await rerankChildren(scored, read.text, options.rerank, options)
  const failures = reranked.degraded === undefined ? degraded : [...degraded, reranked.degraded]
  return { nominations, pool, wordsOf, ranked: reranked.ranked, degraded: failures }
}

function nominationQuery(
  { terms, embedded }: ReadQuery,
  { where, documents, signal }: Pick<ResolvedSearchOptions, 'where' | 'documents' | 'signal'>,
  limits: ResolvedSearchOptions['nominate'],
  children: readonly number[],
): NominationQuery {
  const { vector, child, parent, section, document } = limits
  return {
    terms: { terms, limits: { child, parent, section, document: documents ? document : 0 } },
    ...(embedded === undefined
      ? {}
      : {
          vector: {
            identity: embedded.identity,
            values: embedded.vector,
            limit: vector,
            ...(embedded.tokens === undefined ? {} : { pieces: embedded.tokens.query.ids }),
          },
        }),
    ...(children.length === 0 ? {} : { children }),
    ...(where === undefined ? {} : { where }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** Keys of children that hold a phrase of the query literally, found by its words. */
async function childrenWithPhrases(
  store: Store,
  { phrases }: ReadQuery,
  { where, nominate: { kept }, signal }: ResolvedSearchOptions,
): Promise<number[]> {
  const keys = new Set<number>()
  for (const phrase of phrases) {
    const nominated = await store.nominate({
      terms: { terms: analyseQuery(phrase.text), limits: { child: mostForPhrase, parent: 0, section: 0, document: 0 } },
      ...(where === undefined ? {} : { where }),
      ...(signal === undefined ? {} : { signal }),
    })
    const { children } = await store.children(nominated.children, signal === undefined ? {} : { signal })
    const scores = new Map(nominated.children.map(({ key, lexical }) => [key, lexical.child]))
    const holding = children
      .filter((record) => phrasesIn(record, [phrase]) > 0)
      .sort((left, right) => (scores.get(right.key) ?? 0) - (scores.get(left.key) ?? 0) || left.key - right.key)
    for (const { key } of holding.slice(0, kept)) keys.add(key)
  }
  return [...keys]
}

async function toHits(
  store: Store,
  kept: readonly { readonly passage: Passage; readonly tokens: number | undefined }[],
  read: ReadQuery,
  ranked: readonly ScoredChild[],
  { places, signal }: ResolvedSearchOptions,
): Promise<Hit[]> {
  const found = places
    ? await placesOf(
        store,
        kept.map(({ passage }) => passage),
        signal,
      )
    : []
  const matchesIn = matchFinder(read.terms, read.phrases)
  const ranksOf = rankByLeg(ranked)
  return kept.map(({ passage, tokens }, at): Hit => {
    const { best, start, end, text, children, alsoAt } = passage
    const { id, kind, workspace, document, parent, section, index, outline, header, note } = best.record
    const place = found[at]
    return {
      id,
      kind,
      start,
      end,
      text,
      score: best.score,
      relevance: relevanceOf(best.score, evidenceOf(best.scores)),
      citation: cite(passage, place),
      ...place,
      matches: matchesIn(text, start),
      exact: best.phrases > 0 && best.phrases === read.phrases.length,
      scores: best.scores,
      ranks: ranksOf(best),
      ...(best.reranked === undefined ? {} : { reranked: best.reranked }),
      child: best.own,
      children,
      alsoAt,
      workspace,
      document,
      parent,
      section,
      index,
      outline,
      ...(header === undefined ? {} : { header }),
      ...(note === undefined ? {} : { note }),
      ...(tokens === undefined ? {} : { tokens }),
    }
  })
}

/** What is known after hits were made. */
interface Outcomes {
  readonly ranking: Ranking
  readonly made: Passages
  readonly left: readonly Passage[]
  readonly hits: readonly Hit[]
  readonly evidence: Evidence
}

async function explain(
  store: Store,
  read: ReadQuery,
  options: ResolvedSearchOptions,
  outcomes: Outcomes,
): Promise<SearchExplanation> {
  const { nominations, wordsOf } = outcomes.ranking
  const nominated: Partial<Record<Leg, number>> = {}
  for (const child of nominations.children) {
    const scores: Partial<LegScores> = { ...wordsOf(child), ...(child.cosine === undefined ? {} : { vector: child.cosine }) }
    for (const [leg, score] of Object.entries(scores) as [Leg, number][])
      if (score > 0) nominated[leg] = (nominated[leg] ?? 0) + 1
  }
  return {
    terms: read.terms
      .filter(({ term }) => !term.startsWith(termKind.gram))
      .map(({ term }) => ({ term: term.slice(1), children: nominations.frequencies.get(term) ?? 0 }))
      .sort((left, right) => left.children - right.children),
    phrases: read.phrases.map(({ text }) => text),
    children: nominations.count,
    nominated,
    limits: options.nominate,
    minScore: options.minScore,
    nothingBelow: nothingBelow(outcomes.evidence),
    ...(typeof options.explain === 'object'
      ? { child: await explainChild(store, read, options, outcomes, options.explain) }
      : {}),
  }
}

async function explainChild(
  store: Store,
  read: ReadQuery,
  options: ResolvedSearchOptions,
  { ranking, made, left, hits }: Outcomes,
  asked: ExplainChild,
): Promise<ChildExplanation> {
  const { child } = asked
  const { nominations, ranked, wordsOf } = ranking
  const at = ranked.findIndex(({ record }) => record.id === child)
  const scored = ranked[at]
  if (scored !== undefined) {
    const { score, scores, record } = scored
    const rank = at + 1
    const about = { child, rank, score, scores, ranks: rankByLeg(ranked)(scored) }
    const says = (outcome: ChildExplanation['outcome'], sentence: string): ChildExplanation => ({ ...about, outcome, sentence })
    const place = `It is number ${rank} of ${ranked.length} children that were scored, with ${score.toFixed(3)}`
    if (hits.some(({ children }) => children.some(({ id }) => id === child)))
      return says('returned', `${place}, and was returned.`)
    if (left.some(({ children }) => children.some(({ id }) => id === child)))
      return says('out-of-budget', `${place}, and did not fit into ${options.maxTokens} tokens beside the better ones.`)
    if (score < options.minScore && scored.phrases === 0)
      return says('below-min-score', `${place}, which is below minScore, ${options.minScore}.`)
    const fate = made.fates.get(record.key)
    if (fate === 'duplicate') return says('duplicate', `${place}, and a better hit has the same text: see its alsoAt.`)
    // It was joined to a passage of which the budget left its best child alone.
    if (fate === 'merged')
      return says('out-of-budget', `${place}; of the passage it is in only the best child fitted into the budget.`)
    return says('below-limit', `${place}, behind the ${hits.length} hits that were asked for.`)
  }
  const cut = await withId(store, nominations.children, child, options.signal)
  if (cut !== undefined) {
    const order = rankFirst(nominations, options.nominate, wordsOf)
    const rank = order.findIndex(({ key }) => key === cut.key) + 1
    const sentence = `It was nominated and came ${rank}th of ${order.length} in the first stage, which keeps ${options.nominate.kept}.`
    return { child, outcome: 'cut-at-first-stage', sentence, rank, ...widePlaces(nominations, cut.key, wordsOf) }
  }
  const address = await addressOf(store, asked, options.signal)
  if (address === undefined) {
    return asked.document === undefined
      ? { child, outcome: 'not-nominated', sentence: 'No leg nominated it. Name its document to learn how far it was from that.' }
      : { child, outcome: 'absent', sentence: `The document ${JSON.stringify(asked.document)} has no such child.` }
  }
  if (!(await passes(store, options.where, asked.document as string, options.signal)))
    return { child, outcome: 'filtered', sentence: 'The filter leaves its document out.' }
  const wide = {
    vector: wideLimit,
    child: wideLimit,
    parent: wideLimit,
    section: wideLimit,
    document: wideLimit,
    kept: wideLimit,
  }
  const all = await store.nominate(nominationQuery(read, options, wide, [address.key]))
  const { scores, ranks } = widePlaces(all, address.key, lexicalLegs(read.terms, all, options.documents))
  const best = Object.entries(ranks).toSorted(([, one], [, other]) => one - other)[0]
  const sentence =
    best === undefined
      ? `No leg nominated it, nor would one that returned ${wideLimit}.`
      : `No leg nominated it. It came nearest by ${best[0]}, where it is number ${best[1]}.`
  return { child, outcome: 'not-nominated', sentence, scores, ranks }
}
