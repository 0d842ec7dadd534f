import { analyseQuery, type NominatedChild, type Store } from 'ashlar/stores'
import { buildTree } from 'ashlar/tree'

/** How many pieces of each level nominate. */
export interface LevelLimits {
  readonly child: number
  readonly parent: number
  readonly section: number
  readonly document: number
}

/** As many of each level as a search asks for when nobody says otherwise. */
export const usualLimits: LevelLimits = { child: 100, parent: 100, section: 20, document: 20 }

/** So many that in sets of this size every document with a term of the query nominates all of its children. */
export const allLimits: LevelLimits = { child: 10_000, parent: 10_000, section: 10_000, document: 10_000 }

/** A child that a query found by its words, and what they are worth. */
export interface WordHit {
  readonly id: string
  readonly document: string
  readonly score: number
}

/** Puts texts into a store. */
export async function putTexts(store: Store, texts: readonly { readonly id: string; readonly text: string }[]): Promise<void> {
  for (let from = 0; from < texts.length; from += 1000) {
    await store.put(texts.slice(from, from + 1000).map(({ id, text }) => ({ tree: buildTree(text, { document: id }) })))
  }
  await store.maintain()
}

/** The best children by the sum of the four levels' scores. */
export async function bestChildren(store: Store, query: string, limits: LevelLimits, limit: number): Promise<WordHit[]> {
  return named(store, (await ranked(store, query, limits)).slice(0, limit))
}

/** The best documents, each as good as its best child. */
export async function bestDocuments(store: Store, query: string, limit: number): Promise<string[]> {
  const seen = new Set<number>()
  const best = (await ranked(store, query, usualLimits)).filter(({ child }) => {
    const isNew = !seen.has(child.document)
    seen.add(child.document)
    return isNew
  })
  return (await named(store, best.slice(0, limit))).map(({ document }) => document)
}

interface Ranked {
  readonly child: NominatedChild
  readonly score: number
}

async function ranked(store: Store, query: string, limits: LevelLimits): Promise<Ranked[]> {
  const { children } = await store.nominate({ terms: { terms: analyseQuery(query), limits } })
  return children
    .map((child) => ({ child, score: wordScore(child) }))
    .sort((left, right) => right.score - left.score || left.child.key - right.child.key)
}

function wordScore({ lexical }: NominatedChild): number {
  return lexical.child + lexical.parent + lexical.section + lexical.document
}

async function named(store: Store, hits: readonly Ranked[]): Promise<WordHit[]> {
  if (hits.length === 0) return []
  const { children } = await store.children(hits.map(({ child }) => child))
  const records = new Map(children.map((child) => [child.key, child]))
  return hits.map(({ child, score }) => {
    const record = records.get(child.key)
    if (record === undefined) throw new Error('A child was nominated that the store does not have')
    return { id: record.id, document: record.document.id, score }
  })
}
