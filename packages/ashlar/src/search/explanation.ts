import type { Filter } from '../store/filter.ts'
import type { ChildAddress, NominatedChild, Nominations, Store } from '../store/store.ts'
import { analyseQuery } from '../text/analyse-query.ts'
import type { Leg, LegScores, NominationLimits } from './configuration.ts'
import type { WordScores } from './lexical-legs.ts'
import type { ExplainChild } from './search-options.ts'

/** What became of a child. */
export type Outcome =
  /** It is a hit, or part of one. */
  | 'returned'
  /** There is no such child in the document, or no such document. */
  | 'absent'
  /** The filter leaves its document out. */
  | 'filtered'
  /** No leg had it among those it returned. */
  | 'not-nominated'
  /** It was nominated, and others looked better before token states were read. */
  | 'cut-at-first-stage'
  | 'below-min-score'
  /** Another hit has the same text. */
  | 'duplicate'
  /** Enough others are better. */
  | 'below-limit'
  | 'out-of-budget'

/** Why a child was returned, or why not. */
export interface ChildExplanation {
  readonly child: string
  readonly outcome: Outcome
  /** The same in a sentence. */
  readonly sentence: string
  /** Its place among the children that were scored, from 1; among those of the first stage where it was cut there. */
  readonly rank?: number
  readonly score?: number
  readonly scores?: Partial<LegScores>
  /** Its place in each leg; where it was not nominated, among the two thousand that each leg was then asked for. */
  readonly ranks?: Readonly<Partial<Record<Leg, number>>>
}

/** How a result came about. */
export interface SearchExplanation {
  /** The terms of the query with how many children hold each, the rarest first. Letter grams are left out. */
  readonly terms: readonly { readonly term: string; readonly children: number }[]
  readonly phrases: readonly string[]
  /** Children in the workspaces that were searched. */
  readonly children: number
  /** How many children each leg had a word about, among those nominated. */
  readonly nominated: Readonly<Partial<Record<Leg, number>>>
  readonly limits: NominationLimits
  readonly minScore: number
  /** The score below which nothing here is about the question. */
  readonly nothingBelow: number
  /** There where it was asked for. */
  readonly child?: ChildExplanation
}

/** How many pieces each leg is asked for when a child is looked for that was not nominated. */
export const wideLimit = 2000

/**
 * Finds the address of a child by its id. A store finds children by what is in them: its own words, in its own document, find it.
 * `undefined` where the document has no such child.
 */
export async function addressOf(
  store: Store,
  { child, document }: ExplainChild,
  signal: AbortSignal | undefined,
): Promise<ChildAddress | undefined> {
  if (document === undefined) return undefined
  const signalled = signal === undefined ? {} : { signal }
  const [record] = await store.get([document], signalled)
  const piece = record?.tree.children.find(({ id }) => id === child)
  if (piece === undefined) return undefined
  const { children } = await store.nominate({
    terms: { terms: analyseQuery(piece.text).slice(0, 5_000), limits: { child: wideLimit, parent: 0, section: 0, document: 0 } },
    where: { op: 'document', ids: [document] },
    ...signalled,
  })
  return withId(store, children, child, signal)
}

/** The one of several nominated children that has this id. */
export async function withId(
  store: Store,
  nominated: readonly NominatedChild[],
  id: string,
  signal: AbortSignal | undefined,
): Promise<NominatedChild | undefined> {
  const { children } = await store.children(nominated.slice(0, 10_000), signal === undefined ? {} : { signal })
  const found = children.find((one) => one.id === id)
  return nominated.find(({ key }) => key === found?.key)
}

/** Whether a filter lets a document through. */
export async function passes(
  store: Store,
  where: Filter | undefined,
  document: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (where === undefined) return true
  const only: Filter = { op: 'and', filters: [{ op: 'document', ids: [document] }, where] }
  return (await store.list({ where: only, limit: 1, ...(signal === undefined ? {} : { signal }) })).items.length > 0
}

/** A child's places in the legs of a wide nomination; a leg that did not return it is left out. */
export function widePlaces(
  { children }: Pick<Nominations, 'children'>,
  key: number,
  wordsOf: (child: NominatedChild) => WordScores,
): { readonly scores: Partial<LegScores>; readonly ranks: Readonly<Partial<Record<Leg, number>>> } {
  const own = children.find((child) => child.key === key)
  if (own === undefined) return { scores: {}, ranks: {} }
  const scores: Partial<LegScores> = { ...wordsOf(own), ...(own.cosine === undefined ? {} : { vector: own.cosine }) }
  const ranks: Partial<Record<Leg, number>> = {}
  for (const leg of ['child', 'parent', 'section', 'document', 'vector'] as const) {
    const score = scores[leg]
    if (score === undefined || score <= 0) continue
    const better = new Set<number>()
    for (const other of children) {
      const value = leg === 'vector' ? other.cosine : wordsOf(other)[leg]
      if (value !== undefined && value > score) better.add(leg === 'child' || leg === 'vector' ? other.key : other[leg])
    }
    if (better.size < wideLimit) ranks[leg] = better.size + 1
  }
  return { scores, ranks }
}
