import { isAshlarError } from '../error/ashlar-error.ts'
import type { NominatedChild, Nominations, Store, StoreScope } from '../store/store.ts'
import { analyse } from '../text/analyse.ts'
import { type ModelContractOptions, must, rejection } from './model-contract.ts'
import { childName, compareTexts, type StoreOracle, sameData } from './store-oracle.ts'

/** What {@link storeContract} needs to know. */
export interface StoreContractOptions extends ModelContractOptions {
  /**
   * Opens a store on a set of data. The same name is the same data, also while another store has it open; a name that was not used before
   * is data without anything in it. Names are short and made of letters and digits.
   */
  readonly open: (scope: StoreScope, data: string) => Store | Promise<Store>
  /** Opens a store that ranks as this one should, such as a memory store, on new data each time. @default not compared */
  readonly reference?: (scope: StoreScope) => Store | Promise<Store>
  /** Least share of the true nearest neighbours that a vector search finds, where it is not exact. @default 0.97 */
  readonly recall?: number
  /**
   * Looks into a set of data, past the store, and tells what nobody can reach any more: rows of documents, parents, children or segments
   * that are gone. @default not looked for
   */
  readonly orphans?: (data: string) => readonly string[] | Promise<readonly string[]>
}

/** Opens stores on the data of one test; they are closed when the test ends. */
type OpenStore = (scope?: Partial<StoreScope>) => Promise<Store>

/** Registers one promise: a test that gets data of its own. */
export type PromiseOf = (what: string, body: (open: OpenStore) => Promise<void>) => void

/** Makes the function that registers promises. */
export function promises({ name, test, timeout = 120_000, open, orphans }: StoreContractOptions): PromiseOf {
  return (what, body) => {
    test(
      `${name}: ${what}`,
      async () => {
        const data = `contract${nextData++}`
        const stores: Store[] = []
        try {
          await body(async (scope = {}) => {
            const store = await open({ workspace: 'one', ...scope }, data)
            stores.push(store)
            return store
          })
          const left = (await orphans?.(data)) ?? []
          must(left.length === 0, `${left.length} rows are left that nobody can reach: ${left.slice(0, 5).join(', ')}`)
        } finally {
          for (const store of stores) await store.close()
        }
      },
      timeout,
    )
  }
}

let nextData = 1

/** The terms of a text with equal weights. */
export function queryTerms(text: string): { readonly term: string; readonly weight: number }[] {
  return analyse(text).terms.map((term) => ({ term, weight: 1 }))
}

/** Limits that keep nothing from being nominated. */
export const everything = { child: 10_000, parent: 10_000, section: 10_000, document: 10_000 }

/** Fails unless the work is refused with one of these codes. */
export async function mustRefuse(work: Promise<unknown>, codes: readonly string[], what: string): Promise<void> {
  const error = await rejection(work, what)
  must(isAshlarError(error), `${what} failed with something other than an AshlarError: ${String(error)}`)
  must(codes.includes(error.code), `${what} was refused with ${error.code} instead of ${codes.join(' or ')}: ${error.message}`)
}

/** All documents of a store, by as many pages as it takes. */
export async function listAll(store: Store, limit = 100): Promise<string[]> {
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await store.list({ limit, ...(after === undefined ? {} : { after }) })
    ids.push(...page.items.map(({ id }) => id))
    must(page.items.length <= limit, `a page has ${page.items.length} documents, ${limit} were asked for`)
    must(page.next === undefined || page.next !== after, 'a page ends where the one before ended')
    must(ids.length <= 5_000, 'there is no end to the pages')
    after = page.next
  } while (after !== undefined)
  return ids
}

/** Nominated children under their names, fetched through the store. */
export async function namesOf(store: Store, children: readonly NominatedChild[]): Promise<Map<string, NominatedChild>> {
  const byKey = new Map(children.map((child) => [child.key, child]))
  const named = new Map<string, NominatedChild>()
  for (let from = 0; from < children.length; from += 5_000) {
    const { children: records } = await store.children(children.slice(from, from + 5_000))
    for (const record of records) {
      const name = childName(record.document.id, record.id)
      must(!named.has(name), `${name} was nominated twice`)
      named.set(name, byKey.get(record.key) as NominatedChild)
    }
  }
  must(named.size === children.length, `${children.length} children were nominated and ${named.size} of them could be fetched`)
  return named
}

/**
 * Holds everything that can be reached through a store against what it should hold: nothing is missing, nothing is left over, and every
 * number is right.
 */
export async function mustHold(store: Store, oracle: StoreOracle): Promise<void> {
  const { documents } = oracle
  const ids = await listAll(store, 7)
  must(
    sameData(ids, [...documents.keys()].sort(compareTexts)),
    `the documents listed are ${ids.join()}, not ${[...documents.keys()].join()}`,
  )
  const records = await store.get(ids)
  for (const [index, id] of ids.entries()) {
    const record = records[index]
    const { tree, metadata = {}, notes = [] } = documents.get(id) ?? {}
    must(sameData(record?.tree, tree), `the tree of ${id} is not the one that was put`)
    must(sameData(record?.metadata, metadata), `the metadata of ${id} are not those that were put`)
    const places = new Map(tree?.children.map((child, at) => [child.id, at]))
    const inOrder = [...notes].sort((left, right) => (places.get(left.child) ?? 0) - (places.get(right.child) ?? 0))
    must(sameData(record?.notes, inOrder), `the notes of ${id} are not those that were put`)
  }
  await mustHoldTerms(store, oracle)
  for (const { identity, children } of await store.embeddings()) {
    const embedded = [...documents.values()].filter(({ embeddings = [] }) =>
      embeddings.some((one) => one.identity.model === identity.model),
    )
    const expected = embedded.reduce((sum, { tree }) => sum + tree.children.length, 0)
    must(children === expected, `the store has ${children} vectors of ${identity.model}, there should be ${expected}`)
  }
}

async function mustHoldTerms(store: Store, oracle: StoreOracle): Promise<void> {
  const children = oracle.children()
  const frequencies = new Map<string, number>()
  for (const { terms } of children) for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  const all = [...frequencies.keys()].slice(0, 5_000).map((term) => ({ term, weight: 1 }))
  const found = await store.nominate({ terms: { terms: all, limits: everything } })
  must(found.count === children.length, `the store counts ${found.count} children, there are ${children.length}`)
  const named = await namesOf(store, found.children)
  const findable = children.filter(({ terms }) => terms.size > 0)
  for (const { name } of findable) must(named.has(name), `${name} cannot be found by its words`)
  for (const name of named.keys())
    must(
      children.some((child) => child.name === name),
      `${name} is found and should not be there`,
    )
  for (const { term } of all)
    must(
      found.frequencies.get(term) === frequencies.get(term),
      `${term} is in ${found.frequencies.get(term)} children, not in ${frequencies.get(term)}`,
    )
  const terms = all.filter((_, index) => index % Math.ceil(all.length / 6) === 0).slice(0, 6)
  mustScore(await store.nominate({ terms: { terms, limits: everything } }), named, oracle.lexical(terms))
}

/** Fails unless every nominated child carries the scores that it should. */
function mustScore(
  found: Nominations,
  named: ReadonlyMap<string, NominatedChild>,
  expected: ReadonlyMap<string, { child: number; parent: number; section: number; document: number }>,
): void {
  const byKey = new Map(found.children.map((child) => [child.key, child]))
  for (const [name, { key }] of named) {
    const scores = byKey.get(key)?.lexical ?? { child: 0, parent: 0, section: 0, document: 0 }
    const wanted = expected.get(name)
    if (!byKey.has(key)) {
      must((wanted?.document ?? 0) === 0, `${name} holds a term of the query, or its document does, and was not nominated`)
      continue
    }
    for (const level of ['child', 'parent', 'section', 'document'] as const) {
      const difference = Math.abs(scores[level] - (wanted?.[level] ?? 0))
      must(difference < 1e-6, `the ${level} of ${name} scores ${scores[level]} and should score ${wanted?.[level]}`)
    }
  }
}
