import type { EmbedderIdentity } from '../model/embedder.ts'
import type { FieldTypes, FieldValue, Filter } from '../store/filter.ts'
import type { LexicalScores, QueryTerm, StoredDocument } from '../store/store.ts'
import { analyse } from '../text/analyse.ts'
import type { TreePiece } from '../tree/tree.ts'
import { ownText, sampleVector } from './store-samples.ts'

/** A child of a document, named so that children of one store can be told apart. */
export interface OracleChild {
  readonly name: string
  readonly document: string
  readonly piece: TreePiece
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
  readonly parent: string
  readonly section: string
}

/** What a store should hold, and what it should answer, worked out the slow way. */
export class StoreOracle {
  readonly documents: Map<string, StoredDocument> = new Map()

  put(document: StoredDocument): void {
    this.documents.set(document.tree.document, document)
  }

  children(): OracleChild[] {
    return [...this.documents.values()].flatMap(({ tree, notes = [] }) =>
      tree.children.map((piece) => {
        const note = notes.find(({ child }) => child === piece.id)
        const generated = [note?.context ?? '', ...(note?.questions ?? []), (note?.keywords ?? []).join('\n')].filter(
          (text) => text !== '',
        )
        const terms = new Map<string, number>()
        let length = 0
        for (const text of [ownText(piece), ...(generated.length === 0 ? [] : [generated.join('\n')])]) {
          const analysis = analyse(text)
          for (const [at, term] of analysis.terms.entries()) terms.set(term, (terms.get(term) ?? 0) + (analysis.counts[at] ?? 0))
          length += analysis.length
        }
        const section = tree.parents[piece.above]?.above
        return {
          name: childName(tree.document, piece.id),
          document: tree.document,
          piece,
          terms,
          length,
          parent: `${tree.document} parent ${piece.above}`,
          section: `${tree.document} section ${section}`,
        }
      }),
    )
  }

  /** BM25 of every child and of what surrounds it. */
  lexical(terms: readonly QueryTerm[]): Map<string, LexicalScores> {
    const children = this.children()
    const frequency = (term: string): number => children.filter((child) => child.terms.has(term)).length
    const worth = new Map(
      terms.map(({ term }) => [term, Math.log(1 + (children.length + 1000 - frequency(term) + 0.5) / (frequency(term) + 0.5))]),
    )
    const level = (nameOf: (child: OracleChild) => string, pivot: number): Map<string, number> => {
      const scores = new Map<string, number>()
      for (const [name, group] of Map.groupBy(children, nameOf)) {
        const length = group.reduce((sum, child) => sum + child.length, 0)
        let score = 0
        for (const { term, weight } of terms) {
          const count = group.reduce((sum, child) => sum + (child.terms.get(term) ?? 0), 0)
          score += (weight * (worth.get(term) ?? 0) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / pivot))
        }
        scores.set(name, score)
      }
      return scores
    }
    const scores = {
      child: level(({ name }) => name, 20),
      parent: level(({ parent }) => parent, 80),
      section: level(({ section }) => section, 240),
      document: level(({ document }) => document, 1000),
    }
    return new Map(
      children.map(({ name, parent, section, document }) => [
        name,
        {
          child: scores.child.get(name) ?? 0,
          parent: scores.parent.get(parent) ?? 0,
          section: scores.section.get(section) ?? 0,
          document: scores.document.get(document) ?? 0,
        },
      ]),
    )
  }

  /** Cosines of all children that have a vector under an identity, the highest first. */
  cosines(
    query: string,
    identity: EmbedderIdentity,
    where?: (document: StoredDocument) => boolean,
  ): [name: string, cosine: number][] {
    const vector = sampleVector(query, identity)
    const found: [string, number][] = []
    for (const document of this.documents.values()) {
      if (where?.(document) === false) continue
      if (!document.embeddings?.some((one) => one.identity.model === identity.model)) continue
      for (const child of document.tree.children) {
        const other = sampleVector(ownText(child), identity)
        found.push([
          childName(document.tree.document, child.id),
          other.reduce((sum, number, at) => sum + number * (vector[at] ?? 0), 0),
        ])
      }
    }
    return found.sort((left, right) => right[1] - left[1])
  }
}

export function childName(document: string, id: string): string {
  return `${document} child ${id}`
}

/** What a filter means, written apart from any store. */
export function oracleMatches(filter: Filter, { tree, metadata = {} }: StoredDocument, fields: FieldTypes): boolean {
  if ('filters' in filter) {
    const answers = filter.filters.map((one) => oracleMatches(one, { tree, metadata }, fields))
    return filter.op === 'and' ? !answers.includes(false) : answers.includes(true)
  }
  if (filter.op === 'not') return !oracleMatches(filter.filter, { tree, metadata }, fields)
  if (filter.op === 'document') return filter.ids.includes(tree.document)
  const entry = Object.entries(metadata).find(([name]) => name === filter.field)
  if (entry === undefined || typeName(entry[1]) !== fields[filter.field]) return false
  if (filter.op === 'exists') return true
  const values = (Array.isArray(entry[1]) ? entry[1] : [entry[1]]) as (string | number | boolean)[]
  return values.some((value) => {
    if (filter.op === 'equal') return value === filter.value
    if (filter.op === 'in') return filter.values.some((one) => one === value)
    if (filter.op === 'prefix') return String(value).slice(0, filter.value.length) === filter.value
    const { gte, gt, lte, lt } = filter
    const order = (bound: string | number): number => compare(value as string | number, bound)
    return (
      (gte === undefined || order(gte) >= 0) &&
      (gt === undefined || order(gt) > 0) &&
      (lte === undefined || order(lte) <= 0) &&
      (lt === undefined || order(lt) < 0)
    )
  })
}

function typeName(value: FieldValue): string {
  return Array.isArray(value) ? 'strings' : typeof value
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === 'number' || typeof right === 'number') return Number(left) - Number(right)
  return compareTexts(left, right)
}

/** By code points. */
export function compareTexts(left: string, right: string): number {
  const ones = [...left]
  const others = [...right]
  for (let at = 0; at < ones.length && at < others.length; at++) {
    const difference = (ones[at]?.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return ones.length - others.length
}

/** Whether two values hold the same data, whatever the order of their fields. A field that is undefined is one that is not there. */
export function sameData(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (ArrayBuffer.isView(left) || Array.isArray(left)) {
    const [ones, others] = [left, right] as unknown as [ArrayLike<unknown>, ArrayLike<unknown>]
    if (ones.length !== others.length) return false
    for (let at = 0; at < ones.length; at++) if (!sameData(ones[at], others[at])) return false
    return true
  }
  const fields = (value: object): [string, unknown][] => Object.entries(value).filter(([, field]) => field !== undefined)
  const others = new Map(fields(right))
  const ones = fields(left)
  return ones.length === others.size && ones.every(([name, field]) => others.has(name) && sameData(field, others.get(name)))
}
